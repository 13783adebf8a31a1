#if Postgres
  import AlterCore
  import AlterJournal

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The parameters of a statement: values in PostgreSQL's binary form, one after the other in one buffer.
  package struct Parameters: Sendable {
    /// The type and the position of one value.
    struct Field: Sendable {
      let type: UInt32
      let start: Int
      /// The length in bytes; nil for NULL.
      let length: Int?
    }

    /// The object ids of PostgreSQL's built-in types, and of their arrays. They are part of its protocol and never change.
    private enum TypeID {
      static let bytes: (UInt32, array: UInt32) = (17, 1001)
      static let number: (UInt32, array: UInt32) = (20, 1016)
      static let text: (UInt32, array: UInt32) = (25, 1009)
      static let uuid: (UInt32, array: UInt32) = (2950, 2951)
      static let flag: (UInt32, array: UInt32) = (16, 1000)
      static let real: (UInt32, array: UInt32) = (701, 1022)
      static let instant: (UInt32, array: UInt32) = (1184, 1185)
      static let json: (UInt32, array: UInt32) = (3802, 3807)
    }

    /// The largest size in bytes of a statement's parameters: a quarter of the largest message and value of a PostgreSQL server
    /// (`MaxAllocSize`, 1 GiB). `pg_dump` writes values as hexadecimal text and fails at half of that size. libpq moves the rest of a
    /// message each time the socket accepts a part of it, so the time grows with the square of the size.
    static let mostBytes = 256 << 20

    /// Begins with an unused byte, so that there is an address even if all values are empty: a missing address means NULL.
    private(set) var bytes: [UInt8] = [0]
    private(set) var fields: [Field] = []

    /// Creates an empty list.
    package init() {}

    /// Creates a list of the given values.
    package init(_ values: Value...) {
      for value in values { add(value) }
    }

    /// A value of one of the supported types. nil is NULL.
    package enum Value {
      case number(Int64?)
      case text(String?)
      case bytes(Data?)
      case uuid(UUID?)
      case flag(Bool?)
      case real(Double?)
      /// A `timestamptz`: microseconds since 2000-01-01 00:00 UTC.
      case instant(Int64?)
      /// A `jsonb`, as JSON.
      case json(String?)
      case numbers([Int64])
      case texts([String])
      case byteArrays([Data?])
      case uuids([UUID])
    }

    /// Appends a value.
    package mutating func add(_ value: Value) {
      switch value {
      case .numbers(let numbers): add(array: numbers.map { .number($0) }, of: TypeID.number)
      case .texts(let texts): add(array: texts.map { .text($0) }, of: TypeID.text)
      case .byteArrays(let arrays): add(array: arrays.map { .bytes($0) }, of: TypeID.bytes)
      case .uuids(let uuids): add(array: uuids.map { .uuid($0) }, of: TypeID.uuid)
      case .number, .text, .bytes, .uuid, .flag, .real, .instant, .json:
        let start = bytes.count
        let isNull = !write(value)
        fields.append(Field(type: Self.type(of: value).0, start: start, length: isNull ? nil : bytes.count - start))
      }
    }

    /// Appends an array of one or more values of one type.
    package mutating func add(array values: [Value]) { add(array: values, of: Self.type(of: values[0])) }

    private static func type(of value: Value) -> (UInt32, array: UInt32) {
      switch value {
      case .number, .numbers: TypeID.number
      case .text, .texts: TypeID.text
      case .bytes, .byteArrays: TypeID.bytes
      case .uuid, .uuids: TypeID.uuid
      case .flag: TypeID.flag
      case .real: TypeID.real
      case .instant: TypeID.instant
      case .json: TypeID.json
      }
    }

    /// Writes a single value.
    ///
    /// - Returns: Whether there is one; false for NULL.
    private mutating func write(_ value: Value) -> Bool {
      switch value {
      case .number(let number?), .instant(let number?): write(number)
      case .text(let text?): bytes.append(contentsOf: text.utf8)
      case .bytes(let data?): bytes.append(contentsOf: data)
      case .uuid(let uuid?): withUnsafeBytes(of: uuid.uuid) { bytes.append(contentsOf: $0) }
      case .flag(let flag?): bytes.append(flag ? 1 : 0)
      case .real(let number?): write(number.bitPattern)
      case .json(let json?):
        // The version of the form that `jsonb_recv` reads.
        bytes.append(1)
        bytes.append(contentsOf: json.utf8)
      case .number(nil), .text(nil), .bytes(nil), .uuid(nil), .flag(nil), .real(nil), .instant(nil), .json(nil): return false
      case .numbers, .texts, .byteArrays, .uuids: preconditionFailure("An array is no element of an array.")
      }
      return true
    }

    private mutating func write(_ number: some FixedWidthInteger) {
      withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// Writes an array of one dimension in the form that `array_recv` in PostgreSQL's `arrayfuncs.c` reads:
    ///
    ///     dimensions, whether there are NULLs, element type, length, first index, then each element's length (-1: NULL) and bytes
    private mutating func add(array elements: [Value], of type: (UInt32, array: UInt32)) {
      let start = bytes.count
      write(Int32(elements.isEmpty ? 0 : 1))
      let nulls = bytes.count
      write(Int32(0))
      write(type.0)
      if !elements.isEmpty {
        write(Int32(truncatingIfNeeded: elements.count))
        write(Int32(1))
      }
      for element in elements {
        let place = bytes.count
        write(Int32(-1))
        if write(element) {
          // A longer value exceeds the largest size of a statement and is never sent.
          overwrite(Int32(truncatingIfNeeded: bytes.count - place - 4), at: place)
        } else {
          overwrite(1, at: nulls)
        }
      }
      fields.append(Field(type: type.array, start: start, length: bytes.count - start))
    }

    private mutating func overwrite(_ number: Int32, at place: Int) {
      withUnsafeBytes(of: number.bigEndian) { bytes.replaceSubrange(place..<place + 4, with: $0) }
    }
  }
#endif

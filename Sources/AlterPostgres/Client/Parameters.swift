#if Postgres
  import AlterCore
  import AlterJournal

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The parameters of a statement: values in PostgreSQL's binary form, one after the other in one buffer.
  struct Parameters: Sendable {
    /// The type and the position of one value.
    struct Field: Sendable {
      let type: UInt32
      let start: Int
      /// The length in bytes; nil for NULL.
      let length: Int?
    }

    /// The object ids of PostgreSQL's built-in types. They are part of its protocol and never change.
    private enum TypeID {
      static let bytes: UInt32 = 17
      static let number: UInt32 = 20
      static let text: UInt32 = 25
      static let uuid: UInt32 = 2950
      static let byteArrays: UInt32 = 1001
      static let numbers: UInt32 = 1016
      static let texts: UInt32 = 1009
      static let uuids: UInt32 = 2951
    }

    /// The largest size in bytes of a statement's parameters: a quarter of the largest message and value of a PostgreSQL server
    /// (`MaxAllocSize`, 1 GiB). `pg_dump` writes values as hexadecimal text and fails at half of that size. libpq moves the rest of a
    /// message each time the socket accepts a part of it, so the time grows with the square of the size.
    static let mostBytes = 256 << 20

    /// Begins with an unused byte, so that there is an address even if all values are empty: a missing address means NULL.
    private(set) var bytes: [UInt8] = [0]
    private(set) var fields: [Field] = []

    /// Creates an empty list.
    init() {}

    /// Creates a list of the given values.
    init(_ values: Value...) {
      for value in values { add(value) }
    }

    /// A value of one of the supported types.
    enum Value {
      case number(Int64)
      case text(String)
      case bytes(Data?)
      case uuid(UUID)
      case numbers([Int64])
      case texts([String])
      case byteArrays([Data?])
      case uuids([UUID])
    }

    /// Appends a value.
    mutating func add(_ value: Value) {
      let start = bytes.count
      var isNull = false
      let type: UInt32
      switch value {
      case .number(let number):
        type = TypeID.number
        write(number)
      case .text(let text):
        type = TypeID.text
        bytes.append(contentsOf: text.utf8)
      case .bytes(let data):
        type = TypeID.bytes
        if let data { bytes.append(contentsOf: data) } else { isNull = true }
      case .uuid(let uuid):
        type = TypeID.uuid
        write(uuid)
      case .numbers(let numbers):
        type = TypeID.numbers
        writeArray(of: TypeID.number, numbers) { $0.write($1) }
      case .texts(let texts):
        type = TypeID.texts
        writeArray(of: TypeID.text, texts) { $0.bytes.append(contentsOf: $1.utf8) }
      case .byteArrays(let arrays):
        type = TypeID.byteArrays
        writeArray(of: TypeID.bytes, arrays, isNull: { $0 == nil }) { if let data = $1 { $0.bytes.append(contentsOf: data) } }
      case .uuids(let uuids):
        type = TypeID.uuids
        writeArray(of: TypeID.uuid, uuids) { $0.write($1) }
      }
      fields.append(Field(type: type, start: start, length: isNull ? nil : bytes.count - start))
    }

    private mutating func write(_ number: some FixedWidthInteger) {
      withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func write(_ uuid: UUID) {
      withUnsafeBytes(of: uuid.uuid) { bytes.append(contentsOf: $0) }
    }

    /// Writes an array of one dimension in the form that `array_recv` in PostgreSQL's `arrayfuncs.c` reads:
    ///
    ///     dimensions, whether there are NULLs, element type, length, first index, then each element's length (-1: NULL) and bytes
    private mutating func writeArray<Element>(
      of type: UInt32, _ elements: [Element], isNull: (Element) -> Bool = { _ in false }, _ write: (inout Parameters, Element) -> Void
    ) {
      self.write(Int32(elements.isEmpty ? 0 : 1))
      self.write(Int32(elements.contains(where: isNull) ? 1 : 0))
      self.write(type)
      guard !elements.isEmpty else { return }
      self.write(Int32(truncatingIfNeeded: elements.count))
      self.write(Int32(1))
      for element in elements {
        guard !isNull(element) else {
          self.write(Int32(-1))
          continue
        }
        let place = bytes.count
        self.write(Int32(0))
        write(&self, element)
        // A longer value exceeds the largest size of a statement and is never sent.
        let length = Int32(truncatingIfNeeded: bytes.count - place - 4)
        withUnsafeBytes(of: length.bigEndian) { bytes.replaceSubrange(place..<place + 4, with: $0) }
      }
    }
  }
#endif

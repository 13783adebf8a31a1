#if Postgres
  import AlterCore
  import AlterJournal
  import AlterPostgres
  import AlterRows

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// A column of a table: its type, and the values that it can hold.
  struct PostgresColumn: Sendable {
    let name: String
    let kind: StoredField.Kind
    /// The largest size in bytes of a text or JSON in the column; nil without an index.
    let limit: Int?

    /// The type of a column with values.
    var type: String {
      switch kind {
      case .text: "text"
      case .integer: "bigint"
      case .real: "double precision"
      case .boolean: "boolean"
      case .date: "timestamptz"
      case .data: "bytea"
      case .uuid: "uuid"
      case .other: "jsonb"
      }
    }

    /// Returns a value as the column holds it; nil if it can't.
    func value(_ value: RowValue) -> Parameters.Value? {
      switch (kind, value) {
      case (_, .null): null
      case (.text, .text(let text)): short(PostgresText.storable(text)).map { .text($0) }
      case (.text, .integer), (.text, .real): .text(value.text)
      case (.integer, .integer(let number)): .number(number)
      case (.boolean, .integer(let number)) where number == 0 || number == 1: .flag(number == 1)
      case (.real, .real(let number)): .real(number)
      case (.real, .integer(let number)): Double(exactly: number).map { .real($0) }
      // Infinities, and digits beyond 64 bits.
      case (.real, .text(let digits)): Double(digits).map { .real($0) }
      case (.date, .text(let text)): PostgresText.instant(text).map { .instant($0) }
      case (.data, .data(let data)): limit.map { data.count <= $0 } ?? true ? .bytes(data) : nil
      case (.uuid, .text(let text)): UUID(uuidString: text).map { .uuid($0) }
      case (.other, .text(let json)): PostgresText.storable(json: json).flatMap(short).map { .json($0) }
      default: nil
      }
    }

    private func short(_ text: String) -> String? { limit.map { text.utf8.count <= $0 } ?? true ? text : nil }

    var null: Parameters.Value {
      switch kind {
      case .text: .text(nil)
      case .integer: .number(nil)
      case .real: .real(nil)
      case .boolean: .flag(nil)
      case .date: .instant(nil)
      case .data: .bytes(nil)
      case .uuid: .uuid(nil)
      case .other: .json(nil)
      }
    }
  }

  /// A column that addresses a row: `bigint`, `uuid` or `text`.
  struct PostgresKey: Sendable {
    let name: String
    let kind: StoredField.Kind

    init(_ field: StoredField) {
      name = field.column
      kind = [.integer, .uuid].contains(field.kind) ? field.kind : .text
    }

    var type: String { kind == .integer ? "bigint" : kind == .uuid ? "uuid" : "text" }

    var null: Parameters.Value { kind == .integer ? .number(nil) : kind == .uuid ? .uuid(nil) : .text(nil) }

    /// The largest size in bytes of a text that is a key as it is. An index can't hold long ones.
    private static let limit = 400

    /// Returns a key as the column holds it, and whether it is short for another text.
    ///
    /// - Throws: ``/AlterRows/RowsError`` `declaration` for a key of another type.
    func value(_ value: RowValue) throws -> (Parameters.Value, isShortened: Bool) {
      switch (kind, value) {
      case (.integer, .integer(let number)): return (.number(number), false)
      case (.uuid, .text(let text)): if let uuid = UUID(uuidString: text) { return (.uuid(uuid), false) }
      case (.integer, _), (.uuid, _): break
      default:
        var text = value.text
        if case .data(let data) = value { text = data.base64EncodedString() }
        text = PostgresText.storable(text)
        guard text.utf8.count > Self.limit else { return (.text(text), false) }
        // Longer than each key that is not shortened, so that the two are never equal.
        var hash = SipHash128(key0: 0x726F_7773, key1: UInt64(text.utf8.count))
        text.withUTF8 { hash.combine(bytes: UnsafeRawBufferPointer($0)) }
        let (high, low) = hash.finalize()
        var start = text.unicodeScalars[...]
        while start.utf8Count > Self.limit { start.removeLast() }
        return (.text("\(String(start))…\(Checksum(high: high, low: low))"), true)
      }
      throw RowsError.declaration("the column '\(name)' of \(type) can't hold the key \(value.text)")
    }
  }

  extension Substring.UnicodeScalarView {
    fileprivate var utf8Count: Int { String(self).utf8.count }
  }

  /// The forms of texts in PostgreSQL.
  enum PostgresText {
    /// Returns a text that PostgreSQL can hold. Its texts have no U+0000, which becomes `␀0`; and `␀` becomes `␀␀`, so that different texts stay different.
    static func storable(_ text: String) -> String {
      guard text.unicodeScalars.contains(where: { $0 == "\u{0}" || $0 == mark }) else { return text }
      var result = String.UnicodeScalarView()
      for scalar in text.unicodeScalars {
        switch scalar {
        case "\u{0}": result.append(contentsOf: [mark, "0"])
        case mark: result.append(contentsOf: [mark, mark])
        default: result.append(scalar)
        }
      }
      return String(result)
    }

    private static let mark: Unicode.Scalar = "\u{2400}"

    /// Returns JSON that `jsonb` can hold, with its texts as in ``storable(_:)``; nil if it can't: with numbers of more than
    /// 1,000 digits. (A journal's JSON has at most 128 levels.)
    static func storable(json: String) -> String? {
      var result: [UInt8] = []
      let bytes = Array(json.utf8)
      result.reserveCapacity(bytes.count)
      var (index, isText) = (0, false)
      func has(_ part: StaticString) -> Bool {
        let length = part.utf8CodeUnitCount
        guard index + length <= bytes.count else { return false }
        return (0..<length).allSatisfy { bytes[index + $0] == part.utf8Start[$0] }
      }
      while index < bytes.count {
        let byte = bytes[index]
        if isText {
          if has("\\u0000") {
            result += "\u{2400}0".utf8
            index += 6
          } else if has("\\u2400") {
            result += "\u{2400}\u{2400}".utf8
            index += 6
          } else if has("\u{2400}") {
            result += "\u{2400}\u{2400}".utf8
            index += 3
          } else if byte == UInt8(ascii: "\\") {
            result += bytes[index..<min(index + 2, bytes.count)]
            index += 2
          } else {
            if byte == UInt8(ascii: "\"") { isText = false }
            result.append(byte)
            index += 1
          }
          continue
        }
        switch byte {
        case UInt8(ascii: "\""): isText = true
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
          let end = bytes[index...].firstIndex { ",]} \n\r\t".utf8.contains($0) } ?? bytes.count
          let number = String(decoding: bytes[index..<end], as: UTF8.self)
          let exponent = number.split { $0 == "e" || $0 == "E" }.dropFirst().first.map { Int($0) ?? .max } ?? 0
          guard number.utf8.count <= 1_000, abs(max(exponent, -.max)) <= 1_000 else { return nil }
          result += bytes[index..<end]
          index = end
          continue
        default: break
        }
        result.append(byte)
        index += 1
      }
      return String(decoding: result, as: UTF8.self)
    }

    /// Reads the form of a date in a row, as microseconds since 2000-01-01 00:00 UTC; nil for any other text.
    static func instant(_ text: String) -> Int64? {
      let bytes = Array(text.utf8)
      guard bytes.count == 23 else { return nil }
      func number(_ range: Range<Int>) -> Int64? {
        bytes[range].reduce(0) { sum, byte in
          guard let sum, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
          return sum * 10 + Int64(byte - UInt8(ascii: "0"))
        }
      }
      guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
        let minute = number(14..<16), let second = number(17..<19), let fraction = number(20..<23), 1...12 ~= month
      else { return nil }
      // Days from the civil calendar, by Howard Hinnant's algorithm, with years that begin in March.
      let shifted = year - (month <= 2 ? 1 : 0)
      let era = (shifted >= 0 ? shifted : shifted - 399) / 400
      let ofEra = shifted - era * 400
      let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
      let days = era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468 - 10_957
      return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1_000_000 + fraction * 1_000
    }
  }
#endif

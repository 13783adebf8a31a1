#if Postgres && SQLite && Macros
  import Alter
  import AlterPostgres
  import AlterRows
  import AlterTesting
  import Foundation
  import FuzzTargets
  import GRDB
  import ProcessTesting
  import Testing

  @testable import AlterPostgresRows

  /// A property of each kind that the tests of the stored form make.
  @Wire private struct Every: Identifiable, Hashable, Sendable {
    enum Colour: String, Codable, StoredForm { case red, green }
    @Wire enum Shape: Hashable, Sendable { case dot, line(Int), named(String) }

    let id: String
    var text: String
    var small: Int8
    var large: UInt64
    var most: Int64
    var real: Double
    var half: Float
    var decimal: Decimal
    var flag: Bool
    var missing: Int?
    var colour: Colour
    var shape: Shape
    var list: [String]
    var table: [String: Int]
    var date: Date
    var data: Data
    var uuid: UUID
    var indexed: String
  }

  extension Every {
    fileprivate init(_ id: String, _ random: inout ValueGenerator) {
      self.id = id
      text = random.string()
      (small, large, most, real, half) = (random.integer(), random.integer(), random.integer(), random.double(), random.float())
      (decimal, flag, missing) = (Decimal(random.integer() as Int32) / 100, random.int(below: 2) == 0, random.optional { $0.integer() })
      (colour, shape) = (
        random.int(below: 2) == 0 ? .red : .green, random.int(below: 2) == 0 ? .line(random.integer()) : .named(random.string())
      )
      list = random.array { $0.string() }
      table = Dictionary(random.array { ($0.string(), $0.integer()) }) { $1 }
      (date, data, uuid) = (random.date(), random.data(), random.uuid())
      // Foundation can't describe some dates, and the store describes a value that differs from itself, as one with NaN.
      if !(abs(date.timeIntervalSinceReferenceDate) < 1e12) { date = Date(timeIntervalSinceReferenceDate: 252_455_616_000) }
      if real.isNaN { real = -0.0 }
      if half.isNaN { half = -0.0 }
      indexed = random.string() + (random.int(below: 4) == 0 ? String(repeating: "long ", count: 1_000) : "")
    }
  }

  private struct Everything: Journaled, Hashable {
    enum Change: Hashable, Codable { case set([Every]) }
    var all = IdentityArray<Every>()
    mutating func apply(_ change: Change, at stamp: Stamp) { if case .set(let all) = change { self.all = IdentityArray(all) } }

    @RowTableBuilder<Everything> static func tables() -> [RowTable<Everything>] {
      RowTable("every", each: \.all, index: [["indexed"], ["list", "most"]])
    }
  }

  /// Undoes the writing of U+0000.
  private func original(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var isMarked = false
    for scalar in text.unicodeScalars {
      if isMarked { result.append(scalar == "0" ? "\u{0}" : scalar) } else if scalar != "\u{2400}" { result.append(scalar) }
      isMarked = !isMarked && scalar == "\u{2400}"
    }
    return String(result)
  }

  /// JSON in one form, as text.
  private func canonical(_ json: String, _ text: (String) -> String = { $0 }) throws -> String {
    func canonical(_ value: JSONValue) -> JSONValue {
      switch value {
      case .string(let string): .string(text(string))
      case .array(let values): .array(values.map(canonical))
      case .object(let members): .object(Dictionary(uniqueKeysWithValues: members.map { (text($0), canonical($1)) }))
      default: value
      }
    }
    return String(decoding: canonical(try JSONValue(parsing: Data(json.utf8))).data, as: UTF8.self)
  }

  /// A value as text, whatever database has it.
  private func number(_ text: String) -> String { Double(text).map { "\($0 + 0)" } ?? text }

  @Suite("The form of a row in PostgreSQL", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(10)))
  struct PostgresRowsFormTests {
    private func fixture(version: Int = 1) async throws -> RowsFixture {
      let fixture = try await RowsFixture(setup: false)
      try await fixture.run(PostgresRows<Everything>.setup(schema: fixture.schema, version: version, tables: Everything.tables))
      return fixture
    }

    /// The values of a row in PostgreSQL, as texts.
    private func typed(_ fixture: RowsFixture) async throws -> [[String: String]] {
      let texts = [
        "id": "id", "text": "\"text\"", "small": "small::text", "large": "\"large\"::text", "most": "most::text", "real": "\"real\"::text",
        "half": "half::text", "decimal": "\"decimal\"::text", "flag": "flag::int::text", "missing": "missing::text", "colour": "colour",
        "shape": "shape::text", "list": "list::text", "table": "\"table\"::text",
        "date": "to_char(\"date\" AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS BC')", "data": "encode(\"data\", 'hex')",
        "uuid": "upper(uuid::text)", "indexed": "indexed", "beyond": "beyond::text",
      ].sorted { $0.key < $1.key }
      // As hexadecimal text, because Foundation's JSON loses a U+FEFF.
      let list = texts.map { "coalesce(encode(convert_to(\($0.value), 'UTF8'), 'hex'), '-')" }.joined(separator: ", ")
      let found = try await fixture.run("SELECT concat_ws(' ', \(list)) FROM \"\(fixture.schema)\".every ORDER BY position")
      return try found.split(separator: "\n").map { row in
        var values: [String: String] = [:]
        for (column, hex) in zip(texts, row.split(separator: " ", omittingEmptySubsequences: false)) where hex != "-" {
          let digits = Array(hex.utf8)
          let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
          }
          let text = String(decoding: bytes, as: UTF8.self)
          values[column.key] =
            switch column.key {
            case "text", "colour", "indexed", "id": original(text)
            case "real", "half", "decimal": number(text)
            case "shape", "list", "table": try canonical(text, original)
            // Year 0 is 1 BC.
            case "date": text.hasSuffix(" BC") && text.hasPrefix("0001") ? "0000" + text.dropFirst(4).dropLast(3) : String(text.dropLast(3))
            default: text
            }
        }
        guard let beyond = values.removeValue(forKey: "beyond"), case .object(let members) = try JSONValue(parsing: Data(beyond.utf8))
        else {
          return values
        }
        for (name, value) in members {
          #expect(values[name] == nil || name == "id", "\(name)")
          guard case .string(let text) = value else { continue }
          values[name] = ["shape", "list", "table"].contains(name) ? try canonical(original(text)) : original(text)
        }
        return values
      }
    }

    /// The values of the rows in SQLite, in the same texts.
    private func inSQLite(_ database: Database) throws -> [[String: String]] {
      // As bytes, because GRDB ends a text at U+0000.
      let names = ["id"] + Every.storedFields.map(\.column).filter { $0 != "id" }
      let list = names.map { "CASE typeof(\"\($0)\") WHEN 'text' THEN CAST(\"\($0)\" AS BLOB) ELSE \"\($0)\" END, typeof(\"\($0)\")" }
      return try Row.fetchAll(database, sql: "SELECT \(list.joined(separator: ", ")) FROM every ORDER BY position").map { row in
        var values: [String: String] = [:]
        let found = Array(row.databaseValues)
        for (index, name) in names.enumerated() where !found[2 * index].isNull {
          let text: String =
            switch found[2 * index].storage {
            case .int64(let whole): "\(whole)"
            case .double(let real): "\(real)"
            case .blob(let data) where found[2 * index + 1] == "text".databaseValue: String(decoding: data, as: UTF8.self)
            case .blob(let data): data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            case .string, .null: ""
            }
          values[name] =
            switch name {
            case "real", "half", "decimal": number(text)
            case "list", "table": try canonical(text)
            case "shape": try text.hasPrefix("{") ? canonical(text) : String(decoding: JSONValue.string(text).data, as: UTF8.self)
            default: text
            }
        }
        return values
      }
    }

    @Test("Law 13: the same values are in SQLite, in PostgreSQL and in the state", arguments: Effort.seeds(short: 2, full: 30))
    func same(seed: UInt64) async throws {
      let fixture = try await fixture()
      let store = try await Store.open(Everything(), in: try await fixture.journal())
      let rows = try await PostgresRows(of: store, schema: fixture.schema, version: 1, tables: Everything.tables)
      let queue = try DatabaseQueue()
      let local = try await Rows(of: store, in: queue, version: 1, tables: Everything.tables)
      var random = ValueGenerator(seed: seed)
      for round in 0..<Effort.count(short: 6, full: 20) {
        // Ids that differ only by U+0000, and by its mark; long ones.
        let ids = ["a", "a\u{0}", "a\u{2400}0", "a\u{2400}", String(repeating: "x", count: 10_000), String(repeating: "x", count: 10_001)]
        let all = (ids + (0..<30).map { "\($0)" }).shuffled(using: &random).prefix(20).map { Every($0, &random) }
        try await store.change(.set(all)).durable()
        let found = try await typed(fixture)
        let expected = try await local.read { try inSQLite($0) }
        #expect(found.count == expected.count)
        for (one, other) in zip(found, expected) {
          for name in Set(one.keys).union(other.keys) {
            #expect(one[name].map { Array($0.utf8) } == other[name].map { Array($0.utf8) }, "\(name) in round \(round)")
          }
        }
        try await rows.verify()
        try await local.verify()
      }
      if case .current = rows.status {} else { Issue.record("\(rows.status)") }
      await local.close()
      await rows.close()
      await store.close()
    }

    /// Values that no type makes, but JSON of an app may.
    private struct Wild: Identifiable, Hashable, Codable, Sendable {
      let id: Int
      let json: JSONValue
    }

    private struct Wilds: Journaled, Hashable {
      enum Change: Hashable, Codable { case set([Wild]) }
      var all = IdentityArray<Wild>()
      mutating func apply(_ change: Change, at stamp: Stamp) { if case .set(let all) = change { self.all = IdentityArray(all) } }

      @RowTableBuilder<Wilds> static func tables() -> [RowTable<Wilds>] { RowTable("wild", each: \.all, columns: ["json"]) }
    }

    @Test("JSON with U+0000 is in jsonb: no value keeps an entry from its rows")
    func wild() async throws {
      let fixture = try await RowsFixture(setup: false)
      try await fixture.run(PostgresRows<Wilds>.setup(schema: fixture.schema, version: 1, tables: Wilds.tables))
      let store = try await Store.open(Wilds(), in: try await fixture.journal())
      let rows = try await PostgresRows(of: store, schema: fixture.schema, version: 1, tables: Wilds.tables)
      let texts = [
        #"{"a\u0000b":"\u0000"}"#, #"["\\u0000","\u2400"]"#, "1.5", #""text""#, "true",
        String(repeating: "[", count: 100) + String(repeating: "]", count: 100),
      ]
      let values = try texts.enumerated().map { Wild(id: $0, json: try JSONValue(parsing: Data($1.utf8))) }
      try await store.change(.set(values)).durable()
      if case .current = rows.status {} else { Issue.record("\(rows.status)") }
      let found = try await fixture.run("SELECT coalesce(json::text, beyond::text) FROM \"\(fixture.schema)\".wild ORDER BY id LIMIT 2")
      #expect(found == "{\"a␀0b\": \"␀0\"}\n[\"\\\\u0000\", \"␀␀\"]")
      try await rows.verify()
      await rows.close()
      await store.close()
      // Numbers that no journal has, either.
      for text in ["1e999999", "[1E-999999]", #"{"a":1e99999999999999999999}"#, String(repeating: "9", count: 2_000)] {
        #expect(PostgresText.storable(json: text) == nil)
      }
    }

    @Test("Names with quotes, dollars and spaces are names: nothing in a declaration is run")
    func names() async throws {
      let fixture = try await RowsFixture(setup: false)
      let schema = "x\"; DROP SCHEMA alter; -- $alter$ '"
      @RowTableBuilder<Wilds> func tables() -> [RowTable<Wilds>] {
        RowTable("t\"); DROP TABLE x; -- '$alter$", each: \.all, columns: [StoredField("json", column: "c\" '$1")], index: [["c\" '$1"]])
      }
      try await fixture.run(PostgresRows<Wilds>.setup(schema: schema, name: "n' \" $alter$", version: 1, tables: tables))
      let store = try await Store.open(Wilds(), in: try await fixture.journal())
      let rows = try await PostgresRows(of: store, schema: schema, name: "n' \" $alter$", version: 1, tables: tables)
      try await store.change(.set([Wild(id: 1, json: .string("'); DROP TABLE alter.entry; --"))])).durable()
      try await store.change(.set([Wild(id: 1, json: .null), Wild(id: 2, json: .string("\u{0}"))])).durable()
      if case .current = rows.status {} else { Issue.record("\(rows.status)") }
      try await rows.verify()
      await rows.close()
      await store.close()
    }
  }
#endif

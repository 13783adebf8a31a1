#if SQLite && Macros
  import Alter
  import AlterRows
  import AlterTesting
  import Foundation
  import GRDB
  import RowsModel
  import Testing

  /// A property of each kind.
  @Wire private struct Every: Identifiable, Hashable, Sendable {
    enum Colour: String, Codable, StoredForm { case red, green }
    @Wire enum Shape: Hashable, Sendable { case dot, line(Int) }

    let id: Identifier<Every, String>
    var text: String = "a"
    var empty: String = ""
    var zero: String = "a\u{0}b"
    var escaped: String = "\"\\\n\u{1}é😀"
    var small: Int8 = -8
    var large: UInt64 = UInt64.max
    var most: Int64 = Int64.min
    var whole: Double = 90.0
    var real: Double = 0.1
    var huge: Double = 1e300
    var infinite: Double = Double.infinity
    var decimal: Decimal = Decimal(string: "0.1234567890123456789")!
    var flag: Bool = true
    var missing: Int?
    var colour: Colour = Colour.green
    var shape: Shape = Shape.line(3)
    var list: [Int] = [1, 2]
    var table: [String: Int] = ["b": 1, "a": 2]
    var date: Date = Date(timeIntervalSince1970: 1_764_000_000.1239)
    var early: Date = Date(timeIntervalSince1970: -62_200_000_000)
    var maybe: Date? = Date(timeIntervalSince1970: 0)
    var data: Data = Data([0, 255])
    var noData: Data = Data()
    var uuid: UUID = UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF")!

    init(id: Identifier<Every, String>) { self.id = id }
  }

  private struct Everything: Journaled, Hashable {
    enum Change: Hashable, Codable { case set([Every]) }
    var all = IdentityArray<Every>()
    mutating func apply(_ change: Change, at stamp: Stamp) { if case .set(let all) = change { self.all = IdentityArray(all) } }
  }

  /// A type without the macros, whose id is computed and is an object.
  private struct Plain: Identifiable, Hashable, Codable, Sendable {
    struct ID: Hashable, Codable { let x: Int, y: Int }
    let x: Int
    let y: Int
    let position: String
    var id: ID { ID(x: x, y: y) }
  }

  private struct Plains: Journaled, Hashable {
    enum Change: Hashable, Codable { case set([Plain]) }
    var all = IdentityArray<Plain>()
    mutating func apply(_ change: Change, at stamp: Stamp) { if case .set(let all) = change { self.all = IdentityArray(all) } }
  }

  /// Texts that are equal in Swift, and have other bytes.
  @Wire private struct Name: Identifiable, Hashable, Sendable {
    let id: String
    var count: Int
    init(id: String, count: Int = 0) { (self.id, self.count) = (id, count) }
  }

  private struct Names: Journaled, Hashable {
    enum Change: Hashable, Codable { case set([Name]) }
    var all = IdentityArray<Name>()
    mutating func apply(_ change: Change, at stamp: Stamp) { if case .set(let all) = change { self.all = IdentityArray(all) } }
  }

  @Suite("The form of a row", .timeLimit(.minutes(5)))
  struct RowFormTests {
    @Test("is the stored form, divided at its top level, with a type for each kind")
    func kinds() async throws {
      let store = Store(Everything())
      let queue = try DatabaseQueue()
      let rows = try await Rows(of: store, in: queue, version: 1) { RowTable("every", each: \.all) }
      try store.change(.set([Every(id: "one")]))
      let (types, row) = try await rows.read { database in
        let names = try database.columns(in: "every").map(\.name)
        let list = names.map { "typeof(\"\($0)\") AS \"\($0)\"" }.joined(separator: ", ")
        func values(_ sql: String) throws -> [String: DatabaseValue] {
          let row = try Row.fetchOne(database, sql: sql)!
          return Dictionary(uniqueKeysWithValues: zip(row.columnNames, row.databaseValues))
        }
        return (try values("SELECT \(list) FROM every"), try values("SELECT *, hex(zero) AS hex FROM every"))
      }
      func expect(_ column: String, _ type: String, _ value: (some DatabaseValueConvertible)?, at line: SourceLocation = #_sourceLocation) {
        #expect(types[column] == type.databaseValue, "\(column)", sourceLocation: line)
        #expect(row[column] == value.databaseValue, "\(column)", sourceLocation: line)
      }
      expect("id", "text", "one")
      expect("position", "integer", 1 << 32)
      expect("text", "text", "a")
      expect("empty", "text", "")
      #expect(row["hex"] == "610062".databaseValue)
      expect("escaped", "text", "\"\\\n\u{1}é😀")
      expect("small", "integer", -8)
      expect("large", "text", "18446744073709551615")
      expect("most", "integer", Int64.min)
      expect("whole", "integer", 90)
      expect("real", "real", 0.1)
      expect("huge", "real", 1e300)
      expect("infinite", "text", "Infinity")
      expect("decimal", "text", "0.1234567890123456789")
      expect("flag", "integer", 1)
      expect("missing", "null", Int?.none)
      expect("colour", "text", "green")
      expect("shape", "text", #"{"line":3}"#)
      expect("list", "text", "[1,2]")
      expect("table", "text", #"{"a":2,"b":1}"#)
      expect("date", "text", "2025-11-24 16:00:00.123")
      expect("early", "text", "-000002-12-17T14:13:20Z")
      expect("maybe", "text", "1970-01-01 00:00:00.000")
      expect("data", "blob", Data([0, 255]))
      expect("noData", "blob", Data())
      expect("uuid", "text", "01234567-89AB-CDEF-0123-456789ABCDEF")
      // GRDB reads its own types from them.
      let date = try #require(row["date"].flatMap { Date.fromDatabaseValue($0) })
      #expect(abs(date.timeIntervalSince1970 - 1_764_000_000.1239) < 0.001)
      #expect(row["uuid"].flatMap { UUID.fromDatabaseValue($0) } == Every(id: "").uuid)
      try await rows.verify()
      await rows.close()
    }

    @Test("has the fields and kinds that the macros describe")
    func fields() {
      let kinds = Dictionary(uniqueKeysWithValues: Every.storedFields.map { ($0.name, $0.kind) })
      let expected: [String: StoredField.Kind] = [
        "id": .text, "text": .text, "empty": .text, "zero": .text, "escaped": .text, "small": .integer, "large": .integer,
        "most": .integer, "whole": .real, "real": .real, "huge": .real, "infinite": .real, "decimal": .other, "flag": .boolean,
        "missing": .integer, "colour": .text, "shape": .other, "list": .other, "table": .other, "date": .date, "early": .date,
        "maybe": .date, "data": .data, "noData": .data, "uuid": .uuid,
      ]
      #expect(kinds == expected)
      #expect(Every.Shape.storedFields == [] && [Every].storedFields == [] && Int.storedFields == [])
    }

    @Test("of a type without the macros has the named columns, and the id's stored form")
    func byHand() async throws {
      let store = Store(Plains())
      let rows = try await Rows(of: store, in: try DatabaseQueue(), version: 1) {
        RowTable("plain", each: \.all, columns: ["x", StoredField("position", column: "place"), "absent"], index: [["x", "id"]])
      }
      try store.change(.set([Plain(x: 1, y: 2, position: "p"), Plain(x: 3, y: 4, position: "q")]))
      let seen = try await rows.read {
        try Row.fetchAll($0, sql: "SELECT id, x, place, absent FROM plain ORDER BY position").map { Array($0.databaseValues) }
      }
      let expected: [[DatabaseValue]] = [
        [#"{"x":1,"y":2}"#.databaseValue, 1.databaseValue, "p".databaseValue, .null],
        [#"{"x":3,"y":4}"#.databaseValue, 3.databaseValue, "q".databaseValue, .null],
      ]
      #expect(seen == expected)
      await rows.close()
    }

    @Test("follows an id whose bytes change although it is equal")
    func normalForms() async throws {
      let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
      let store = Store(Names())
      let queue = try DatabaseQueue()
      let rows = try await Rows(of: store, in: queue, version: 1) { RowTable("name", each: \.all, search: ["id"]) }
      try store.change(.set([Name(id: composed)]))
      for (name, count) in [(decomposed, 1), (composed, 2), (decomposed, 2), (decomposed, 3), (composed, 3)] {
        try store.change(.set([Name(id: name, count: count)]))
        let ids = try await rows.read { try String.fetchAll($0, sql: "SELECT id FROM name WHERE count = ?", arguments: [count]) }
        #expect(ids == [composed])
        try await rows.verify()
      }
      try store.change(.set([Name(id: "a\u{0}b"), Name(id: "a\u{0}c"), Name(id: "a")]))
      #expect(try await rows.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM name") } == 3)
      try await rows.verify()
      await rows.close()
    }

    @Test("is refused with a reason if the declaration is impossible")
    func declarations() async throws {
      func error(_ table: RowTable<Plains>) async -> String? {
        do {
          _ = try await Rows(of: Store(Plains()), in: try DatabaseQueue(), version: 1) { table }
          return nil
        } catch { return "\(error)" }
      }
      #expect(await error(RowTable("plain", each: \.all))?.contains("describes no fields") == true)
      #expect(await error(RowTable("plain", each: \.all, columns: [])) == nil)
      #expect(await error(RowTable("plain", columns: ["x", "id"]) { _ in [["a", "b"]] }) == nil)
      #expect(await error(RowTable("plain", columns: ["x", "row"]) { _ in [] })?.contains("two columns are named 'row'") == true)
      #expect(await error(RowTable("plain", each: \.all, columns: ["x"], search: ["position"]))?.contains("no column 'position'") == true)
      #expect(await error(RowTable("plain", columns: []) { _ in [] })?.contains("no columns") == true)
      #expect(await error(RowTable("plain", each: \.all, columns: ["position"]))?.contains("two columns are named 'position'") == true)
      #expect(await error(RowTable("plain", each: \.all, columns: ["x", "X"]))?.contains("two columns are named 'X'") == true)
      #expect(await error(RowTable("plain", each: \.all, columns: ["x"], index: [["y"]]))?.contains("no column 'y'") == true)
      #expect(await error(RowTable("", each: \.all, columns: ["x"]))?.contains("empty or reserved") == true)
      #expect(await error(RowTable("a \"b\" 'c'", each: \.all, columns: ["x \"y\""], search: ["x \"y\""])) == nil)
      let twice = try? await Rows(of: Store(Plains()), in: try DatabaseQueue(), version: 1) {
        RowTable("plain", columns: ["x"]) { _ in [] }
        RowTable("Plain", columns: ["x"]) { _ in [] }
      }
      #expect(twice == nil)
    }
  }
#endif

import Foundation
import GRDB
import ProcessTesting
import Testing
import TodoRows

extension EndToEnd {
  @Suite("A search") struct SearchTests {
    let sandbox: Sandbox
    private var rows: String { sandbox.store + "-rows" }

    init() throws {
      sandbox = try Sandbox()
      try sandbox.todo("import", "-", input: Array("(B) Pay rent @home due:2020-01-02\nx Milk\nCall the landlord\nKäse @shop\n".utf8))
      try sandbox.todo("tag", "2", "home")
    }

    /// The lines of a search, each of which must be a line of `todo list` with the same columns.
    private func search(_ arguments: String..., errors: String = "", sourceLocation: SourceLocation = #_sourceLocation) throws -> [Int] {
      let found = try sandbox.run([sandbox.executable, "search", "--json"] + arguments)
      #expect(found.status == 0 && found.errors == errors, "\(found)", sourceLocation: sourceLocation)
      let list = try sandbox.todo("list", "--json").lines
      return try found.lines.map { line in
        try #require(list.firstIndex(of: line), "\(line) is not in the list", sourceLocation: sourceLocation) + 1
      }
    }

    @Test("finds words by their beginnings, and phrases, in texts and tags; the best match is the first") func words() throws {
      #expect(try search("ren") == [1])
      #expect(try search("kase") == [4] && search("KÄS") == [4])
      #expect(try search("ent") == [])
      #expect(try search("hom", "--sort", "list") == [1, 2])
      #expect(try search("mil", "@home") == [2])
      #expect(try search("the landlord") == [3] && search("landlord the") == [] && search("landlord", "the") == [3])
      #expect(try search("\"pay rent\" hom") == [1] && search("\"pay ren\" hom") == [])
      #expect(try search("home", "--done") == [2])
      try sandbox.todo("add", "Rent, rent and rent")
      #expect(try search("rent") == [5, 1])
      #expect(try search("rent", "--sort", "list") == [1, 5])
      for hostile in ["\"", "a\"", "(", "a* OR b", "text: rent", "'; DROP TABLE item; --", "^rent", "NEAR(a b)", "-rent", "rent\u{1}"] {
        #expect([0, 64].contains(try sandbox.todo("search", "--", hostile).status), "\(hostile)")
      }
      let none = try sandbox.todo("search", "rent", "!")
      #expect(none.status == 64 && none.errors.contains("needs a letter or a digit"), "\(none)")
    }

    @Test("has the numbers of the present list after each change, also of another terminal") func numbers() throws {
      #expect(try search("rent") == [1])
      try sandbox.todo("move", "1", "--last")
      #expect(try search("rent") == [4])
      try sandbox.todo("remove", "2")
      #expect(try search("rent") == [3])
      try sandbox.todo("undo")
      try sandbox.todo("add", "Rent a car")
      #expect(try search("rent", "--sort", "list") == [4, 5])
      #expect(try search("rent", "car") == [5])
    }

    @Test("of an unchanged list reads no entry: the rows answer") func unchanged() throws {
      #expect(try search("rent") == [1])
      var bytes = try sandbox.bytes(of: "list.alter")
      let place = try #require(bytes.firstRange(of: Array("Milk".utf8)))
      bytes[place.lowerBound] ^= 1
      try sandbox.write(bytes, to: "list.alter")
      #expect(try sandbox.todo("list").status == 65)
      #expect(try sandbox.todo("search", "rent").output.hasSuffix("Pay rent @home\n"))
    }

    @Test("keeps its rows with the rights of the list, and writes nothing where there is no list") func rights() throws {
      func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      }
      for rights in [0o600, 0o640] {
        chmod(sandbox.store, mode_t(rights))
        _ = try search("rent")
        #expect(try mode(rows) == rights)
      }
      let other = try Sandbox()
      #expect(try other.todo("search", "rent").output == "Nothing to do.\n")
      #expect(try FileManager.default.contentsOfDirectory(atPath: other.folder) == [])
    }

    @Test("is right, whatever lies in the place of its rows", arguments: ["nothing", "cut", "link", "fifo", "other", "newer"])
    func faults(kind: String) throws {
      #expect(try search("rent") == [1])
      let bytes = try sandbox.bytes(of: "list.alter-rows")
      var errors = ""
      if ["nothing", "link", "fifo"].contains(kind) { try FileManager.default.removeItem(atPath: rows) }
      switch kind {
      case "nothing": break
      case "cut":
        try sandbox.write(bytes.prefix(bytes.count / 2), to: "list.alter-rows")
        errors = "todo: '\(rows)' is damaged and was not used. Delete it: the next search makes it again.\n"
      case "link": #expect(symlink("/dev/null", rows) == 0)
      case "fifo": #expect(mkfifo(rows, 0o600) == 0)
      case "other":
        let other = try Sandbox()
        try other.todo("add", "Rent of another list")
        try other.todo("search", "rent")
        try sandbox.write(other.bytes(of: "list.alter-rows"), to: "list.alter-rows")
      default:
        let queue = try DatabaseQueue(path: rows)
        try queue.write { try $0.execute(sql: "UPDATE alter_rows SET version = 1000; UPDATE item SET text = 'newer'") }
        try queue.close()
      }
      #expect(try search("rent", errors: errors) == [1])
      #expect(try sandbox.todo("add", "Rent a car").status == 0)
      #expect(try search("rent", "--sort", "list", errors: errors) == [1, 5])
    }
  }
}

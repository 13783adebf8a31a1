import Alter
import AlterSQLite
import Foundation
import Testing
import TodoCore

extension EndToEnd {
  @Suite("A store that is damaged, foreign or newer") struct DamageTests {
    let sandbox: Sandbox

    init() throws {
      sandbox = try Sandbox()
      for text in ["First item", "Second item", "Third item"] { try sandbox.todo("add", text) }
    }

    /// Changes the bytes of the store.
    private func alter(_ body: (inout [UInt8]) throws -> Void) throws -> [UInt8] {
      var bytes = try sandbox.bytes(of: "list.alter")
      try body(&bytes)
      try sandbox.write(bytes, to: "list.alter")
      return bytes
    }

    /// Runs each command that reads or writes. Expects the same result from each, and that the store is unchanged.
    private func expectEach(_ status: Int32, _ message: String, leaving bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation)
      throws
    {
      for arguments in [["list"], ["add", "x"], ["done", "1"], ["undo"], ["export"]] {
        let outcome = try sandbox.run([sandbox.executable] + arguments)
        #expect(outcome.status == status, "\(arguments): \(outcome)", sourceLocation: sourceLocation)
        #expect(outcome.errors.hasPrefix("todo: Journal '\(sandbox.store)' "), "\(outcome)", sourceLocation: sourceLocation)
        #expect(outcome.errors.contains(message), "\(arguments): \(outcome)", sourceLocation: sourceLocation)
        #expect(outcome.output == "", "\(arguments)", sourceLocation: sourceLocation)
        #expect(try sandbox.bytes(of: "list.alter") == bytes, "\(arguments)", sourceLocation: sourceLocation)
      }
    }

    @Test("in one row: 65, and the entry is named; everything before it can still be read") func row() throws {
      let bytes = try alter { bytes in
        let place = try #require(bytes.firstRange(of: Array("Second item".utf8)))
        bytes[place.lowerBound] ^= 1
      }
      try expectEach(65, "is damaged at revision 3: its checksum does not match", leaving: bytes)
      let log = try sandbox.todo("log")
      #expect(log.status == 65)
      #expect(log.output.split(separator: "\n").count == 2)
      #expect(log.output.contains("added ‘First item’"))
      #expect(log.errors.contains("is damaged at revision 3"))
      let shown = try sandbox.todo("show", "--at", "2")
      #expect(shown.status == 0, "\(shown)")
      #expect(shown.output.hasSuffix("First item\n"))
      #expect(try sandbox.todo("show", "--at", "3").status == 65)
      #expect(try sandbox.bytes(of: "list.alter") == bytes)
    }

    @Test("because it is something else: 65") func foreign() throws {
      let bytes = Array("Dear diary, …\n".utf8) + [UInt8](repeating: 0, count: 5_000)
      try sandbox.write(bytes, to: "list.alter")
      try expectEach(65, "is a file of another kind: ", leaving: bytes)
      let other = sandbox.folder + "/other"
      try sandbox.write(bytes, to: "other")
      #expect(try sandbox.todo("add", "x", "--store", other).status == 65)
      #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.folder).filter { $0.hasPrefix("other") } == ["other"])
    }

    @Test("because it has a newer file format: 76") func newerFormat() throws {
      // SQLite keeps `user_version` big-endian at offset 60.
      let bytes = try alter { $0.replaceSubrange(60..<64, with: [0, 0, 0, 99]) }
      try expectEach(76, "has file format 99; this version of Alter supports formats up to 1.", leaving: bytes)
    }

    @Test("because a newer version of the app has written it: 76; everything before that can still be read") func newerSchema() async throws
    {
      let journal = try await SQLiteJournal(at: sandbox.store)
      let draft = Entry.Draft(
        kind: .changes, id: EntryID(origin: .random(), sequence: 1), time: 0, schema: 99,
        payload: Data(#"[{"fly":{"to":"the moon"}}]"#.utf8))
      _ = try await journal.append([draft], after: try await journal.head())
      await journal.close()
      let bytes = try sandbox.bytes(of: "list.alter")
      try expectEach(
        76, "was written by a newer version of this app: revision 5 has schema 99, and this version knows schemas up to 1.", leaving: bytes)
      let log = try sandbox.todo("log")
      #expect(log.status == 76)
      #expect(log.output.split(separator: "\n").count == 4)
      #expect(try sandbox.todo("show", "--at", "4").output.hasSuffix("Third item\n"))
    }
  }
}

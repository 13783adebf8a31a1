#if SQLite && canImport(Glibc)
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import Foundation
  import Glibc
  import ProcessTesting
  import StoreTesting
  import Testing

  private enum OtherUser {
    static let user: uid_t = 65_534
    static let isPossible = geteuid() == 0 && (try? Child.run(command([]))) != nil

    /// The command that runs the writer as that user.
    static func command(_ arguments: [String]) throws -> [String] {
      ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups", try Product.path("people-writer")] + arguments
    }
  }

  @Suite(
    "Another user", .timeLimit(.minutes(20)),
    .enabled(if: OtherUser.isPossible, "SKIPPED: only root can be another user, and the built commands must be readable by everybody"))
  struct OtherUserTests {
    private static func owners(_ folder: Folder) -> [String: uid_t] {
      var owners: [String: uid_t] = [:]
      for name in folder.contents {
        var status = stat()
        if lstat(folder.path(name), &status) == 0 { owners[name] = status.st_uid }
      }
      return owners
    }

    @Test("who may only read leaves nothing beside the file, and sees what is written later", arguments: [true, false])
    func reader(closes: Bool) async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        let journal = try await SQLiteJournal(at: path)
        var writer = TestWriter()
        var head = try await journal.append(writer.drafts(3), after: try await journal.head()).head
        await journal.close()
        try #require(chmod(folder.path, 0o1777) == 0 && chmod(path, 0o644) == 0)
        let before = folder.contents

        let reader = try LineProcess(OtherUser.command(["read", path]))
        #expect(await reader.line() == "3")
        #expect(folder.contents == before)
        var open: SQLiteJournal?
        for count in 1...3 {
          var again = open
          if again == nil { again = try await SQLiteJournal(at: path) }
          let journal = try #require(again)
          head = try await journal.append(writer.drafts(count), after: head).head
          if closes { await journal.close() } else { open = journal }
          reader.say("")
          #expect(await reader.line() == "\(head.revision)")
        }
        await open?.close()
        reader.closeInput()
        #expect(await reader.child.ended() == 0)
        #expect(!Self.owners(folder).values.contains(OtherUser.user), "\(Self.owners(folder))")
        let last = try await SQLiteJournal(at: path)
        #expect(try await last.verify() == head)
        await last.close()
        #expect(folder.contents == ["journal.db", "journal.db-bell", "journal.db-lock"])
      }
    }

    @Test("is refused as the writer of another's journal for the journal itself, not for a file beside it", arguments: [true, false])
    func writer(isShared: Bool) async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        let journal = try await SQLiteJournal(at: path)
        var writer = TestWriter()
        let head = try await journal.append(writer.drafts(1), after: try await journal.head()).head
        await journal.close()
        try #require(chmod(folder.path, 0o777) == 0 && chmod(path, isShared ? 0o666 : 0o644) == 0)
        if isShared { try #require(chown(path, 0, OtherUser.user) == 0) }
        let outcome = try ChildProcess.run(OtherUser.command([path, "CH", "1"]), mergesErrors: true)
        #expect(outcome.status != 0 && outcome.output.contains("'\(path)' belongs to another user (0)"), "\(outcome)")
        let last = try await SQLiteJournal(at: path, isReadOnly: true)
        #expect(try await last.verify() == head)
        await last.close()
      }
    }

    @Test("root leaves every file beside another's journal to its owner")
    func root() async throws {
      try await Folder.use { folder in
        let path = folder.path("journal.db")
        try #require(chown(folder.path, OtherUser.user, OtherUser.user) == 0)
        try Child.run(OtherUser.command([path, "CH", "1"]))
        for name in folder.contents where name != "journal.db" { unlink(folder.path(name)) }
        let journal = try await SQLiteJournal(at: path)
        var writer = TestWriter()
        _ = try await journal.append(writer.drafts(1), after: try await journal.head())
        _ = try await journal.lease("one", for: writer.origin, lasting: .seconds(60))
        #expect(folder.contents.count == 6, "\(folder.contents)")
        for (name, owner) in Self.owners(folder) { #expect(owner == OtherUser.user, "\(name)") }
        await journal.close()
        try Child.run(OtherUser.command([path, "CH", "1"]))
      }
    }
  }
#endif

#if Postgres
  import AlterCore
  import AlterJournal
  import AlterTesting
  import ProcessTesting
  import Foundation
  import StoreTesting
  import Testing

  @testable import AlterPostgres

  /// All the ways in which the server can refuse.
  @Suite("A server that refuses", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(20)))
  struct RefusalTests {
    private func code(_ code: JournalError.Code, saying text: String = "") -> @Sendable (any Error) -> Bool {
      { error in
        guard let error = error as? JournalError else { return false }
        return error.code == code && (text.isEmpty || error.description.contains(text))
      }
    }

    @Test("because it only reads is told apart from one that fails, and can be read")
    func readOnly() async throws {
      let server = try TestServer.shared()
      let key = freshKey("readonly")
      let journal = try await PostgresJournal(at: server.address(), key: key)
      var writer = TestWriter()
      let head = try await journal.append(writer.drafts(1), after: try await journal.head()).head
      let other = try await PostgresJournal(at: server.address("options='-c default_transaction_read_only=on'"), key: key)
      let drafts = writer.drafts(1)
      await #expect(performing: { try await other.append(drafts, after: head) }, throws: code(.readOnly, saying: "target_session_attrs"))
      #expect(try await other.verify() == head)
      #expect(try await journal.append(drafts, after: head).first == 2)
      await journal.close()
      await other.close()
    }

    @Test("as a standby follows its primary for readers, and refuses writers")
    func standby() async throws {
      let primary = try TestServer.shared()
      let key = freshKey("standby")
      let journal = try await PostgresJournal(at: primary.address(), key: key)
      let standby = try TestServer(standbyOf: primary)
      let reader = try await PostgresJournal(at: standby.address(), key: key, isReadOnly: true)
      let tail = Task { () -> Entry? in
        for try await entry in reader.tail() where entry.revision == 3 { return entry }
        return nil
      }
      var writer = TestWriter()
      let head = try await journal.append(writer.drafts(3), after: try await journal.head()).head
      #expect(try await tail.value?.checksum == head.checksum)
      let bold = try await PostgresJournal(at: standby.address(), key: key)
      let drafts = writer.drafts(1)
      await #expect(performing: { try await bold.append(drafts, after: head) }, throws: code(.readOnly, saying: "standby"))
      for journal in [journal, reader, bold] { await journal.close() }
    }

    /// Repeats a call as long as a busy machine needs more than the statement's time for it.
    private static func repeating<Value>(_ call: () async throws(JournalError) -> Value) async throws(JournalError) -> Value {
      while true {
        do throws(JournalError) { return try await call() } catch {
          guard error.description.contains("statement_timeout") else { throw error }
        }
      }
    }

    @Test("because it took too long has written nothing, and may be asked again")
    func timeouts() async throws {
      let server = try TestServer.shared()
      let key = freshKey("timeouts")
      let holder = try await PostgresJournal(at: server.address("application_name=holder"), key: key, turnTimeout: .seconds(600))
      let empty = try await holder.head()
      var writer = TestWriter()
      let drafts = writer.drafts(2)
      // Long enough for most statements that need not wait, on a busy machine, too, and shorter than a second: a journal waits for a lock in
      // slices of at most a second, so a longer limit would never be met.
      let address = server.address("options='-c statement_timeout=500'")
      let slow = try await Self.repeating { () async throws(JournalError) in
        try await PostgresJournal(at: address, key: key, lockTimeout: .seconds(600))
      }
      let patient = try await PostgresJournal(at: server.address("application_name=patient"), key: key, lockTimeout: .seconds(2))
      let turn = try await holder.takeTurn()
      await #expect(performing: { try await slow.append(drafts, after: empty) }, throws: code(.unavailable, saying: "statement_timeout"))
      await #expect(performing: { try await patient.append(drafts, after: empty) }, throws: code(.locked))
      await #expect(performing: { _ = try await patient.takeTurn() }, throws: code(.locked))
      turn.end()
      let first = try await Self.repeating { () async throws(JournalError) in try await slow.append(drafts, after: empty).first }
      #expect(first == 1)
      #expect(try await patient.append(drafts, after: empty).first == 1)
      #expect(try await holder.verify().revision == 2)
      for journal in [holder, slow, patient] { await journal.close() }
    }

    @Test("because it has failed over to one that only reads is asked again, unless it only read from the beginning")
    func failover() async throws {
      let server = try TestServer.shared()
      let database = try await server.database()
      let journal = try await PostgresJournal(at: server.address(database: database))
      var writer = TestWriter()
      let empty = try await journal.head()
      let drafts = writer.drafts(1)
      let breakOff = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '\(database)'"
      try await server.sql("ALTER DATABASE \(database) SET default_transaction_read_only = on; \(breakOff)")
      // The first errors may say that the connection was lost.
      var said: [String] = []
      for _ in 0..<20 where said.last?.contains("as after a failover") != true {
        do { _ = try await journal.append(drafts, after: empty) } catch {
          #expect(error.isTransient, "\(error)")
          said.append(error.description)
        }
      }
      #expect(said.last?.contains("as after a failover") == true, "\(said)")
      let late = try await PostgresJournal(at: server.address(database: database))
      await #expect(performing: { try await late.append(drafts, after: empty) }, throws: code(.readOnly, saying: "target_session_attrs"))
      await late.close()
      try await server.sql("ALTER DATABASE \(database) RESET default_transaction_read_only; \(breakOff)")
      var appended: Appended?
      for _ in 0..<20 where appended == nil {
        do { appended = try await journal.append(drafts, after: empty) } catch { #expect(error.isTransient, "\(error)") }
      }
      #expect(appended?.first == 1)
      await journal.close()
    }

    @Test("because it has no connections left is asked again; a few are enough for many")
    func connections() async throws {
      let server = try TestServer.shared()
      let database = try await server.database()
      await (try PostgresJournal(at: server.address(database: database))).close()
      for limit in [1, 3] {
        let role = "\(database)_limit\(limit)"
        try await server.sql(
          """
          CREATE ROLE \(role) LOGIN CONNECTION LIMIT \(limit); GRANT USAGE ON SCHEMA alter TO \(role);
          GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA alter TO \(role)
          """, database: database)
      }
      var writer = TestWriter()
      let drafts = writer.drafts(1)
      let one = try await PostgresJournal(at: server.address(database: database, user: "\(database)_limit1"))
      let empty = try await one.head()
      // The connection that has read the head appends, and reads again.
      let head = try await one.append(drafts, after: empty).head
      #expect(try await one.verify() == head)
      await one.close()

      let address = server.address(database: database, user: "\(database)_limit3")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<20 {
          group.addTask {
            let journal = try await PostgresJournal(at: address, key: "journal \(number)", lockTimeout: .patient)
            var writer = TestWriter()
            for _ in 0..<10 { _ = try await journal.append(writer.drafts(1), after: try await journal.head()) }
            #expect(try await journal.head().revision == 10)
            await journal.close()
          }
        }
        try await group.waitForAll()
      }
    }

    @Test("because its disk is full has written nothing, and takes the same append once there is room")
    func fullDisk() async throws {
      // A separate server, because a standby of the shared one would copy its disk.
      let server = try TestServer()
      guard let disk = try SmallDisk(megabytes: 24, for: server) else {
        return print("SKIPPED: a full disk can be tried only where a file system can be mounted.")
      }
      let database = "full_\(UUID().uuidString.prefix(8).lowercased())"
      let space = "space_\(database)"
      try await server.sql("CREATE TABLESPACE \(space) LOCATION '\(disk.folder)'")
      try await server.sql("CREATE DATABASE \(database) TABLESPACE \(space)")
      let address = server.address(database: database)
      let journal = try await PostgresJournal(at: address)
      var writer = TestWriter()
      var head = try await journal.head()
      var refused: [Entry.Draft]?
      // The text is random, so that it can't be compressed.
      var random = SeededGenerator(seed: 1)
      let noise = String(decoding: (0..<(1 << 20)).map { _ in UInt8.random(in: 97...122, using: &random) }, as: UTF8.self)
      for _ in 0..<60 {
        let drafts = [writer.draft(noise)]
        do { head = try await journal.append(drafts, after: head).head } catch {
          #expect(error.code == .full, "\(error)")
          refused = drafts
          break
        }
      }
      let drafts = try #require(refused, "the disk never got full")
      #expect(try await journal.verify() == head)
      try disk.grow(megabytes: 96)
      #expect(try await journal.append(drafts, after: head).first == head.revision.next)
      await journal.close()
      try await server.sql("DROP DATABASE \(database) WITH (FORCE)")
      try await server.sql("DROP TABLESPACE \(space)")
    }

    @Test("says which durability an append was made with")
    func durability() async throws {
      let server = try TestServer.shared()
      let database = try await server.database()
      for (setting, durability, expected) in [
        ("on", .full, "on"), ("off", .full, "on"), ("remote_apply", .full, "remote_apply"), ("on", .relaxed, "off"), ("local", .full, "on"),
      ] as [(String, Durability, String)] {
        let journal = try await PostgresJournal(
          at: server.address(database: database, "options='-c synchronous_commit=\(setting)'"), key: "\(setting) \(durability)",
          durability: durability)
        try await server.sql(
          """
          CREATE TABLE IF NOT EXISTS public.seen (setting text);
          CREATE OR REPLACE FUNCTION public.see() RETURNS trigger LANGUAGE plpgsql AS
            $$BEGIN INSERT INTO public.seen VALUES (current_setting('synchronous_commit')); RETURN NULL; END$$;
          CREATE OR REPLACE TRIGGER see AFTER INSERT ON alter.entry EXECUTE FUNCTION public.see()
          """, database: database)
        var writer = TestWriter()
        let head = try await journal.append(writer.drafts(1), after: try await journal.head()).head
        _ = try await journal.append(writer.drafts(2), after: head)
        let seen = try await server.sql("SELECT DISTINCT setting FROM public.seen", database: database)
        #expect(seen == expected, "\(setting), \(durability)")
        try await server.sql("TRUNCATE public.seen", database: database)
        await journal.close()
      }
    }

    @Test(
      "Damage is found: a missing row, a row too many, a changed payload",
      arguments: [
        ("DELETE FROM alter.entry WHERE revision = 2", Revision(2)), ("UPDATE alter.journal SET head = 2", 3),
        ("UPDATE alter.entry SET payload = '\\x5b5d' WHERE revision = 3", 3),
        ("UPDATE alter.entry SET kind = 'none' WHERE revision = 2", 2),
        ("UPDATE alter.entry SET revision = revision + 7 WHERE revision = 3", 4),
      ] as [(String, Revision)])
    func damage(_ statement: String, _ revision: Revision) async throws {
      let server = try TestServer.shared()
      let database = try await server.database()
      let journal = try await PostgresJournal(at: server.address(database: database))
      var writer = TestWriter()
      _ = try await journal.append(writer.drafts(3), after: try await journal.head())
      try await server.sql(statement, database: database)
      await #expect(
        performing: { try await journal.verify() },
        throws: { ($0 as? JournalError)?.code == .damaged && ($0 as? JournalError)?.revision == revision })
      await journal.close()
    }
  }

  /// A file system of a few megabytes in memory, which the server fills.
  private final class SmallDisk {
    let folder: String

    /// - Returns: nil if it can't be mounted.
    init?(megabytes: Int, for server: TestServer) throws {
      folder = "/tmp/alter-small-\(UUID().uuidString.prefix(8))"
      guard geteuid() == 0 else { return nil }
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      guard (try? Child.run(["/bin/mount", "-t", "tmpfs", "-o", "size=\(megabytes)m,mode=777", "tmpfs", folder])) != nil else {
        rmdir(folder)
        return nil
      }
      try Child.run(["/bin/chown", "postgres", folder])
    }

    func grow(megabytes: Int) throws { try Child.run(["/bin/mount", "-o", "remount,size=\(megabytes)m", folder]) }

    deinit {
      _ = try? Child.run(["/bin/umount", "-l", folder])
      rmdir(folder)
    }
  }
#endif

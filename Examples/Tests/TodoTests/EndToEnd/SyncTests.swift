import Alter
import AlterSQLite
import Foundation
import ProcessTesting
import Testing
import TodoTesting

extension EndToEnd {
  /// A server and devices as real processes.
  @Suite("Synced lists", .timeLimit(.minutes(60))) struct SyncTests {
    let ann: Sandbox
    let bob: Sandbox
    let server: TodoServerProcess

    init() throws {
      ann = try Sandbox()
      bob = try Sandbox()
      server = try TodoServerProcess()
    }

    @discardableResult
    private func share() throws -> SharedTokens { try server.share(ann, with: bob) }

    /// The mirror of a device, as bytes of an export.
    private func mirror(_ device: Sandbox) async throws -> [UInt8] {
      let journal = try await SQLiteJournal(at: device.store + ".device", key: "ann/todo", isReadOnly: true)
      var lines: [UInt8] = []
      for entry in try await journal.entries(after: .zero, limit: 10_000) {
        lines += Array("\(entry.revision) \(entry.checksum)\n".utf8) + Array(entry.draft.payload)
      }
      await journal.close()
      return lines
    }

    @Test("both devices change the list offline, a removal is refused, the server is killed: equal mirrors, nothing lost")
    func story() async throws {
      for text in ["Pay rent", "Buy bread"] { try ann.todo("add", text) }
      try share()
      #expect(try bob.texts() == ["Pay rent", "Buy bread"])
      server.kill()
      let added = try bob.todo("add", "Call the plumber")
      #expect(added.status == 0 && added.output.hasSuffix("Call the plumber (not yet confirmed)\n"), "\(added)")
      #expect(try bob.todo("remove", "1").output == "Removed 1: Pay rent (not yet confirmed)\n")
      #expect(try bob.todo("done", "1").output == "Done 1: Buy bread (not yet confirmed)\n")
      let marked = try bob.todo("list").lines
      #expect(marked.count == 2 && marked.allSatisfy { $0.hasSuffix("(not yet confirmed)") }, "\(marked)")
      try ann.todo("add", "Water the plants")
      let offline = try ann.todo("sync")
      #expect(offline.status == 75 && offline.errors.contains("offline"), "\(offline)")
      let status = try ann.todo("sync", "--status").output
      #expect(status.contains("1 change not yet confirmed.") && status.contains("was not exchanged with its server: "), "\(status)")

      try server.restart()
      #expect(try ann.synced().status == 0)
      server.kill()
      try server.restart()
      let refused = try bob.synced()
      #expect(refused.status == 1 && refused.errors.contains("refused 1 change"), "\(refused)")
      #expect(try ann.synced().status == 0)
      #expect(try ann.texts() == bob.texts())
      #expect(try ann.texts() == ["Pay rent", "Buy bread", "Water the plants", "Call the plumber"])
      let mirrors = (try await mirror(ann), try await mirror(bob))
      #expect(mirrors.0 == mirrors.1 && !mirrors.0.isEmpty)

      let list = try bob.todo("list")
      #expect(
        list.lines.first?.contains("Pay rent  (a change was refused: Only ann, who owns this list, removes items.") == true, "\(list)")
      #expect(list.errors == "todo: 1 change refused: see 'todo refused'\n")
      #expect(try bob.todo("refused").output.hasPrefix("1  removed ‘Pay rent’: Only ann"))
    }

    @Test("a refused change can be made again, and dismissed; the number must be one of the list") func refused() throws {
      try ann.todo("add", "Pay rent")
      try share()
      try bob.todo("remove", "1")
      #expect(try bob.synced().output.contains("1 change refused"))
      #expect(try bob.todo("refused", "--retry", "2").status == 66)
      #expect(try bob.todo("refused", "--retry").status == 64)
      try bob.todo("refused", "--retry", "1")
      #expect(try bob.synced().output.contains("1 change refused"))
      #expect(try bob.todo("refused").lines.count == 1)
      #expect(try bob.todo("refused", "--dismiss", "--all").output.hasPrefix("Dismissed: removed ‘Pay rent’"))
      #expect(try bob.todo("refused").output == "Nothing was refused.\n")
      #expect(try bob.todo("list").output.hasSuffix("Pay rent\n"))
    }

    @Test("a search shows changes that are not confirmed, in rows that go with the device's copy") func search() throws {
      try ann.todo("add", "Pay rent")
      try ann.todo("search", "rent")
      try share()
      #expect(try bob.todo("search", "ren").output.hasSuffix("Pay rent\n"))
      server.kill()
      try bob.todo("add", "Rent a car")
      #expect(try bob.todo("search", "ren", "car").output.hasSuffix("Rent a car  (not yet confirmed)\n"))
      try bob.todo("remove", "1")
      #expect(try bob.todo("search", "rent").lines.count == 1)
      try server.restart()
      #expect(try bob.synced().status == 1)
      let found = try bob.todo("search", "rent", "--sort", "list").lines
      #expect(found.count == 2 && found[0].contains("a change was refused"), "\(found)")
      #expect(FileManager.default.fileExists(atPath: bob.store + ".device-rows"))
      try bob.todo("refused", "--dismiss", "--all")
      #expect(try bob.todo("sync", "--stop").status == 0)
      #expect(!FileManager.default.fileExists(atPath: bob.store + ".device-rows"))
      #expect(try bob.todo("search", "rent").lines.count == 2)
    }

    @Test("a user undoes the own changes alone, also offline") func undo() throws {
      try share()
      try bob.todo("add", "Bob's item")
      try bob.synced()
      try ann.synced()
      try ann.todo("add", "Ann's item")
      try ann.synced()
      try bob.synced()
      server.kill()
      #expect(try bob.todo("undo").output == "Undid 2: added ‘Bob's item’ (not yet confirmed)\n")
      #expect(try bob.texts() == ["Ann's item"])
      #expect(try bob.todo("redo").status == 0)
      #expect(try bob.todo("undo").status == 0)
      try server.restart()
      #expect(try bob.synced().status == 0)
      #expect(try ann.synced().status == 0)
      #expect(try ann.texts() == ["Ann's item"])
    }

    @Test("the token is in a file for its owner alone, and nowhere else; the lists are private, too") func secrets() throws {
      try ann.todo("add", "Pay rent")
      let token = try server.add("ann")
      let begun = try ann.begin(server.url, token)
      #expect(begun.status == 0)
      try ann.todo("search", "rent")
      let status = try ann.todo("sync", "--status")
      server.kill()
      let offline = try ann.todo("sync")
      for text in [begun.output, begun.errors, status.output, status.errors, offline.output, offline.errors, server.log.joined()] {
        #expect(!text.contains(token))
      }
      for name in try FileManager.default.contentsOfDirectory(atPath: ann.folder) where name.hasPrefix("list.alter") {
        let mode = try FileManager.default.attributesOfItem(atPath: ann.folder + "/" + name)[.posixPermissions] as? Int
        #expect(mode == 0o600, "\(name)")
        let holdsToken = try Data(contentsOf: URL(fileURLWithPath: ann.folder + "/" + name)).range(of: Data(token.utf8)) != nil
        #expect(holdsToken == (name == "list.alter.sync"), "\(name)")
      }
      chmod(ann.store + ".sync", 0o644)
      let readable = try ann.todo("list")
      #expect(readable.status == 77 && readable.errors.contains("others may read the token"), "\(readable)")
    }

    @Test("the server keeps no token, in files for its owner alone") func serverFiles() throws {
      let token = try server.add("ann")
      #expect(try ann.begin(server.url, token).status == 0)
      server.kill()
      let files = FileManager.default.enumerator(atPath: server.folder)
      var count = 0
      while let name = files?.nextObject() as? String {
        let path = server.folder + "/" + name
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? Int ?? 0o777) & 0o077 == 0, "\(name)")
        guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
        count += 1
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(bytes.range(of: Data(token.utf8)) == nil && bytes.range(of: Data(token.dropFirst(4).utf8)) == nil, "\(name)")
      }
      #expect(count >= 3)
    }

    @Test("a revoked token ends the exchange, and another one continues it; the changes wait meanwhile") func revoked() throws {
      try share()
      #expect(try server.admin("revoke", "bob").status == 0)
      try bob.todo("add", "Kept")
      let outcome = try bob.synced()
      #expect(outcome.status == 75 && outcome.output.contains("signed out"), "\(outcome)")
      #expect(try bob.todo("list").output.contains("Kept  (not yet confirmed)"))
      let other = try server.admin("token", "ann").lines[0]
      #expect(try bob.todo("sync", "--token", input: Array(other.utf8)).status == 64)
      let token = try server.admin("token", "bob").lines[0]
      #expect(try bob.todo("sync", "--token", input: Array(token.utf8)).status == 0)
      #expect(try bob.synced().status == 0)
      #expect(try server.admin("unshare", "ann/todo", "bob").status == 0)
      let forbidden = try bob.synced()
      #expect(forbidden.status == 75 && forbidden.output.contains("no access"), "\(forbidden)")
    }

    @Test("a user who may only read changes nothing on the server") func reader() throws {
      try ann.todo("add", "Pay rent")
      #expect(try ann.begin(server.url, try server.add("ann")).status == 0)
      let token = try server.add("bob")
      #expect(try server.admin("share", "ann/todo", "bob").output == "bob may read ann/todo.\n")
      #expect(try bob.begin(server.url, token, "--list", "ann/todo").status == 0)
      #expect(try bob.texts() == ["Pay rent"])
      try bob.todo("done", "1")
      let outcome = try bob.synced()
      #expect(outcome.status == 75 && outcome.output.contains("no access") && outcome.output.contains("1 change not yet"), "\(outcome)")
      #expect(outcome.output.contains("'todo sync --discard' gives the changes up"), "\(outcome)")
      #expect(try ann.synced().status == 0)
      #expect(try ann.todo("list").output.contains("[ ]"))
      // The device goes on when the change is given up.
      #expect(try bob.todo("sync", "--status", "--discard").status == 64)
      let given = try bob.todo("sync", "--discard")
      #expect(given.status == 0 && given.output.hasPrefix("Given up: completed ‘Pay rent’"), "\(given)")
      try ann.todo("add", "Buy bread")
      try ann.synced()
      #expect(try bob.synced().output.contains("All changes of this device are confirmed"))
      #expect(try bob.texts() == ["Pay rent", "Buy bread"])
      #expect(try bob.todo("list").lines.allSatisfy { $0.contains("[ ]") && !$0.contains("confirmed") })
      #expect(try bob.todo("sync", "--discard").output.hasPrefix("The server has decided all changes"))
      // Without any access the copy on the device is the only one, and stays.
      try bob.todo("done", "2")
      #expect(try server.admin("unshare", "ann/todo", "bob").status == 0)
      let kept = try bob.todo("sync", "--discard")
      #expect(kept.status == 77 && kept.errors.contains("Nothing was changed."), "\(kept)")
      #expect(try bob.texts() == ["Pay rent", "Buy bread"])
      #expect(try FileManager.default.contentsOfDirectory(atPath: bob.folder).allSatisfy { !$0.contains("trial") })
    }

    @Test("--discard and --stop take no change away that the server has refused, or that it takes") func nothingLost() throws {
      try ann.todo("add", "Pay rent")
      try share()
      server.kill()
      try bob.todo("done", "1")
      #expect(try bob.todo("sync", "--discard").status == 75)
      try server.restart()
      var taken = try bob.todo("sync", "--discard")
      // On a busy machine an exchange may take longer than its time limit.
      while taken.status == 75 { taken = try bob.todo("sync", "--discard") }
      // The server decides at once, or has decided before the command looks.
      #expect(taken.output.hasPrefix("The server has decided all") || taken.errors.contains("'todo sync' sends them"), "\(taken)")
      #expect(try bob.synced().status == 0)
      try bob.todo("remove", "1")
      try bob.synced()
      for arguments in [["--discard"], ["--stop"]] {
        let outcome = try bob.run([bob.executable, "sync"] + arguments)
        #expect(outcome.status == 1 && outcome.errors.contains("1 change refused"), "\(outcome)")
      }
      #expect(try bob.todo("refused").output.hasPrefix("1  removed ‘Pay rent’"))
    }

    @Test("nothing is changed by a wrong address, a wrong token, a program that is no server, or a list of someone else")
    func wrong() throws {
      try ann.todo("add", "Pay rent")
      let token = try server.add("ann")
      let before = try ann.bytes(of: "list.alter")
      func fails(_ status: Int32, _ text: String, _ url: String, _ token: String, _ more: String...) throws {
        let outcome = try ann.run([ann.executable, "sync", url] + more, input: Array((token + "\n").utf8))
        #expect(outcome.status == status && outcome.errors.contains(text) && !outcome.errors.contains(token), "\(outcome)")
        #expect(!FileManager.default.fileExists(atPath: ann.store + ".sync"))
      }
      try fails(64, "not the address of a server", "ftp://example.org", token)
      try fails(64, "must begin with https:", "http://example.org/sync", token)
      try fails(64, "may have no user, password", "http://ann:secret@127.0.0.1/sync", token)
      try fails(64, "not a token", server.url, "something else")
      try fails(77, "rejected the token", server.url, "ann.0123456789abcdef")
      try fails(77, "does not permit ann", server.url, token, "--list", "bob/todo")
      try fails(65, "Check the address", String(server.url.dropLast(5)), token)
      server.kill()
      try fails(75, "can't reach", server.url, token)
      #expect(try ann.bytes(of: "list.alter") == before)
      #expect(try ann.texts() == ["Pay rent"])
    }

    @Test("--stop keeps the list on the device, with its old history; changes that are not confirmed are not forgotten") func stop() throws
    {
      try ann.todo("add", "Pay rent")
      #expect(try ann.begin(server.url, try server.add("ann")).status == 0)
      try ann.todo("add", "Buy bread", "--tag", "market")
      try ann.synced()
      server.kill()
      try ann.todo("done", "1")
      #expect(try ann.todo("sync", "--stop").status == 1)
      let list = try ann.todo("list").output.replacingOccurrences(of: "  (not yet confirmed)", with: "")
      #expect(try ann.todo("sync", "--stop", "--discard").status == 0)
      #expect(try ann.todo("list").output == list)
      #expect(try ann.todo("log").output.contains("added ‘Pay rent’"))
      let left = try FileManager.default.contentsOfDirectory(atPath: ann.folder).filter { $0.contains(".device") || $0.contains(".sync") }
      #expect(left == [])
      #expect(try ann.todo("sync").status == 66)
    }

    @Test("a command on a list that is not synced loads no network library") func plain() throws {
      try ann.todo("add", "Pay rent")
      let trace = try ann.run(["/usr/bin/env", "LD_DEBUG=libs", ann.executable, "list"])
      #expect(trace.output.hasSuffix("Pay rent\n") && !trace.errors.contains("FoundationNetworking"))
      #if os(Linux)
        #expect(trace.errors.contains("libswiftCore"))
      #endif
    }

    @Test("the administrator sees verdicts, refusals and shares") func status() throws {
      try ann.todo("add", "Pay rent")
      try share()
      try bob.todo("add", "Buy bread")
      try bob.todo("remove", "1")
      try bob.synced()
      let outcome = try server.admin("status", "--user", "bob")
      for text in ["The server is running.", "bob: 1 token", "ann/todo: 1 accepted, 1 refused", "denied", "ann/todo: bob may change it"] {
        #expect(outcome.output.contains(text), "\(text): \(outcome)")
      }
      #expect(!outcome.output.contains("ann: "))
      #expect(try server.admin("status", "--user", "eve").status == 64)
      // A second server of the folder ends.
      let second = try LineProcess(
        [Product.path("todo-server"), "run", "--data", server.folder, "--port", "0"], environment: [:], mergesErrors: true)
      while let line = second.readLine(), !line.hasPrefix("listening on ") {}
      second.child.end()
      #expect(try server.admin("status").output.hasPrefix("The server is running.\n"))
      server.kill()
      #expect(try server.admin("status").output.hasPrefix("The server is not running.\nann: 1 token\n"))
    }

    @Test("watch shows the connection, its end, and the marks of unconfirmed changes") func watch() throws {
      #expect(try ann.begin(server.url, try server.add("ann")).status == 0)
      let watching = try LineProcess([ann.executable, "watch"], environment: ann.environment())
      while let line = watching.readLine(), !line.hasSuffix(": connected") {}
      server.kill()
      while let line = watching.readLine(), !line.contains(": offline") {}
      try ann.todo("add", "Pay rent")
      while let line = watching.readLine(), !line.hasSuffix("Pay rent  (not yet confirmed)") {}
      // This process talks to the server for the others of the device.
      try server.restart()
      while let line = watching.readLine(), !line.hasSuffix(": connected") {}
      while let line = watching.readLine(), !line.hasSuffix("Pay rent") {}
      // Another one begins at once, without a word from the server.
      let second = try LineProcess([ann.executable, "watch"], environment: ann.environment())
      while let line = second.readLine(), !line.hasSuffix(": connecting") {}
      while let line = second.readLine(), !line.contains(": synced by another process") {}
      #expect(second.child.end(SIGTERM) == 143)
      #expect(watching.child.end(SIGTERM) == 143)
    }

    #if os(Linux)
      @Test(
        "the token is read without echo, and is in no argument and no variable of a process",
        .enabled(if: Tmux.isExpected, "SKIPPED: tmux is not installed"))
      func token() throws {
        let carl = try Sandbox()
        let token = try server.add("carl")
        let terminal = try Tmux(
          [carl.executable, "sync", server.url], environment: carl.environment(), columns: 100, rows: 12)
        try terminal.wait("the prompt") { $0[0].hasPrefix("Token:") }
        // By now `todo` has become `todo-sync`.
        let process = try terminal.process()
        try terminal.type(token)
        for name in ["cmdline", "environ"] {
          let bytes = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/\(name)"))
          #expect(!bytes.isEmpty && bytes.range(of: Data(token.utf8)) == nil, "\(name)")
        }
        #expect(!(try terminal.screen().joined().contains(token.suffix(8))))
        try terminal.press("Enter")
        let shown = try terminal.wait("the end") { $0.contains { $0.contains("ended with 0") } }
        #expect(shown.contains { $0.hasPrefix("Synced: carl/todo on ") } && !shown.joined().contains(token.suffix(8)), "\(shown)")
      }
    #endif
  }
}

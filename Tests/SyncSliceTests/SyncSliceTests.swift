#if Inspector
  import Foundation
  import ProcessTesting
  import Testing

  @Suite("The thin slice of sync over HTTP", .timeLimit(.minutes(20)))
  struct SyncSliceTests {
    /// A server, its devices, and the folder of their files. The processes end at the latest with their objects.
    private struct World {
      let folder: URL
      let server: Program
      let address: String

      init() async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("slice-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        server = try Program(["server", folder.path + "/server.json"])
        let line = await server.process.line { $0.hasPrefix("listening on ") }
        address = String(try #require(line).dropFirst("listening on ".count))
      }

      func device(_ name: String, _ options: String...) throws -> Program {
        try Program(["device", "\(folder.path)/\(name)", "--server", address] + options)
      }

      func end(_ devices: Program...) {
        for program in devices + [server] { program.process.child.end() }
        try? FileManager.default.removeItem(at: folder)
      }
    }

    /// A process that obeys lines.
    private struct Program {
      let process: LineProcess

      init(_ arguments: [String]) throws { process = try LineProcess([Product.path("sync-slice")] + arguments) }

      /// Says a line, and waits until each of the expected lines was printed after it, in any order.
      func say(_ line: String? = nil, expecting expected: String..., sourceLocation: SourceLocation = #_sourceLocation) async {
        if let line { process.say(line) }
        var missing = expected
        while !missing.isEmpty {
          guard let line = await process.line() else {
            Issue.record("never printed: \(missing)\n\(process.lines.joined(separator: "\n"))", sourceLocation: sourceLocation)
            return
          }
          if let place = missing.firstIndex(of: line) { missing.remove(at: place) }
        }
      }

      /// The lines that a command prints up to one with a prefix.
      func output(of command: String, upTo prefix: String) async -> [String] {
        process.say(command)
        _ = await process.line { $0 == "> \(command)" }
        var lines: [String] = []
        while let line = await process.line() {
          // Events may be printed meanwhile.
          if line.first?.isNumber == true || line.hasPrefix("  hidden") || line.hasPrefix(prefix) { lines.append(line) }
          if line.hasPrefix(prefix) { break }
        }
        return lines
      }

      func list() async -> [String] { await output(of: "list", upTo: "-- ") }

      func refused() async -> [String] { await output(of: "refused", upTo: "-- ") }
    }

    @Test("first launch offline: the welcome list stands until the first contact, and the changes of the user survive it")
    func firstLaunchOffline() async throws {
      let world = try await World()
      let phone = try world.device("phone", "--offline")
      await phone.say(expecting: "link: offline (network)")
      await phone.say("add Milk", expecting: "badge: 1 unconfirmed, 0 refused")
      await phone.say("done 1", expecting: "badge: 2 unconfirmed, 0 refused")
      #expect(
        await phone.list() == ["1 [x] Welcome: this item explains the app  ~", "2 [ ] Milk  ~", "-- 2 items; offline (network)"])
      // The process is killed, and started again by a user who has signed in meanwhile.
      phone.process.child.end()
      let again = try world.device("phone", "--offline")
      await again.say(expecting: "badge: 2 unconfirmed, 0 refused")
      await again.say("login ann", expecting: "link: offline (network)")
      await again.say(
        "online", expecting: "contacted: the server's list has replaced the first one", "link: live", "badge: 0 unconfirmed, 1 refused")
      #expect(await again.list() == ["1 [ ] Milk", "-- 1 items; live"])
      #expect(await again.refused().last == "-- 1 refused")
      world.end(again)
    }

    @Test("Ann and Bob on one device: nothing of Ann's is sent under Bob's name, and each has an own list on the device")
    func twoPrincipals() async throws {
      let world = try await World()
      let phone = try world.device("phone", "--as", "ann")
      await phone.say(expecting: "link: live")
      await phone.say("offline", expecting: "link: offline (network)")
      await phone.say("add Ann's secret", expecting: "badge: 1 unconfirmed, 0 refused")
      await phone.say("login bob", expecting: "link: locked: this list belongs to another user")
      // The list takes no change of Bob's, shows him nothing, and does not talk to the server.
      let refused = "can't: this list is locked for 'ann'"
      await phone.say("add By Bob", expecting: "> add By Bob", refused)
      await phone.say("list", expecting: "> list", refused)
      await phone.say("online", expecting: "> online")
      await phone.say("status", expecting: "> status", refused)
      await phone.say("logout", expecting: "signed out; the list of 'ann' stays on this device, locked")
      // The link is live a moment before the store shows the server's list.
      await phone.say("login bob", expecting: "link: live", "contacted: the server's list has replaced the first one")
      #expect(await phone.list() == ["-- 0 items; live"])
      await phone.say("add Bread", expecting: "saved 2: added ‘Bread’")
      await phone.say("remove 1", expecting: "refused: removed ‘Bread’: denied (only Ann removes items)")
      #expect(await phone.refused() == ["1  removed ‘Bread’: denied (only Ann removes items)", "-- 1 refused"])
      await phone.say("logout", expecting: "signed out; the list of 'bob' stays on this device, locked")
      await phone.say("login ann", expecting: "link: live", "saved 4: added ‘Ann's secret’")
      #expect(await phone.list() == ["1 [ ] Bread", "2 [ ] Ann's secret", "-- 2 items; live"])
      world.end(phone)
    }

    @Test("an outdated app takes changes, sends them, and keeps them in view; newer changes of others appear with the update")
    func outdatedApp() async throws {
      let world = try await World()
      let (old, new) = (try world.device("old", "--as", "ann"), try world.device("new", "--as", "bob", "--schema", "2"))
      await old.say(expecting: "link: live")
      await old.say("add Milk", expecting: "saved 2: added ‘Milk’")
      await new.say(expecting: "link: live")
      await new.say("add Bread", expecting: "link: held (schema): the server decides later")
      await world.server.say("schema 2", expecting: "schema 2 is enabled")
      await new.say("sync", expecting: "link: live", "saved 3: added ‘Bread’")
      await old.say(expecting: "link: outdated: update the app to see newer changes")
      await old.say("add Eggs")
      await new.say(expecting: "saved 4: added ‘Eggs’")
      #expect(
        await old.list().map { $0.replacingOccurrences(of: "  ~", with: "") } == [
          "1 [ ] Milk", "2 [ ] Eggs", "-- 2 items; outdated: update the app to see newer changes",
        ])
      await old.say("quit", expecting: "ended")
      let updated = try world.device("old", "--as", "ann", "--schema", "2")
      await updated.say(expecting: "link: live")
      #expect(await updated.list() == ["1 [ ] Milk", "2 [ ] Bread", "3 [ ] Eggs", "-- 3 items; live"])
      world.end(old, new, updated)
    }

    @Test("a restored server: devices stop until the operator decides; lost changes are listed and retried, or recovered from a device")
    func restoredServer() async throws {
      let world = try await World()
      let (ann, bob) = (try world.device("ann", "--as", "ann"), try world.device("bob", "--as", "bob"))
      let backup = world.folder.path + "/backup.json"
      await ann.say(expecting: "link: live")
      await bob.say(expecting: "link: live")
      await ann.say("add Milk", expecting: "saved 2: added ‘Milk’")
      await world.server.say("save \(backup)", expecting: "saved")
      await ann.say("add Bread", expecting: "saved 3: added ‘Bread’")
      await bob.say("add Eggs", expecting: "saved 4: added ‘Eggs’")
      await ann.say(expecting: "saved 4: added ‘Eggs’")
      await ann.say("offline", expecting: "link: offline (network)")
      await ann.say("add Tea", expecting: "badge: 1 unconfirmed, 0 refused")
      // The backup is put back. The devices stop, and show all that they know.
      let stopped = "stopped: the server has lost changes that this device knows"
      await world.server.say("restore \(backup)")
      await bob.say(expecting: "link: \(stopped)")
      await ann.say("online", expecting: "link: \(stopped)")
      #expect(await ann.list().last == "-- 4 items; \(stopped)")
      // The operator recovers the changes from Bob's device.
      await world.server.say("recover \(world.folder.path)/bob/bob.jsonl", expecting: "recovered 2 entries: a new generation begins")
      await bob.say("sync", expecting: "link: live")
      await ann.say("sync", expecting: "link: live", "saved 5: added ‘Tea’")
      #expect(await ann.list() == ["1 [ ] Milk", "2 [ ] Bread", "3 [ ] Eggs", "4 [ ] Tea", "-- 4 items; live"])
      // The next time, the operator discards what is lost.
      await world.server.say("restore \(backup)")
      await ann.say(expecting: "link: \(stopped)")
      await world.server.say("discard", expecting: "discarded: a new generation begins")
      await ann.say(
        "sync", expecting: "restarted: the server's list has replaced this one", "link: live", "saved 2: added ‘Milk’",
        "badge: 0 unconfirmed, 2 refused")
      #expect(await ann.refused() == ["1  added ‘Bread’: lost", "2  added ‘Tea’: lost", "-- 2 refused"])
      await ann.say("retry all", expecting: "badge: 2 unconfirmed, 0 refused", "badge: 0 unconfirmed, 0 refused")
      #expect(await ann.list() == ["1 [ ] Milk", "2 [ ] Bread", "3 [ ] Tea", "-- 3 items; live"])
      // The new floor is one start, and the entry of the initial state is no second one.
      let starts = ann.process.lines.filter { $0.hasPrefix("contacted: ") || $0.hasPrefix("restarted: ") }
      #expect(starts == ["contacted: the server's list has replaced the first one", "restarted: the server's list has replaced this one"])
      world.end(ann, bob)
    }
  }
#endif

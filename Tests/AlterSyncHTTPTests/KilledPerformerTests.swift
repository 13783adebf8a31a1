#if SyncServer
  import Foundation
  import ProcessTesting
  import Testing
  import TillModel

  @Suite("A payment on a device and its server", .timeLimit(.minutes(60)))
  struct KilledPerformerTests {
    /// The folder of a server and its devices.
    fileprivate struct Place {
      let folder: Folder

      init() throws {
        folder = try Folder()
        try FileManager.default.createDirectory(atPath: folder.path("tills"), withIntermediateDirectories: false)
      }

      private func start(_ arguments: [String]) throws -> LineProcess {
        try LineProcess([Product.path("sync-fault-peer")] + arguments, mergesErrors: true)
      }

      func server(port: String, dies: String) async throws -> (process: LineProcess, port: String) {
        let server = try start(["till-server", folder.path("tills"), port, folder.path("bank"), dies])
        // It may be killed before: the sweep at its start performs what is open.
        return (server, await server.line() ?? port)
      }

      func device(_ user: String, port: String, _ verb: String) throws -> LineProcess {
        try start(["till", folder.path("\(user).db"), "http://127.0.0.1:\(port)/sync", user, verb])
      }

      var books: Books { Books(folder.path("bank")) }
    }

    @Test(
      "is charged once, and both devices see it, wherever the server is killed: before the charge, after it, and before its answer",
      arguments: ["before", "after", "answer"])
    func server(step: String) async throws {
      for round in 1...Effort.count(short: 1, full: 200) {
        let place = try Place()
        let (first, port) = try await place.server(port: "0", dies: step)
        let ann = try place.device("ann", port: port, "pay")
        #expect(await ann.line() == "asked")
        _ = await first.last()
        #expect(first.child.wait() == 128 + SIGKILL, "round \(round)")
        // It may die more than once, and the device with it.
        if round % 3 == 0 { _ = try await place.server(port: port, dies: step).process.last() }
        // A device that lives looks for its server again after up to 30 seconds.
        let isAnnKilled = round % 20 != 0
        if isAnnKilled { ann.child.end(SIGKILL) }
        let (second, _) = try await place.server(port: port, dies: "never")
        let device = isAnnKilled ? try place.device("ann", port: port, "wait") : ann
        #expect(await device.last() == "paid: 1", "round \(round)")
        let bob = try place.device("bob", port: port, "wait")
        // This device may have nothing yet when it looks.
        #expect(["paid: 0", "paid: 1"].contains(await bob.last()), "round \(round): \(bob.lines)")
        second.child.signal(SIGTERM)
        _ = await second.last()
        #expect(place.books.lines("charged").count == 1 && place.books.keys.count == 1, "round \(round): \(place.books.keys)")
      }
    }
  }

  extension KilledPerformerTests {
    @Test(
      "that its device takes back and makes again is charged once or never, and as the device shows, wherever the server is killed",
      arguments: ["before", "after", "answer"])
    func takenBack(step: String) async throws {
      for round in 1...Effort.count(short: 2, full: 200) {
        let place = try Place()
        var port = "0"
        for verb in ["take-back", "redo"] {
          let first = try await place.server(port: port, dies: step)
          port = first.port
          let ann = try place.device("ann", port: port, verb)
          #expect(await ann.line() == "asked", "round \(round)")
          // If the undo comes before the charge, or there is nothing to redo, the server does not die by itself.
          let done = Task {
            _ = await ann.line()
            first.process.child.end(SIGKILL)
          }
          _ = await first.process.last()
          // The device dies with the server, or lives on.
          let isAnnKilled = round % 2 == 0
          if isAnnKilled { ann.child.end(SIGKILL) }
          let second = try await place.server(port: port, dies: "never").process
          await done.value
          let device = isAnnKilled ? try place.device("ann", port: port, "wait") : ann
          let last = await device.last()
          second.child.signal(SIGTERM)
          _ = await second.last()
          #expect(last == "paid: \(place.books.lines("charged").count)", "round \(round), \(verb)")
          #expect(["paid: 0", "paid: 1"].contains(last) && place.books.keys.count <= 1, "round \(round), \(verb): \(place.books.keys)")
        }
      }
    }
  }

  extension LineProcess {
    /// Waits for the end of the process, and returns its last line.
    fileprivate func last() async -> String? {
      while await line() != nil {}
      return lines.last
    }
  }
#endif

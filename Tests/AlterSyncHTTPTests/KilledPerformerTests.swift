#if SyncServer
  import Foundation
  import ProcessTesting
  import Testing

  @Suite("A payment on a device and its server", .timeLimit(.minutes(60)))
  struct KilledPerformerTests {
    /// The folder of a server and its devices.
    private struct Place {
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

      /// The lines of the bank's books with a word.
      func books(_ word: String) throws -> [String] {
        let text = (try? folder.bytes("bank")).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(separator: "\n").map(String.init).filter { $0.hasPrefix(word) }
      }
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
        #expect(try place.books("charged").count == 1, "round \(round)")
        let keys = Set((try place.books("charged") + place.books("again")).map { $0.split(separator: " ")[1] })
        #expect(keys.count == 1, "round \(round): \(keys)")
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

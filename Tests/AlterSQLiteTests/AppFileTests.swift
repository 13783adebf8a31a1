#if SQLite
  import Alter
  import AlterSQLite
  import Foundation
  import ProcessTesting
  import StoreTesting
  import Testing

  @Suite("The default file of an app")
  struct AppFileTests {

    #if !canImport(Darwin)
      @Test("is among the user's data, where the environment says so")
      func path() throws {
        #expect(try AppFile("Plants", environment: ["XDG_DATA_HOME": "/data", "HOME": "/home/x"]).path() == "/data/Plants/Plants.alter")
        #expect(try AppFile("Plants", environment: ["HOME": "/home/x"]).path() == "/home/x/.local/share/Plants/Plants.alter")
        let relative = ["XDG_DATA_HOME": "data", "HOME": "/"]
        #expect(try AppFile("Plants", environment: relative).path() == "/.local/share/Plants/Plants.alter")
        let error = #expect(throws: JournalError.self) { try AppFile("Plants", environment: ["HOME": "here"]).path() }
        #expect(error?.code == .unreachable)
        #expect(
          error?.description
            == "Journal 'Plants' has no place: neither XDG_DATA_HOME nor HOME is the path of a folder. Set HOME, or name a file.")
      }

      @Test("is kept in folders that only the user can open; existing ones stay as they are")
      func folders() async throws {
        try await Folder.use { folder in
          let environment = ["XDG_DATA_HOME": folder.path("a/b")]
          let path = try AppFile("Plants", environment: environment).made()
          #expect(path == folder.path("a/b/Plants/Plants.alter"))
          for made in ["a", "a/b", "a/b/Plants"] {
            #expect(try FileManager.default.attributesOfItem(atPath: folder.path(made))[.posixPermissions] as? Int == 0o700)
          }
          #expect(try AppFile("Plants", environment: environment).made() == path)
          // A file stands where a folder must be.
          try Data().write(to: URL(filePath: folder.path("file")))
          let error = await #expect(throws: JournalError.self) {
            try await SQLiteJournal(at: AppFile("Plants", environment: ["XDG_DATA_HOME": folder.path("file")]).made())
          }
          #expect(error?.code == .unreachable, "\(String(describing: error))")
        }
      }
    #endif

    #if !canImport(Darwin)
      @Test("is made for a name in any script", arguments: ["Pläne", "日记", "😀", "👩‍👩‍👧 e\u{301}"])
      func scripts(name: String) async throws {
        try await Folder.use { folder in
          let path = try AppFile(name, environment: ["XDG_DATA_HOME": folder.path("share")]).made()
          #expect(path == folder.path("share/\(name)/\(name).alter"))
          let store = try await Store.open(Counter(), in: .file(path))
          await store.close()
          #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("share")).count == 1)
        }
      }
    #endif

    @Test(
      "needs a name that can be a folder's", arguments: ["", ".", "..", ".hidden", ".\u{301}", "a/b", "a/\u{301}b", "a\u{0}b", "a\nb"])
    func names(name: String) {
      let error = #expect(throws: JournalError.self) { try AppFile(name, environment: ["HOME": "/home/x"]).path() }
      #expect(error?.code == .unreachable)
    }

    @Test("a store is opened at a place in one word")
    func place() async throws {
      try await Folder.use { folder in
        let path = folder.path("counter.alter")
        let store = try await Store.open(Counter(), in: .file(path))
        try await store.change(.add(3)).durable()
        await store.close()
        let again: Store<Counter> = try await withCheckedThrowingContinuation { continuation in
          Thread { continuation.resume(with: Result { try Store.openBlocking(Counter(), in: .file(path)) }) }.start()
        }
        #expect(again.state.count == 3)
        // The initial state is the one of this opening, not the journal's.
        try again.reset()
        #expect(again.state == Counter())
        try await again.undo()
        #expect(again.state.count == 3)
        await again.close()
      }
    }
  }
#endif

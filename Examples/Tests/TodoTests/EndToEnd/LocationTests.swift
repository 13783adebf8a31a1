import Foundation
import Testing
import TodoCore

extension EndToEnd {
  @Suite("Where it keeps the list") struct LocationTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func mode(_ path: String) throws -> Int {
      try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test("--store comes before TODO_STORE, that before the user's data directory") func order() throws {
      let data = ["TODO_STORE": "", "XDG_DATA_HOME": sandbox.folder + "/data"]
      try sandbox.todo("add", "Given", "--store", sandbox.folder + "/given", environment: data)
      try sandbox.todo("add", "Variable", environment: ["XDG_DATA_HOME": sandbox.folder + "/data"])
      try sandbox.todo("add", "Data", environment: data)
      #expect(try sandbox.todo("list", "--store", sandbox.folder + "/given").output.hasSuffix("Given\n"))
      #expect(try sandbox.todo("list", "--store", sandbox.store).output.hasSuffix("Variable\n"))
      #expect(try sandbox.todo("list", "--store", sandbox.folder + "/data/todo/todo.alter").output.hasSuffix("Data\n"))
    }

    @Test("is for the user alone") func modes() throws {
      try sandbox.todo("add", "One", environment: ["TODO_STORE": "", "XDG_DATA_HOME": sandbox.folder + "/a/b"])
      for folder in ["/a", "/a/b", "/a/b/todo"] { #expect(try mode(sandbox.folder + folder) == 0o700) }
      #expect(try mode(sandbox.folder + "/a/b/todo/todo.alter") == 0o600)
    }

    @Test("is below the home directory by default, and a relative XDG_DATA_HOME doesn't count") func home() throws {
      for variables in [["TODO_STORE": ""], ["TODO_STORE": "", "XDG_DATA_HOME": "relative"]] {
        #expect(try sandbox.todo("add", "One", environment: variables).status == 0)
      }
      #if os(Linux)
        #expect(try sandbox.todo("list", "--store", sandbox.folder + "/.local/share/todo/todo.alter").output.contains("2  "))
      #else
        #expect(try sandbox.todo("list", "--store", sandbox.folder + "/Library/Application Support/todo/todo.alter").output.contains("2  "))
      #endif
      let nowhere = try sandbox.todo("add", "One", environment: ["TODO_STORE": "", "HOME": ""])
      #expect(nowhere.status == 64)
      #expect(nowhere.errors.contains("neither TODO_STORE nor HOME is set"))
    }
  }
}

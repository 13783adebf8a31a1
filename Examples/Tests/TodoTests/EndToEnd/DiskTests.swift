import Foundation
import ProcessTesting
import Testing
import TodoCore

extension EndToEnd {
  @Suite("A disk that takes nothing", .enabled(if: Mount.isPossible, "SKIPPED: mounting a small disk takes root, on Linux"))
  struct DiskTests {
    let sandbox: Sandbox
    let disk: Mount
    private let writing = [
      ["add", "x"], ["done", "1"], ["reopen", "2"], ["remove", "1"], ["rename", "1", "x"], ["due", "1", "fri"], ["priority", "1", "A"],
      ["tag", "1", "t"], ["untag", "1", "t"], ["clear-completed"], ["note", "x"], ["undo"], ["import", "-"],
    ]
    private var store: String { disk.path + "/list" }

    init() throws {
      sandbox = try Sandbox()
      disk = try Mount(kilobytes: 1_024)
      try run("import", "-", input: Array("One @t\nx Two\n".utf8))
    }

    @discardableResult
    private func run(_ arguments: String..., input: [UInt8] = Array("Three\n".utf8)) throws -> Outcome {
      try run(arguments, input: input)
    }

    private func run(_ arguments: [String], input: [UInt8] = Array("Three\n".utf8)) throws -> Outcome {
      try sandbox.run([sandbox.executable] + arguments, input: input, environment: ["TODO_STORE": store])
    }

    private func bytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: store)) }

    @Test("because it is mounted read-only: changes are 77, what is there can still be read, and is unharmed") func readOnly() throws {
      let before = try bytes()
      let list = try run("list").output
      try disk.remount(readOnly: true)
      for command in writing {
        let outcome = try run(command)
        #expect(outcome.status == 77 && outcome.output == "", "\(command): \(outcome)")
        #expect(
          outcome.errors.hasPrefix("todo: Journal '\(store)' could not ") && outcome.errors.contains("Read-only file system"), "\(outcome)")
      }
      for command in [["list"], ["search", "One"], ["log"], ["show", "--at", "2"], ["notes"], ["export"]] {
        let outcome = try run(command)
        #expect(outcome.status == 0, "\(command): \(outcome)")
      }
      #expect(try run("list").output == list)
      let exported = try run("export", disk.path + "/out.txt")
      #expect(
        exported.status == 77 && exported.errors == "todo: can't write '\(disk.path)/out.txt': Read-only file system\n", "\(exported)")
      #expect(try run("add", "x", "--store", disk.path + "/new").status == 77)
      try disk.remount(readOnly: false)
      #expect(try bytes() == before)
      #expect(try run("add", "Three").status == 0)
    }

    @Test("because it is full: changes are 74, and what is there is unharmed") func full() throws {
      let list = try run("list").output
      let log = try run("log").output
      // A list on another disk, because even reading may need space beside the list.
      let elsewhere = sandbox.folder + "/elsewhere"
      try run("add", "One", "--store", elsewhere)
      let filler = disk.path + "/filler"
      func fill() {
        let descriptor = open(filler, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        let block = [UInt8](repeating: 1, count: 4_096)
        while write(descriptor, block, block.count) > 0 {}
        close(descriptor)
      }
      fill()
      for command in writing {
        let outcome = try run(command)
        #expect(outcome.status == 74 && outcome.output == "", "\(command): \(outcome)")
        #expect(outcome.errors.hasPrefix("todo: Journal '\(store)' could not "), "\(command): \(outcome)")
      }
      #expect(try run("add", "x").errors.contains("disk"))
      let other = try run("add", "x", "--store", disk.path + "/new")
      #expect(other.status == 74 && other.errors.contains("disk is full"), "\(other)")
      // The commands have emptied the lock's file, which frees a block.
      fill()
      let exported = try run("export", disk.path + "/out.txt", "--store", elsewhere)
      #expect(exported.status == 74 && exported.errors.contains("The previous content is unchanged."), "\(exported)")
      #expect(!FileManager.default.fileExists(atPath: disk.path + "/out.txt"))
      unlink(filler)
      #expect(try run("list").output == list)
      #expect(try run("log").output == log)
      #expect(try run("add", "Three").status == 0)
    }
  }
}

import Foundation
import Testing
import TodoCore

extension EndToEnd {
  @Suite("Its errors") struct ErrorTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    @Test("of the command line are 64, and leave no list behind") func usage() throws {
      let cases: [([String], String)] = [
        (["fly"], "Unexpected argument 'fly'"), (["add"], "Missing expected argument '<text> ...'"),
        (["add", "x", "--due", "2026-02-30"], "‘2026-02-30’ is not a day of the calendar"),
        (["add", "x", "--priority", "AA"], "‘AA’ is not a priority; a priority is a letter from A to Z"),
        (["add", "x", "--tag", "two words"], "‘two words’ is not a tag; a tag is a single word"),
        (["add", " "], "can't add  : there is nothing in it"), (["add", "two\nlines"], "can't add two␊lines: an item is a single line"),
        (["add", "x due:2026-02-30"], "can't add x due:2026-02-30: there is no such day as in ‘due:2026-02-30’"),
        (["done"], "Missing expected argument '<item> ...'"), (["show"], "Missing expected argument '--at <at>'"),
        (["show", "--at", "x"], "The value 'x' is invalid for '--at <at>'"),
        (["list", "--store", ""], "--store needs the path of a file"),
      ]
      for (arguments, message) in cases {
        let outcome = try sandbox.run([sandbox.executable] + arguments)
        #expect(outcome.status == 64, "\(arguments): \(outcome)")
        #expect(outcome.errors.hasPrefix("todo: ") && outcome.errors.contains(message), "\(arguments): \(outcome)")
        #expect(outcome.output == "", "\(arguments)")
      }
      #expect(!FileManager.default.fileExists(atPath: sandbox.store))
    }

    @Test("of text in UTF-16 are 65, and name the encoding and the command that converts it", arguments: [true, false])
    func otherEncoding(hasMark: Bool) throws {
      let units = (hasMark ? [0xFEFF] : []) + Array("Pay rent\n".utf16)
      let bytes: [UInt8] = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      for name in ["list.txt", "list.json"] {
        let file = try sandbox.write(bytes, to: name)
        let outcome = try sandbox.todo("import", file)
        let encoding = hasMark ? "UTF-16" : "UTF-16LE"
        #expect(outcome.status == 65 && outcome.errors.contains("iconv -f \(encoding) -t UTF-8 '\(file)' | todo import -"), "\(outcome)")
        let converted = try sandbox.run(
          ["/bin/sh", "-c", "iconv -f \(encoding) -t UTF-8 '\(file)' | \"$0\" import - --format todotxt", sandbox.executable])
        #expect(converted.status == 0, "\(converted)")
      }
      #expect(try sandbox.texts() == ["Pay rent", "Pay rent"])
    }

    @Test("about what isn't there are 66") func missing() throws {
      let early: [([String], String)] = [
        (["done", "1"], "there is no item 1: the list is empty"), (["remove", "1"], "there is no item 1: the list is empty"),
        (["show", "--at", "1"], "there is no revision 1: there is no list yet"),
        (["import", sandbox.folder + "/none"], "can't open '\(sandbox.folder)/none': No such file or directory"),
        (["import", sandbox.folder], "can't read '\(sandbox.folder)': Is a directory"),
      ]
      for (arguments, message) in early {
        let outcome = try sandbox.run([sandbox.executable] + arguments)
        #expect(outcome.status == 66, "\(arguments): \(outcome)")
        #expect(
          outcome.errors == "todo: \(message)\n" || outcome.errors == "todo: \(message) (see 'todo list')\n", "\(arguments): \(outcome)")
      }
      #expect(!FileManager.default.fileExists(atPath: sandbox.store))
      try sandbox.todo("add", "One")
      let late: [([String], String)] = [
        (["done", "2"], "there is no item 2: the list has 1 to 1"), (["done", "0"], "there is no item 0: the list has 1 to 1"),
        (["done", "99999999999999999999"], "there is no item 99999999999999999999: the list has 1 to 1"),
        (["reopen", "zzzz"], "no item's id begins with ‘zzzz’"), (["remove", "abc"], "‘abc’ is too short for an id"),
        (["remove", "1", "2"], "there is no item 2: the list has 1 to 1"), (["remove", ""], "‘’ is too short for an id"),
        (["show", "--at", "3"], "has no revision 3: it has 1 to 2."),
        (["show", "--at", "0"], "there is no revision 0: they are numbered from 1"),
        (["show", "--at=-1"], "there is no revision -1"),
      ]
      for (arguments, message) in late {
        let outcome = try sandbox.run([sandbox.executable] + arguments)
        #expect(outcome.status == 66, "\(arguments): \(outcome)")
        #expect(outcome.errors.contains(message), "\(arguments): \(outcome)")
      }
      #expect(try sandbox.texts() == ["One"])
    }

    @Test("of undo and redo on no list at all are 1, and make none") func nothingToUndo() throws {
      #expect(try sandbox.todo("undo").status == 1)
      #expect(try sandbox.todo("redo").status == 1)
      #expect(try sandbox.todo("list").output == "Nothing to do.\n")
      #expect(try sandbox.todo("log").output == "")
      #expect(try sandbox.todo("export").bytes == [])
      #expect(!FileManager.default.fileExists(atPath: sandbox.store))
    }

    @Test("of a store that can't be made are 73") func cannotCreate() throws {
      let outcome = try sandbox.todo("add", "x", "--store", sandbox.folder + "/no/such/folder/list")
      #expect(outcome.status == 73, "\(outcome)")
      #expect(outcome.errors.hasPrefix("todo: Journal '\(sandbox.folder)/no/such/folder/list' "))
      let file = try sandbox.write([], to: "file")
      #expect(try sandbox.todo("add", "x", environment: ["TODO_STORE": "", "XDG_DATA_HOME": file]).status == 73)
    }

    @Test("of an output that takes nothing are 74; a reader who has gone is none of its business") func output() throws {
      try sandbox.todo("add", "One")
      let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
      if full >= 0 {
        defer { close(full) }
        let outcome = try sandbox.todo("list", output: full)
        #expect(outcome.status == 74)
        #expect(outcome.errors == "todo: can't write to the standard output: No space left on device\n")
      }
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      close(ends[0])
      defer { close(ends[1]) }
      let outcome = try sandbox.todo("done", "1", output: ends[1])
      #expect(outcome.status == 141)
      #expect(outcome.errors == "")
      #expect(try sandbox.todo("list").output.contains("[x]"))
    }
  }
}

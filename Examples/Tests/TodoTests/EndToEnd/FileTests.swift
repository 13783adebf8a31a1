import Foundation
import ProcessTesting
import Testing
import TodoCore

extension EndToEnd {
  @Suite("Its import and export") struct FileTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private let nasty = Array(
      "\u{FEFF}\r\n(A) Pay  rent +flat\r\nx 2026-11-21 2026-11-01 due:2026-12-01 Done\r\n \ne\u{301} \u{0} 👩‍🚒 \rk:v\n\nlast".utf8)

    @Test("give the same file, byte for byte, through files and through pipes") func roundTrip() throws {
      let file = try sandbox.write(nasty, to: "in.txt")
      #expect(try sandbox.todo("import", file).output == "Imported 4 items.\n")
      #expect(try sandbox.todo("export").bytes == nasty)
      #expect(try sandbox.todo("export", sandbox.folder + "/out.txt").output == "")
      #expect(try sandbox.bytes(of: "out.txt") == nasty)
      try sandbox.todo("import", "-", "--store", sandbox.folder + "/other", input: nasty)
      #expect(try sandbox.todo("export", "-", "--store", sandbox.folder + "/other").bytes == nasty)
    }

    @Test("are one change: 10,000 lines are one entry of the log, and one undo takes them back") func large() throws {
      let lines = Array((1...10_000).map { "(B) 2026-11-01 Item \($0) @home due:2026-12-01\n" }.joined().utf8)
      #expect(try sandbox.todo("import", "-", input: lines).output == "Imported 10000 items.\n")
      let log = try sandbox.todo("log").output.split(separator: "\n")
      #expect(log.count == 2)
      #expect(log.last?.hasSuffix("added 10000 items") == true)
      #expect(try sandbox.todo("export").bytes == lines)
      #expect(try sandbox.todo("undo").output == "Undid 2: added 10000 items\n")
      #expect(try sandbox.todo("list").output == "Nothing to do.\n")
    }

    @Test("report the malformed lines with their numbers, and import the rest; strictly, nothing") func malformed() throws {
      let file = try sandbox.write(Array("one\n\n".utf8) + [0xC3, 0x28, 10] + Array("two due:2026-02-30\nthree\n".utf8), to: "bad.txt")
      let problems = "todo: \(file): line 3: not valid UTF-8\ntodo: \(file): line 4: there is no such day as in ‘due:2026-02-30’\n"
      let strict = try sandbox.todo("import", "--strict", file)
      #expect(strict.status == 65)
      #expect(strict.output == "")
      #expect(strict.errors == problems + "todo: 2 lines were malformed, so nothing was imported\n")
      #expect(try sandbox.texts() == [])
      let lenient = try sandbox.todo("import", file)
      #expect(lenient.status == 65)
      #expect(lenient.output == "Imported 2 items.\n")
      #expect(lenient.errors == problems + "todo: 2 lines were left out\n")
      #expect(try sandbox.texts() == ["one", "three"])
    }

    @Test("append a file to the list") func append() throws {
      try sandbox.todo("add", "One")
      try sandbox.todo("import", "-", input: Array("\u{FEFF}Two\r\n".utf8))
      let day = try #require(try sandbox.todo("export").output.split(separator: " ").first)
      #expect(try sandbox.todo("export").bytes == Array("\(day) One\nTwo\r\n".utf8))
    }

    @Test("replace a file as a whole: its mode and the link to it stay, and nothing is left beside it") func replace() throws {
      try sandbox.todo("add", "x One")
      let file = try sandbox.write(Array("old".utf8), to: "real.txt")
      chmod(file, 0o640)
      try FileManager.default.createSymbolicLink(atPath: sandbox.folder + "/link.txt", withDestinationPath: "real.txt")
      #expect(try sandbox.todo("export", sandbox.folder + "/link.txt").status == 0)
      #expect(try sandbox.bytes(of: "real.txt") == sandbox.todo("export").bytes)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: sandbox.folder + "/link.txt") == "real.txt")
      #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o640)
      #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.folder).allSatisfy { !$0.hasSuffix(".tmp") })
    }

    @Test("of a list that isn't there leave the file as it was: 66") func noList() throws {
      let file = try sandbox.write(Array("old".utf8), to: "out.txt")
      let outcome = try sandbox.todo("export", file)
      #expect(outcome.status == 66)
      #expect(outcome.errors == "todo: there is no list '\(sandbox.store)' to export; '\(file)' is unchanged\n")
      #expect(try sandbox.bytes(of: "out.txt") == Array("old".utf8))
    }

    @Test("into a folder that isn't there, or onto one, are 73") func cannotCreate() throws {
      try sandbox.todo("add", "One")
      let missing = try sandbox.todo("export", sandbox.folder + "/no/out.txt")
      #expect(missing.status == 73)
      #expect(missing.errors == "todo: can't write '\(sandbox.folder)/no/out.txt': No such file or directory\n")
      let onto = try sandbox.todo("export", sandbox.folder)
      #expect(onto.status == 73)
      #expect(onto.errors == "todo: can't write '\(sandbox.folder)': Is a directory\n")
    }
  }
}

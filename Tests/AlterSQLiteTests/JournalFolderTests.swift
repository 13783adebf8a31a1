#if SQLite
  import AlterJournal
  import AlterTesting
  import Foundation
  import ProcessTesting
  import Testing

  @testable import AlterSQLite

  @Suite("A folder of journals", .timeLimit(.minutes(20)))
  struct JournalFolderTests {
    private let folder = JournalFolder("/lists")

    @Test(
      "a key is part of the file name, and escaped so that it leads nowhere else",
      arguments: [
        ("groceries", "groceries.alter"), ("lists/42", "lists%2f42.alter"), ("A", "%41.alter"), ("a", "a.alter"), ("", "%.alter"),
        ("%", "%25.alter"),
        ("..", "%2e%2e.alter"), ("../../etc/passwd", "%2e%2e%2f%2e%2e%2fetc%2fpasswd.alter"), ("a.alter-wal", "a%2ealter-wal.alter"),
        ("é", "%c3%a9.alter"), ("e\u{301}", "e%cc%81.alter"), ("\0\n", "%00%0a.alter"), ("a+", "a%2b.alter"),
      ])
    func names(key: String, name: String) {
      #expect(folder.file(of: key) == "/lists/" + name)
      #expect(JournalFolder.key(of: String(name.dropLast(6))) == key)
    }

    @Test(
      "different keys have different names, also where case is ignored; every name has its key", arguments: 1...50 as ClosedRange<UInt64>)
    func reversible(seed: UInt64) {
      var generator = SeededGenerator(seed: seed)
      let letters: [Character] = ["a", "A", "b", "/", ".", "%", "+", "2", "5", "f", "F", "ß", "é", "\u{1F600}", "-", "_", " ", "\0"]
      var names: [String: String] = [:]
      for _ in 0..<20 {
        let key = String((0..<Int.random(in: 0...400, using: &generator)).map { _ in letters.randomElement(using: &generator)! })
        let file = folder.file(of: key)
        #expect(names.updateValue(key, forKey: file.lowercased()).map { $0 == key } ?? true)
        let parts = file.dropFirst("/lists/".count).split(separator: "/", omittingEmptySubsequences: false)
        #expect(parts.allSatisfy { $0.utf8.count <= 186 && $0 != "." && $0 != ".." && !$0.isEmpty })
        #expect(parts.dropLast().allSatisfy { $0.last == "+" })
        let name = parts.dropLast().map { $0.dropLast() }.joined() + parts[parts.count - 1].dropLast(6)
        #expect(JournalFolder.key(of: name) == key)
      }
    }

    @Test("a name that no key has is ignored", arguments: ["", "A", "a.b", "%2", "%2F", "%61", "%ff", "%zz", "a%", "%c3"])
    func strange(name: String) { #expect(JournalFolder.key(of: name) == nil) }

    @Test("one file refuses a key with a zero byte, at which SQLite would end it; a folder accepts the key")
    func zeroByte() async throws {
      try await Folder.use { temporary in
        let file = JournalPlaces.file(temporary.path("all.db"))
        await (try file.open("a")).close()
        await #expect { try await file.open("a\0b") } throws: {
          ($0 as? JournalError)?.code == .unreachable && "\($0)".contains("zero byte")
        }
        let folder = JournalPlaces.folder(temporary.path)
        await (try folder.open("a\0b")).close()
        #expect(try JournalFolder(temporary.path).keys() == ["a\0b"])
      }
    }

    @Test("the keys of a folder are those that were opened, short and long")
    func keys() async throws {
      try await Folder.use { temporary in
        let folder = JournalFolder(temporary.path)
        let places = JournalPlaces.folder(temporary.path)
        let keys = ["", "lists/42", "Lists/42", String(repeating: "long ", count: 40), "日本"]
        for key in keys { await (try places.open(key)).close() }
        try temporary.write(Data(), to: "notes.txt")
        try temporary.write(Data(), to: "Other.alter")
        #expect(try folder.keys() == keys.sorted())
        let again = try await places.open("lists/42")
        #expect(try await again.head().revision == .zero)
        await again.close()
        #expect(try folder.keys().count == keys.count)
        #expect(throws: JournalError.self) { try JournalFolder(temporary.path("missing")).keys() }
        await #expect { try await places.open(String(repeating: "x", count: 501)) } throws: { "\($0)".contains("SQLite allows 500") }
      }
    }

    @Test("an empty path is refused, and does not mean the root folder")
    func emptyPath() {
      let empty = JournalFolder("")
      for use in [{ _ = try empty.made(for: "a") }, { _ = try empty.keys() }] as [() throws -> Void] {
        #expect(
          performing: use,
          throws: { error in
            (error as? JournalError)?.code == .unreachable && "\(error)".contains("the path of the JournalFolder is empty")
          })
      }
    }
  }
#endif

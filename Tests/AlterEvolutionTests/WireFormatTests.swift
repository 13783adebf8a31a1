#if Macros
  import Alter
  import Foundation
  import Testing

  /// Users' journals contain these bytes, so never adapt a test that fails here.
  @Suite("The wire format is what its description says, byte for byte")
  struct WireFormatTests {
    static let moment = Date(microseconds: 1_796_117_400_250_000)
    static let milk = Note(id: 1, text: "Milk")

    static let changes: [Notebook.Change] = [
      .title("Grüße 🎉 \"/\\"),
      .limit(nil),
      .look(.theme("dark")),
      .add(.note(milk)),
      .put(.note(milk)),
      .update(.note(Note(id: 1, text: "Milk", done: true, due: Date(microseconds: 1_796_117_400_000_000), altered: moment))),
      .remove(.note(1)),
      .move(.note(1, to: 0)),
      .replace(.notes([milk])),
      .note(1, .done(true)),
      .note(1, .due(nil)),
      .cleared,
      .scaled(by: 1.5),
      .merged(from: "a", into: "b"),
    ]

    static let values = [
      Notebook(),
      Notebook(notes: [Note(id: 1, text: "Milk", done: true, altered: moment)], look: Look(theme: "dark"), title: "Shop", limit: nil),
    ]

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    private func check<Value: Codable & Equatable>(_ values: [Value], _ file: String) throws {
      let text = try String(contentsOf: Self.root.appendingPathComponent("Fixtures/\(file)"), encoding: .utf8)
      let lines = text.split(separator: "\n").map(String.init)
      #expect(lines.count == values.count)
      for (value, line) in zip(values, lines) {
        #expect(String(decoding: try JournalCoding.encode(value), as: UTF8.self) == line)
        #expect(try JournalCoding.decode(Value.self, from: Data(line.utf8)) == value)
      }
    }

    @Test("for changes")
    func changes() throws { try check(Self.changes, "changes.jsonl") }

    @Test("for values, where what is absent has its default, and null is nil")
    func values() throws {
      try check(Self.values, "values.jsonl")
      #expect(
        try JournalCoding.decode(Notebook.self, from: Data(#"{"notes":[]}"#.utf8)) == Notebook(limit: 7),
        "an optional with a default tells null from absence")
    }

    @Test("and every golden line stands in the description")
    func documented() throws {
      let folder = Self.root.deletingLastPathComponent().deletingLastPathComponent()
      let design = try String(contentsOf: folder.appendingPathComponent("Design/0004-wire-format.md"), encoding: .utf8)
      for file in ["changes.jsonl", "values.jsonl"] {
        let text = try String(contentsOf: Self.root.appendingPathComponent("Fixtures/\(file)"), encoding: .utf8)
        #expect(design.contains(text), "\(file) differs from Design/0004-wire-format.md")
      }
    }
  }
#endif

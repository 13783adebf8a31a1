import Alter
import AlterTesting
import Foundation
import Testing
import TodoCore

@Suite("A todo.txt file that is imported and exported") struct RoundTripTests {
  /// Imports a file in pieces of a given size, and returns the result.
  static func read(_ bytes: [UInt8], into state: AppState = AppState(), strict: Bool = false, piece: Int = .max) throws -> (
    AppState, [Int], Int
  ) {
    var last: ImportUseCase.Response?
    var number = state.items.count
    var useCase = ImportUseCase(
      into: state, strict: strict,
      newID: {
        number += 1
        return id(number)
      }, respond: { last = $0 })
    var rest = bytes[...]
    while !rest.isEmpty {
      useCase.request(.read(Array(rest.prefix(piece))))
      rest = rest.dropFirst(piece)
    }
    useCase.request(.finish)
    switch last {
    case .imported(let changes, let items, let skipped):
      let imported = try state.alter(changes)
      #expect(imported.items.count == state.items.count + items)
      return (imported, skipped.map(\.line), changes.count)
    case .refused(let problems): return (state, problems.map(\.line), 0)
    case .progress, nil: throw Refusal.custom("The import ended without an answer.")
    }
  }

  private static let nasty = [
    "", "\n", "\r\n", " ", "\n\n\n", "a", "a\n", "a\r\n", "a\r", "a\r\r\n", "\ra\n", "a\n\n", "a\n \n\t\n", "\n\na\n\nb\n\n", "a\r\nb\nc",
    "a\n   ",
    "\u{FEFF}a\n", "\u{FEFF}", "\u{FEFF}\n", "\u{FEFF}\r\nx a", "a\n\u{FEFF}b\n", "a\u{0}b\n\u{0}\n",
    "(A) a\nx b\nx (B) 2026-11-21 2026-11-01 c @d +e f:g due:2026-12-01\n",
    "due:2026-12-01 a\n", "a  due:2026-12-01  b\n", "due:2026-12-01 due:2026-12-02\n", "  x a\n", "x \n", "(A) \n", "x (A) 2026-11-21 \n",
    "x  a \n",
    "e\u{301}\n\u{E9}\n", "👩‍👩‍👧‍👦 🇩🇪\n", "\u{85}\u{2028}\u{2029}\u{A0}\n", "\u{1B}[31mred\u{1B}[0m\n", "\u{FFFD}\n", "x 2026-02-30 a\n",
    "a\\nb \"q\" /\n",
  ]

  @Test("is the same file, byte for byte", arguments: nasty.indices, [Int.max, 1])
  func sameBytes(index: Int, piece: Int) throws {
    let bytes = Array(Self.nasty[index].utf8)
    let (state, problems, _) = try Self.read(bytes, piece: piece)
    #expect(problems.isEmpty)
    #expect(TodoTxtWriter.bytes(of: state) == bytes)
    // The state also survives the journal's encoding.
    let stored = try JournalCoding.decode(AppState.self, from: try JournalCoding.encode(state))
    #expect(TodoTxtWriter.bytes(of: stored) == bytes)
  }

  @Test("is the same file, whatever is in it", arguments: [1, 2, 3]) func random(start: UInt64) throws {
    for seed in start * 1_000..<start * 1_000 + 200 { try Self.random(seed: seed) }
  }

  private static func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let words = [
      "x", "(A)", "(z)", "2026-11-01", "2026-02-30", "due:2026-12-01", "due:x", "+p", "@c", "@", "k:v", "é", "e\u{301}", "👩‍🚒", "\u{0}",
      "\u{FEFF}", "\r",
      "", " ", "\t", "\u{2028}",
    ]
    var text = ""
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        text += (words.randomElement(using: &random) ?? "") + (Int.random(in: 0...4, using: &random) == 0 ? "" : " ")
      }
      text += Int.random(in: 0...3, using: &random) == 0 ? "\r\n" : "\n"
    }
    if Bool.random(using: &random) { text += "last" }
    let bytes = Array(text.utf8)
    let (state, problems, _) = try Self.read(bytes, piece: Int.random(in: 1...40, using: &random))
    #expect(problems.isEmpty, "seed \(seed)")
    #expect(TodoTxtWriter.bytes(of: state) == bytes, "seed \(seed)")
  }

  @Test("has other bytes only in the lines that were altered") func altered() throws {
    let (state, _, _) = try Self.read(Array("\u{FEFF}\r\na  b\r\n\r\ndue:2026-12-01  c\r\n\r\n".utf8))
    let text = { (state: AppState) in String(decoding: TodoTxtWriter.bytes(of: state), as: UTF8.self) }
    let altered = try state.alter(.item(id(2), .completed(true)))
    #expect(text(altered).utf8.elementsEqual("\u{FEFF}\r\na  b\r\n\r\nx  c due:2026-12-01\r\n\r\n".utf8))
    #expect(text(try altered.alter(.item(id(2), .completed(false)))).utf8.elementsEqual(text(state).utf8))
    #expect(text(try state.alter(.remove(.item(id(1))))).utf8.elementsEqual("\r\ndue:2026-12-01  c\r\n\r\n".utf8))
  }

  @Test("names the tags that an item belongs to besides those in its text") func tags() throws {
    let state = try list("Paint +garage due:2026-12-01", "Call").alter(
      .tag("@home", .add(id(1))), .tag("+garage", .add(id(1))), .tag("@phone", .add(id(2))))
    #expect(String(decoding: TodoTxtWriter.bytes(of: state), as: UTF8.self) == "Paint +garage @home due:2026-12-01\nCall @phone\n")
  }

  @Test("is appended to a list as if the files had been joined, with the newline that was missing") func joined() throws {
    let (first, _, _) = try Self.read(Array("\u{FEFF}a\n \nb".utf8))
    let (both, _, _) = try Self.read(Array("\u{FEFF}\nc\r\n\n".utf8), into: first)
    #expect(TodoTxtWriter.bytes(of: both) == Array("\u{FEFF}a\n \nb\n\nc\r\n\n".utf8))
    let (blank, _, _) = try Self.read(Array("\n  ".utf8), into: both)
    #expect(TodoTxtWriter.bytes(of: blank) == Array("\u{FEFF}a\n \nb\n\nc\r\n\n\n  ".utf8))
    let (last, _, _) = try Self.read(Array("d".utf8), into: blank)
    #expect(TodoTxtWriter.bytes(of: last) == Array("\u{FEFF}a\n \nb\n\nc\r\n\n\n  \nd".utf8))
  }
}

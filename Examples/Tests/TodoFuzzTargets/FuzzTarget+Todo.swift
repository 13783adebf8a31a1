import Alter
public import FuzzTargets
import TodoCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension FuzzTarget {
  /// The parsers of `todo`.
  public static let todo: [FuzzTarget] = [todoChanges, todoStoredForm, todoTxt, oldState, words]

  /// Changes in the stored form of `todo`.
  static let changesOfTodo = [
    #"[{"add":{"item":{"id":"00000000-0000-4000-8000-000000000001","text":"Milk"}}}]"#,
    #"[{"item":{"id":"00000000-0000-4000-8000-000000000001","change":{"completed":true}}},{"tag":{"id":"@a","change":{"add":"00000000-0000-4000-8000-000000000001"}}}]"#,
    #"[{"remove":{"item":"00000000-0000-4000-8000-000000000001"}},{"trailer":"\n"},{"item":{"id":"x","change":{"due":null}}}]"#,
    #"[{"replace":{"entries":[],"items":[],"tags":[],"trailer":""}},{"move":{"item":{"id":"00000000-0000-4000-8000-000000000001","to":-1}}},{"unknown":true}]"#,
    #"{"targets":[{"origin":"00000000-0000-4000-8000-000000000002","sequence":2}]}"#, "[]",
    #"[{"add":{"item":{"id":"00000000-0000-4000-8000-000000000001","text":"Milk"}}},{"move":{"id":"00000000-0000-4000-8000-000000000001","to":-1}}]"#,
  ]

  /// Parses the compact form of changes.
  static let todoChanges = FuzzTarget("todo changes", changesOfTodo + nastyJSON) { bytes in
    guard let changes = try? JournalCoding.decode([AppState.Change].self, from: Data(bytes)) else { return }
    let written = try JournalCoding.encode(changes)
    guard try JournalCoding.decode([AppState.Change].self, from: written) == changes else {
      throw Surprise("read again they are other changes: \(String(decoding: written, as: UTF8.self))")
    }
    var state = AppState()
    for change in changes { try? state.apply(change, at: .none) }
    guard try JournalCoding.decode(AppState.self, from: JournalCoding.encode(state)) == state else {
      throw Surprise("read again the state is another: \(state)")
    }
  }

  /// Lists and changes as they are stored, with sorted keys. The first byte of an input selects the type.
  private static let storedTodo = [
    #"l{"cloud":{"saved":{"items":3,"to":"https://example.org/"}},"entries":[{"id":"00000000-0000-4000-8000-000000000001","text":"n","written":"2026-12-01T09:30:00.25Z"}],"items":[{"altered":"2026-12-01T09:30:00Z","completed":true,"created":"2026-11-01","due":"2026-12-01","finished":"2026-11-21","id":"00000000-0000-4000-8000-000000000002","priority":"B","source":{"before":"\n","ending":"\r\n","line":"x (B) …"},"text":"Pay @home"}],"tags":[{"id":"@home","items":["00000000-0000-4000-8000-000000000002"]}],"trailer":"\n"}"#,
    #"l{"entries":[],"items":[],"tags":[],"trailer":""}"#,
    #"c[{"add":{"item":{"completed":false,"id":"00000000-0000-4000-8000-000000000001","text":"Milk"}}},{"item":{"change":{"due":"2026-12-01"},"id":"00000000-0000-4000-8000-000000000001"}}]"#,
    #"c[{"item":{"change":{"priority":null},"id":"00000000-0000-4000-8000-000000000001"}},{"tag":{"change":{"add":"00000000-0000-4000-8000-000000000001"},"id":"@home"}}]"#,
    #"c[{"move":{"id":"00000000-0000-4000-8000-000000000001","to":2}},{"cloud":{"save":"x"}},{"cloud":{"saved":2}},{"cloud":{"failed":"no"}},{"trailer":"\r\n"}]"#,
    #"c[{"replace":{"entries":[],"items":[],"tags":[{"id":"@a","items":[]}],"trailer":""}},{"remove":{"tag":"@a"}},{"entry":{"change":{"text":"x"},"id":"00000000-0000-4000-8000-000000000001"}}]"#,
  ]

  /// The generated stored form of the whole list and of its changes, against Foundation's coders.
  static let todoStoredForm = FuzzTarget("todo stored form", storedTodo + nastyJSON.map { "l" + $0 } + nastyJSON.map { "c" + $0 }) {
    bytes in
    let json = Data(bytes.dropFirst())
    if bytes.first.map({ $0 % 2 }) == 0 {
      try compareStoredForms(of: AppState.self, json)
    } else {
      try compareStoredForms(of: [AppState.Change].self, json)
    }
  }

  /// Parses a todo.txt file.
  static let todoTxt = FuzzTarget(
    "todo.txt",
    [
      "(A) a\nx b\nx (B) 2026-11-21 2026-11-01 c @d +e f:g due:2026-12-01\n", "\u{FEFF}a\r\n\r\n \t\nb", "a\r\r\n\ra\n\u{0}\n",
      "due:2026-12-01 due:2026-12-02\n", "x 2026-02-30 a\n", "e\u{301}\n\u{E9}\n👩‍👩‍👧‍👦\n\u{85}\u{2028}", "  x a\n(A) \nx  a \n",
      String(repeating: "a", count: 50_000), String(repeating: "@a ", count: 10_000), String(repeating: "\n", count: 20_000),
    ]
  ) { bytes in
    let whole = imported(bytes, piece: .max)
    let inPieces = imported(bytes, piece: 7)
    guard whole.state == inPieces.state, whole.problems == inPieces.problems else { throw Surprise("read in pieces it is another list") }
    // A file without malformed lines must be reproduced byte for byte.
    guard whole.problems > 0 || TodoTxtWriter.bytes(of: whole.state) == bytes else { throw Surprise("written again it is another file") }
    guard try JournalCoding.decode(AppState.self, from: JournalCoding.encode(whole.state)) == whole.state else {
      throw Surprise("journaled it is another list")
    }
  }

  private static func imported(_ bytes: [UInt8], piece: Int) -> (state: AppState, problems: Int) {
    var response: ImportUseCase.Response?
    var number: UInt64 = 0
    var useCase = ImportUseCase(
      into: AppState(), strict: false,
      newID: {
        number += 1
        let low = withUnsafeBytes(of: number.bigEndian) { Array($0) }
        return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, low[0], low[1], low[2], low[3], low[4], low[5], low[6], low[7]))
      }, respond: { response = $0 })
    var rest = bytes[...]
    while !rest.isEmpty {
      useCase.request(.read(Array(rest.prefix(piece))))
      rest = rest.dropFirst(piece)
    }
    useCase.request(.finish)
    guard case .imported(let changes, _, let skipped) = response else { return (AppState(), 1) }
    var state = AppState()
    for change in changes { try? state.apply(change, at: .none) }
    return (state, skipped.count)
  }

  /// Parses the JSON file of the old app.
  static let oldState = FuzzTarget(
    "old state",
    [
      #"{"items":[{"id":"00000000-0000-4000-8000-000000000001","text":"Milk","completed":false,"due":"2026-12-01"}],"tags":[]}"#,
      #"[{"id":"00000000-0000-4000-8000-000000000001","text":"Milk","completed":true}]"#, #"{"items":[{"text":"a","altered":1e999}]}"#,
    ] + nastyJSON
  ) { bytes in
    _ = OldState.mayBegin(with: bytes)
    guard let old = try? OldState(json: Data(bytes)) else { return }
    let changes = old.changes(into: AppState(), newID: { UUID() }).changes
    var state = AppState()
    for change in changes { try? state.apply(change, at: .none) }
    _ = TodoTxtWriter.bytes(of: state)
  }

  /// Parses words of a command line: days, tags and priorities.
  static let words = FuzzTarget(
    "words",
    [
      "2026-11-21", "today", "tomorrow", "fri", "+3d", "+99999999999999999999w", "in 3 days", "next month", "@home", "+flat",
      "\u{1B}[A\u{1B}[3~",
      "\u{1B}", "\u{7F}\u{8}\r", "é\u{301}", "-1m", "0000-00-00", "9999-12-31", "+2147483648y",
    ]
  ) { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    guard let today = Day(year: 2026, month: 11, day: 21), let last = Day(year: 9_999, month: 12, day: 31) else { return }
    _ = try? RelativeDay.day(text, today: today)
    _ = try? RelativeDay.day(text, today: last)
    if let day = Day(text), Day(day.description) != day { throw Surprise("\(day)") }
    _ = Tag.name(of: text)
    _ = try? TodoLine(parsing: bytes[...]).rendered
  }
}

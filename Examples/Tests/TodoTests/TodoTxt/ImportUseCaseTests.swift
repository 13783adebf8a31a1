import Alter
import Foundation
import Testing
import TodoCore

@Suite("The import") struct ImportUseCaseTests {
  @Test("answers each piece with its progress, and the end with one list of changes") func answers() throws {
    var answers: [String] = []
    var changes: [AppState.Change] = []
    var useCase = ImportUseCase(into: AppState(), newID: { id(1) }) { response in
      switch response {
      case .progress(let lines): answers.append("\(lines)")
      case .imported(let list, let items, let skipped):
        answers.append("imported \(items), skipped \(skipped)")
        changes = list
      case .refused: answers.append("refused")
      }
    }
    useCase.request(.read(Array("one\n\ntw".utf8)))
    useCase.request(.read(Array("o due:2026-02-30\nthr".utf8)))
    useCase.request(.read(Array("ee\n\n".utf8)))
    #expect(changes.isEmpty)
    useCase.request(.finish)
    #expect(answers == ["2", "3", "5", "imported 2, skipped [line 3: there is no such day as in ‘due:2026-02-30’]"])
    #expect(changes.count == 3)
    #expect(changes.last == .trailer("\n"))
  }

  @Test("imports what it can, and names the lines that it can't") func lenient() throws {
    let bytes = Array("one\n".utf8) + [0xFF, 10] + Array("\ntwo due:2026-02-30\nthree\n".utf8)
    let (state, problems, _) = try RoundTripTests.read(bytes)
    #expect(state.items.map(\.text) == ["one", "three"])
    #expect(problems == [2, 4])
    #expect(TodoTxtWriter.bytes(of: state) == Array("one\n\nthree\n".utf8))
  }

  @Test("imports nothing of a malformed file when it is strict, and all of a good one") func strict() throws {
    let (none, problems, changes) = try RoundTripTests.read(Array("one\ntwo due:2026-02-30\n".utf8), strict: true)
    #expect(none == AppState())
    #expect(problems == [2])
    #expect(changes == 0)
    #expect(try RoundTripTests.read(Array("one\n".utf8), strict: true).0.items.count == 1)
  }

  @Test("takes a file of 10,000 lines, one line of a megabyte, and pieces of any size") func large() throws {
    let lines = (1...10_000).map { "(B) 2026-11-01 Item \($0) @home due:2026-12-01" }.joined(separator: "\n") + "\n"
    let (state, problems, changes) = try RoundTripTests.read(Array(lines.utf8), piece: 65_536)
    #expect(state.items.count == 10_000)
    #expect(problems.isEmpty)
    #expect(changes == 10_000)
    #expect(state.items.allSatisfy { $0.source == nil })
    #expect(TodoTxtWriter.bytes(of: state) == Array(lines.utf8))
    let long = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    #expect(TodoTxtWriter.bytes(of: try RoundTripTests.read(long, piece: 10_000).0) == long)
  }
}

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
}

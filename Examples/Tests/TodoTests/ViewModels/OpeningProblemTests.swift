import Alter
import Testing
import TodoViewModels

@Suite("The screen of a list that can't be opened") struct OpeningProblemTests {
  private func problem(_ code: JournalError.Code) -> OpeningProblem {
    OpeningProblem(JournalError(code, journal: "todo", message: "has a problem."))
  }

  @Test("offers another attempt only if that may succeed", arguments: JournalError.Code.allCases) func retry(_ code: JournalError.Code) {
    let isFinal: Set<JournalError.Code> = [
      .newerSchema, .newerFormat, .undecodable, .damaged, .notAJournal, .originCollision, .diverged, .refusedAtReplay,
    ]
    #expect(problem(code).canRetry != isFinal.contains(code))
    #expect(!problem(code).advice.isEmpty)
  }

  @Test("says what to do, and has the reason") func advice() {
    #expect(problem(.newerSchema).advice == "A newer version of this app has saved the list. Update this app.")
    #expect(problem(.locked).advice.hasPrefix("Another app"))
    #expect(problem(.damaged).advice.contains("backup"))
    #expect(problem(.locked).reason.contains("has a problem."))
    struct Other: Error {}
    #expect(OpeningProblem(Other()).canRetry)
  }
}

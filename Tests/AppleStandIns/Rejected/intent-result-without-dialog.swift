// Rejected: requires the types 'Never' and 'IntentDialog' be equivalent
import AppIntents

private struct Add: AppIntent {
  static let title: LocalizedStringResource = "Add"
  #if REJECTED
    func perform() async throws -> some IntentResult & ProvidesDialog { .result() }
  #else
    func perform() async throws -> some IntentResult & ProvidesDialog { .result(dialog: "Added") }
  #endif
}

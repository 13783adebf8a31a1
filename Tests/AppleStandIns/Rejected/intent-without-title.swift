// Rejected: does not conform to protocol 'AppIntent'
import AppIntents

private struct Add: AppIntent {
  #if !REJECTED
    static let title: LocalizedStringResource = "Add"
  #endif
  func perform() async throws -> some IntentResult { .result() }
}

// Rejected: does not conform to protocol 'AppIntent'
import AppIntents

private struct Add: AppIntent {
  static let title: LocalizedStringResource = "Add"
  #if !REJECTED
    func perform() async throws -> some IntentResult { .result() }
  #endif
}

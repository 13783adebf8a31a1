// Rejected: does not conform to protocol '_IntentValue'|conform to '_IntentValue'
import AppIntents

private struct Amount: Sendable { let units: Int }

private struct Add: AppIntent {
  static let title: LocalizedStringResource = "Add"
  #if REJECTED
    @Parameter(title: "Amount") var amount: Amount
  #else
    @Parameter(title: "Amount") var amount: Int
  #endif
  func perform() async throws -> some IntentResult { .result() }
}

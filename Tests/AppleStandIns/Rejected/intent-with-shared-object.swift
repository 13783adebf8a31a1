// Rejected: non-Sendable type 'Log'|non-sendable type 'Log'
import AppIntents

private final class Log { var lines: [String] = [] }

private struct Add: AppIntent {
  static let title: LocalizedStringResource = "Add"
  #if REJECTED
    let log = Log()
  #endif
  func perform() async throws -> some IntentResult { .result() }
}

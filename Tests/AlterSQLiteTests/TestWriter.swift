import AlterCore
import AlterJournal
import Foundation

extension Duration {
  /// A timeout that even a busy machine doesn't reach. The awaited event must happen, but without a time limit.
  static let patient = Duration.seconds(200)
}

/// Makes drafts of one origin, numbered 1, 2, 3 …
struct TestWriter {
  let origin = Origin.random()
  private var sequence: Int64 = 0

  mutating func draft(_ payload: String = #"["x"]"#) -> Entry.Draft {
    sequence += 1
    return Entry.Draft(kind: .changes, id: EntryID(origin: origin, sequence: sequence), time: sequence, payload: Data(payload.utf8))
  }

  mutating func drafts(_ count: Int) -> [Entry.Draft] {
    var drafts: [Entry.Draft] = []
    for number in 0..<count { drafts.append(draft("[\(number)]")) }
    return drafts
  }
}

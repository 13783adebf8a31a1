package import AlterCore
package import AlterJournal
import Foundation

/// Makes drafts of one origin, numbered 1, 2, 3 …
package struct TestWriter: Sendable {
  package let origin = Origin.random()
  private var sequence: Int64 = 0

  package init() {}

  /// The next draft.
  ///
  /// - Parameter time: The time; the number of the draft by default.
  package mutating func draft(
    _ payload: String = #"["x"]"#, kind: Entry.Kind = .changes, time: Int64? = nil, schema: Int = 1, cause: String? = nil
  ) -> Entry.Draft {
    sequence += 1
    return Entry.Draft(
      kind: kind, id: EntryID(origin: origin, sequence: sequence), time: time ?? sequence, schema: schema, payload: Data(payload.utf8),
      cause: cause.map { Data($0.utf8) })
  }

  package mutating func drafts(_ count: Int) -> [Entry.Draft] {
    var drafts: [Entry.Draft] = []
    for number in 0..<count { drafts.append(draft("[\(number)]")) }
    return drafts
  }
}

extension Origin {
  /// A fixed origin for tests.
  package static func test(_ number: UInt8) -> Origin {
    Origin(.init(uuid: (number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number)))
  }
}

extension Duration {
  /// A timeout that even a busy machine doesn't reach. The awaited event must happen, but without a time limit.
  package static let patient = Duration.seconds(200)
}

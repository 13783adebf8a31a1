import Alter
import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Makes drafts of one origin, numbered 1, 2, 3 …
public struct Drafts: Sendable {
  /// The origin of the drafts.
  public let origin: Origin
  private var sequence: Int64 = 0

  /// Creates a source that has made no drafts yet.
  public init(origin: Origin = .random()) { self.origin = origin }

  /// The next drafts.
  ///
  /// - Parameters:
  ///   - count: The number of drafts.
  ///   - size: The approximate size of each payload, in bytes.
  public mutating func next(_ count: Int, size: Int = 0) -> [Entry.Draft] {
    var drafts: [Entry.Draft] = []
    for _ in 0..<count {
      sequence += 1
      let payload = #"["\#(sequence) \#(String(repeating: "x", count: size))"]"#
      drafts.append(
        Entry.Draft(kind: .changes, id: EntryID(origin: origin, sequence: sequence), time: sequence, payload: Data(payload.utf8)))
    }
    return drafts
  }
}

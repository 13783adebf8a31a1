import Alter
import Foundation
import StoreTesting

@testable import AlterStore

extension ScriptedJournal {
  /// Puts the note "theirs" of another writer before the next append, which is made all the same: the journal says that it has it already, but
  /// elsewhere than the store expects.
  ///
  /// - Parameter action: Runs after that append.
  func appendTheirsFirst(_ action: @escaping @Sendable () -> Void = {}) {
    let isNext = Lock(true)
    answer { [base] answers in
      answers.append = { drafts, head, turn, leases in
        let isFirst = isNext.withLock { isNext in
          defer { isNext = false }
          return isNext
        }
        guard isFirst else { return try await base.append(drafts, after: head, in: turn, under: leases) }
        let theirs = Entry.Draft(
          kind: .changes, id: EntryID(origin: .test(8), sequence: 1), time: 0, payload: Data(#"[{"note":{"_0":"theirs"}}]"#.utf8))
        let between = try await base.append([theirs], after: head)
        defer { action() }
        return try await base.append(drafts, after: between.head, in: turn, under: leases)
      }
    }
  }
}

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
    answer { [base] answers in
      answers.append = { [weak self] drafts, head, turn, leases in
        self?.answer { $0.append = nil }
        let theirs = Entry.Draft(
          kind: .changes, id: EntryID(origin: .test(8), sequence: 1), time: 0, payload: Data(#"[{"note":{"_0":"theirs"}}]"#.utf8))
        let between = try await base.append([theirs], after: head)
        defer { action() }
        return try await base.append(drafts, after: between.head, in: turn, under: leases)
      }
    }
  }
}

import Alter
import AlterSyncCore
import Foundation
import SyncModel

@testable import AlterStore

extension MirrorNews<Board> {
  /// The news that a transaction of a file makes; or all of a file, for a process that opens it.
  ///
  /// - Parameters:
  ///   - before: The file before the transaction; nil to begin with nothing.
  ///   - after: The file after it.
  init(from before: DeviceFile<SyncedBoard>?, to after: DeviceFile<SyncedBoard>) {
    self.init()
    let known = Set(before?.outbox.ids ?? [])
    var told: Set<EntryID> = []
    if let mirror = after.mirror {
      head = mirror.head
      var entries = mirror.entries[...]
      if let old = before?.mirror, mirror.continues(old) {
        entries = entries.dropFirst(old.entries.count)
      } else {
        let reason: Ground.Reason =
          before == nil ? .refold : before?.mirror == nil ? .contact : before?.generation != after.generation ? .restart : .floor
        ground = Ground(mirror.floor.state.board, at: mirror.floor.head.revision, window: after.window, because: reason)
      }
      if let first = entries.first, case .initial(_, let payload) = first.body {
        ground = Ground(SyncedBoard.initial(payload), at: first.revision, window: after.window, because: ground?.reason ?? .contact)
        entries = entries.dropFirst()
      }
      for entry in entries {
        guard let step = Self.step(entry, in: mirror, of: after, known: known) else { continue }
        steps.append(step)
        told.insert(entry.id)
      }
    }
    let present = Set(after.outbox.ids)
    for id in known where !present.contains(id) {
      guard let verdict = after.left[id] else { continue }
      switch verdict {
      case .refused(.clone, _): decided[id] = .failure(RefusedDraft(code: "clone"))
      case .refused(let code, _): if !told.contains(id) { decided[id] = .failure(RefusedDraft(code: code.rawValue)) }
      case .accepted(let revision): if !told.contains(id) { decided[id] = .success(revision) }
      }
    }
    entering = after.outbox.drafts.filter { !known.contains($0.id) }.map { Entering(Record($0), requires: $0.requires) }
  }

  private static func step(
    _ entry: SyncEntry, in mirror: Mirror<SyncedBoard>, of file: DeviceFile<SyncedBoard>, known: Set<EntryID>
  ) -> Step? {
    let isBeyond = mirror.stop.map { entry.revision >= $0 } ?? false
    switch entry.body {
    case .initial: return nil
    case .draft(let draft):
      guard isBeyond else { return .accepted(Record(draft, at: entry.revision)) }
      return file.origins.contains(draft.id.origin) ? .acceptedBeyond(Record(draft, at: entry.revision)) : nil
    case .refused(let id, _, let code):
      guard isBeyond else { return .refused(id, code: code.rawValue, entry.revision) }
      return known.contains(id) ? .refusedBeyond(id, code: code.rawValue) : nil
    }
  }
}

extension Mirror {
  /// Whether the mirror has all entries of an earlier one.
  func continues(_ old: Mirror) -> Bool {
    guard floor.head == old.floor.head, entries.count >= old.entries.count, stop == nil || old.stop == nil || stop == old.stop else {
      return false
    }
    return old.entries.isEmpty || entries[old.entries.count - 1] == old.entries.last
  }
}

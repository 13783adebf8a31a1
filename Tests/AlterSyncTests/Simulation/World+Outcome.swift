import AlterCore
import AlterJournal
import AlterSyncCore

extension World {
  /// The journal and the devices' files as the users see them, without the names of origins and of generations: two explorations with
  /// different names can be compared.
  var outcome: String {
    let drafts = Dictionary(oracle.drafts.joined().map { ($0.id, $0) }) { first, _ in first }
    func name(_ id: EntryID) -> String {
      guard let draft = drafts[id] else { return "?" }
      let retry = draft.retries.map { " again after \(name($0))" } ?? ""
      switch draft.content {
      case .undo(let target): return "undo \(name(target))\(retry)"
      case .redo(let target): return "redo \(name(target))\(retry)"
      case .changes(let payload), .other(_, let payload): return "\(Array(payload))\(retry)"
      }
    }
    let journal = database.entries.map { entry in
      if case .refused(let id, _, let code) = entry.body { "\(name(id)) refused: \(code.rawValue)" } else { name(entry.id) }
    }
    let files = devices.map { device in
      """
      \(device.engine.phase.rawValue) \(device.file.mirror.map { "\(max($0.floor.head.revision, 1))…\($0.head.revision)" } ?? "new") \
      \(device.file.isOutdated) outbox \(device.file.outbox.ids.map(name)) refusals \
      \(device.file.refusals.map { "\(name($0.draft.id)) \($0.code.rawValue)" }) awaited \(device.file.awaited.map { name($0.draft.id) })
      """
    }
    // The devices of merged worlds may be exchanged.
    return (["\(database.floor.head.revision) \(journal)"] + files.sorted()).joined(separator: "\n")
  }
}

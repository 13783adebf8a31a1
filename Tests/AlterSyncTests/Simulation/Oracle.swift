import AlterCore
import AlterJournal
import AlterSyncCore
import SyncModel

/// The truth about a schedule, and the laws of sync that concern values.
struct Oracle {
  struct Key: Hashable {
    let id: EntryID
    let hash: Checksum
  }

  /// The checksums of the present history, by revision.
  private(set) var heads: [Checksum]
  /// The checksums of histories that a restore has ended.
  private(set) var abandoned: Set<Checksum> = []
  /// The verdicts that a server process has told in the present history.
  private(set) var told: [Key: Verdict] = [:]
  /// The verdicts that a restore has ended. An answer with one may still arrive.
  private var ended: [Key: Verdict] = [:]
  /// The accepted attempt of each change.
  private var accepted: [EntryID: EntryID] = [:]
  private var decided: Set<EntryID> = []
  /// The author of each origin's entries.
  private var authors: [Origin: Pseudonym] = [:]
  /// The drafts of each device's users, in order.
  private(set) var drafts: [[SyncDraft]] = []
  /// Whether a restore has happened.
  private(set) var hasRestored = false
  /// The families in which two devices continue one handle.
  var cloned: Set<Int> = []
  /// The drafts that another copy of their file has passed: it has sent a later draft of their outbox without them.
  private var passed: Set<Key> = []
  /// The user that has made each draft.
  private var makers: [Key: Pseudonym] = [:]

  /// The refused drafts that their users had undone before the refusal arrived. They are not listed.
  private var undone: Set<Key> = []

  /// The decided drafts at the time of each compaction, by the floor.
  private var floors: [Head: [EntryID: Standing]] = [:]

  init(_ ledger: Ledger<Shelf>) { heads = [ledger.head(at: .zero).checksum, ledger.head.checksum] }

  mutating func made(_ draft: SyncDraft, on device: Int, by user: Principal) {
    while drafts.count <= device { drafts.append([]) }
    drafts[device].append(draft)
    makers[Key(id: draft.id, hash: draft.hash)] = user.pseudonym(key: ServerProcess<Shelf>.key)
  }

  /// The user has retried or dismissed a draft.
  mutating func forget(_ draft: SyncDraft, on device: Int) {
    if device < drafts.count { drafts[device].removeAll { $0 == draft } }
  }

  mutating func add(_ entry: SyncEntry) throws {
    guard entry.revision.number == heads.count else { throw LawBroken(5, "the journal has a gap before \(entry.revision)") }
    heads.append(entry.checksum)
    guard decided.insert(entry.id).inserted else { throw LawBroken(2, "\(entry.id) is decided twice") }
    guard let author = entry.receipt?.author else { throw LawBroken(9, "\(entry.id) has no receipt") }
    guard authors[entry.id.origin, default: author] == author else { throw LawBroken(9, "\(entry.id) is of another principal's origin") }
    authors[entry.id.origin] = author
    if let hash = entry.hash, let maker = makers[Key(id: entry.id, hash: hash)], maker != author {
      throw LawBroken(9, "\(entry.id) has the receipt of a user that has not made it")
    }
    guard let draft = entry.draft else { return }
    guard accepted.updateValue(draft.id, forKey: draft.family) == nil else { throw LawBroken(10, "\(draft.family) is accepted twice") }
  }

  /// The journal was compacted.
  mutating func compacted(_ ledger: Ledger<Shelf>) { floors[ledger.floor.head] = ledger.standings }

  mutating func restore(to ledger: Ledger<Shelf>) {
    let length = Int(ledger.head.revision.number) + 1
    abandoned.formUnion(heads[length...])
    heads.removeSubrange(length...)
    ended.merge(told) { $1 }
    told = told.filter { ($0.value.revision ?? .init(.max)) <= ledger.head.revision }
    accepted = ledger.attempts
    decided = Set(ledger.standings.keys)
    authors = ledger.origins.mapValues { Principal($0.principal).pseudonym(key: ServerProcess<Shelf>.key) }
    hasRestored = true
  }

  /// A server process has told a verdict.
  mutating func tells(_ line: VerdictLine, in database: Ledger<Shelf>) throws {
    let key = Key(id: line.id, hash: line.hash)
    if let earlier = told.updateValue(line.verdict, forKey: key), earlier != line.verdict {
      throw LawBroken(2, "\(line.id) was \(earlier), and is now \(line.verdict)")
    }
    if case .refused(let code, _) = line.verdict, !code.isEntry { return }
    guard let standing = database.standings[line.id], standing.hash == line.hash, standing.verdict == line.verdict else {
      throw LawBroken(2, "the verdict on \(line.id) is not durable")
    }
  }

  /// A server process has decided a push. The other copies of the file may have earlier drafts, which the sender does not have any more. Two
  /// counterexamples to one order of all copies: the sender has seen a verdict that a restore has ended, and lists the draft as lost, while the
  /// other copy has it still to send; and two clones of one handle make the same draft, while one of them has an earlier one.
  mutating func pass(_ lines: [VerdictLine], in message: Message, before: Ledger<Shelf>, among devices: Parts<SimulatedDevice>) {
    let family = devices[message.device].family
    let isCloned = cloned.contains(family)
    guard isCloned || hasRestored else { return }
    let decided = Set(lines.lazy.filter { before.standings[$0.id] == nil }.map(\.id))
    for (index, device) in devices.enumerated() where device.family == family && index != message.device {
      guard let last = device.file.outbox.drafts.lastIndex(where: { decided.contains($0.id) }) else { continue }
      for draft in device.file.outbox.drafts[..<last] where !message.outbox.contains(draft.id) {
        let key = Key(id: draft.id, hash: draft.hash)
        if isCloned || ended[key] != nil { passed.insert(key) }
      }
    }
  }

  /// A server process has decided a push: no draft is decided before an earlier one of the outbox that sent it.
  func checkOrder(
    of lines: [VerdictLine], in message: Message, family: Int, before: Ledger<Shelf>, after: Ledger<Shelf>
  ) throws {
    for line in lines where before.standings[line.id] == nil && after.standings[line.id]?.hash == line.hash {
      for earlier in message.outbox.prefix(while: { $0 != line.id }) where after.standings[earlier] == nil {
        // A draft of a foreign origin has a verdict without an entry.
        guard let known = after.origins[earlier.origin], !known.belongs(to: message.token) else {
          // The draft after it was decided already, because another copy has sent it.
          if passed.contains(where: { $0.id == earlier }) { continue }
          // The draft after it is a clone: its id stays decided when a restore ends the verdict on the earlier one.
          if cloned.contains(family), ended.keys.contains(where: { $0.id == earlier }) { continue }
          throw LawBroken(3, "\(line.id) was decided before \(earlier), which precedes it in the outbox of device \(message.device)")
        }
      }
    }
  }

  /// The entry of a draft's id that a compaction of the device's copy has removed. The server may have lost it by a restore that no operator has
  /// decided about.
  private func compacted(_ id: EntryID, _ before: DeviceFile<Shelf>, _ after: DeviceFile<Shelf>) -> SyncEntry? {
    guard before.lineage == after.lineage, let floor = after.mirror?.floor.head.revision else { return nil }
    return before.mirror?[id].flatMap { $0.revision <= floor ? $0 : nil }
  }

  /// A device has absorbed an answer.
  mutating func absorbed(before: DeviceFile<Shelf>, after: DeviceFile<Shelf>, in world: World) throws {
    let kept = Set(after.outbox.ids)
    for draft in before.outbox.drafts where !kept.contains(draft.id) {
      let entry = after.mirror?[draft.id] ?? compacted(draft.id, before, after)
      let verdict: Verdict?
      if let entry {
        verdict = entry.hash == draft.hash ? entry.verdict : .refused(.clone, at: entry.revision)
      } else {
        verdict = told[Key(id: draft.id, hash: draft.hash)] ?? world.truth(of: draft) ?? ended[Key(id: draft.id, hash: draft.hash)]
      }
      switch verdict {
      case nil: throw LawBroken(4, "\(draft) has left the outbox without a verdict")
      case .accepted(let revision):
        // An answer from before a restore may still say that the origin is foreign. The refusal is listed until the entry is here.
        if case .refused(let code, nil) = ended[Key(id: draft.id, hash: draft.hash)], code == .foreign,
          after.refusals.contains(where: { $0.draft == draft })
        {
          continue
        }
        guard let mirror = after.mirror, entry != nil || revision <= mirror.floor.head.revision else {
          throw LawBroken(4, "\(draft) has left the outbox before the mirror covers revision \(revision)")
        }
      case .refused(let code, _):
        guard code.isListed, !after.refusals.contains(where: { $0.draft == draft }) else { continue }
        let drafts = before.outbox.drafts
        guard let place = drafts.firstIndex(of: draft), Self.isUndone(place, in: drafts) else {
          throw LawBroken(7, "the refusal of \(draft) is lost")
        }
        undone.insert(Key(id: draft.id, hash: draft.hash))
      }
    }
    guard let old = before.mirror, before.generation != after.generation, after.mirror?.head != old.head else { return }
    for draft in old.entries.compactMap(\.draft) where after.origins.contains(draft.id.origin) {
      // A change that the mirror still has is asked for when the device learns of the next restore.
      guard world.truth(of: draft) == nil, after.mirror?[draft.id]?.hash != draft.hash else { continue }
      // The new floor has the change, and another restore has ended the floor's history before the answer has arrived.
      if let floor = after.mirror?.floor.head, case .accepted(let revision) = floors[floor]?[draft.id]?.verdict,
        floors[floor]?[draft.id]?.hash == draft.hash, revision <= floor.revision
      {
        continue
      }
      if after.outbox.contains(draft) { throw LawBroken(4, "\(draft) was decided, and is sent again after the restore") }
      guard
        after.refusals.contains(where: { $0.draft.family == draft.family })
          || after.outbox.drafts.contains(where: { $0.family == draft.family }) || after.awaited.contains(where: { $0.draft == draft })
      else { throw LawBroken(7, "\(draft) was lost by the restore, and is not listed") }
    }
  }

  /// Whether a later draft undoes a draft, and is not undone itself: the definition, at its word.
  private static func isUndone(_ place: Int, in drafts: [SyncDraft]) -> Bool {
    drafts.indices.dropFirst(place + 1).contains { drafts[$0].target == drafts[place].id && !isUndone($0, in: drafts) }
  }

  /// A device has compacted its copy of the journal: nothing but the oldest entries has gone.
  mutating func compacted(before: DeviceFile<Shelf>, after: DeviceFile<Shelf>, in world: World) throws {
    try absorbed(before: before, after: after, in: world)
    guard let old = before.mirror, let new = after.mirror, new.head == old.head, new.floor.head.revision > old.floor.head.revision,
      old.head(at: new.floor.head.revision) == new.floor.head, old.entries.suffix(new.entries.count) == new.entries[...],
      before.lineage == after.lineage
    else { throw LawBroken(5, "the compaction has changed the entries that stay") }
    let gone = old.entries.prefix(old.entries.count - new.entries.count)
    for change in before.awaited where !after.awaited.contains(change) && !gone.contains(where: { $0.hash == change.draft.hash }) {
      throw LawBroken(7, "the compaction has forgotten \(change.draft), whose entry has not come back")
    }
    for refused in before.refusals where !after.refusals.contains(refused) && !gone.contains(where: { $0.hash == refused.draft.hash }) {
      throw LawBroken(7, "the compaction has forgotten the refusal of \(refused.draft)")
    }
    guard before.outbox.ids == after.outbox.ids else { return }
    let (shown, shows) = (before.view(), after.view())
    guard shown.state == shows.state, shown.hidden == shows.hidden else {
      throw LawBroken(12, "the compaction has changed the view: \(shown.hidden) were hidden, and now \(shows.hidden)")
    }
  }

  /// Checks, after the outboxes have drained, that every change has ended: accepted, refused and listed, or by its user's word.
  func checkEnd(_ world: World) throws {
    for (index, device) in world.devices.enumerated() {
      guard let change = device.file.awaited.first else { continue }
      throw LawBroken(7, "device \(index) has all entries, and still awaits \(change.draft)")
    }
    // Changes that were folded into a floor when a restore lost them are known to no device.
    guard !hasRestored else { return }
    for (index, drafts) in drafts.enumerated() {
      for draft in drafts {
        switch world.truth(of: draft) {
        case .accepted: continue
        case .refused(let code, _) where !code.isListed: continue
        case .refused, nil:
          guard
            undone.contains(Key(id: draft.id, hash: draft.hash))
              || world.devices[index].file.refusals.contains(where: { $0.draft == draft })
          else {
            throw LawBroken(7, "\(draft) of device \(index) is neither accepted nor listed as refused")
          }
        }
      }
    }
  }

  /// Checks the laws that hold at every moment.
  func check(_ world: World) throws {
    for index in world.devices.indices {
      try check(world.devices[index].file, ofDevice: index, in: world)
      if world.devices[index].engine.phase == .resting, world.devices[index].link != .live, world.devices[index].link != .outdated {
        throw LawBroken(11, "device \(index) rests, and its status is \(String(describing: world.devices[index].link))")
      }
    }
  }

  private func check(_ file: DeviceFile<Shelf>, ofDevice index: Int, in world: World) throws {
    if let head = file.mirror?.head {
      let revision = Int(head.revision.number)
      let isThere = revision < heads.count && heads[revision] == head.checksum
      guard isThere || abandoned.contains(head.checksum) else {
        throw LawBroken(5, "the mirror of device \(index) is at \(head), which no journal has had")
      }
      // Then the view is the fold of the mirror.
      if isThere, head == world.database.head, file.outbox.isEmpty, !file.isOutdated,
        file.mirror?.timeline.state != world.database.timeline.state
      {
        throw LawBroken(6, "device \(index) shows another state than the server at \(head)")
      }
    }
    guard file.outbox.drafts.count > 1 else { return }
    let isCloned = cloned.contains(world.devices[index].family)
    var undecided: EntryID?
    for draft in file.outbox.drafts {
      let key = Key(id: draft.id, hash: draft.hash)
      guard !passed.contains(key), ended[key] == nil || !isCloned else { continue }
      let standing = world.database.standings[draft.id]
      // A draft of a foreign origin gets a verdict without an entry.
      let isForeign = world.database.origins[draft.id.origin].map { !$0.belongs(to: file.principal) } ?? false
      if standing == nil {
        if !isForeign, told[key] == nil { undecided = undecided ?? draft.id }
      } else if let undecided, standing?.hash == draft.hash {
        throw LawBroken(3, "\(draft.id) has overtaken \(undecided)")
      }
    }
  }
}

extension World {
  /// The verdict of the present database.
  func truth(of draft: SyncDraft) -> Verdict? {
    guard let standing = database.standings[draft.id] else { return nil }
    return standing.hash == draft.hash ? standing.verdict : .refused(.clone, at: standing.verdict.revision)
  }
}

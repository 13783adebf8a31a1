import AlterCore
import AlterJournal
import AlterSyncCore
import SyncModel

// Two worlds with equal fingerprints have the same future. A head stands for the whole history before it, and numbers of requests and
// timers count only as far as they are present or past.
//
// With `Plan.isReduced`, everything that no later step can read is left out, too. Each omission states its reason; one that is only true
// with a rule is only made with that rule, so that the removal of a rule is detected as without reductions.
extension World {
  func canFail(by fault: Fault) -> Bool { !plan.isReduced || faultCount < plan.faultLimit && plan.faults.contains(fault) }

  /// Whether the head of a device's mirror only rises from now on: the database, whose generation it has, will not be restored any more.
  private func rises(_ device: SimulatedDevice) -> Bool {
    !isRestored && !canFail(by: .restore) && device.file.generation == database.generation
  }

  var fingerprint: UInt64 {
    var print = Fingerprint()
    combine(database, into: &print)
    // Only a restore reads the earlier states. It keeps the present schema.
    if canFail(by: .restore) {
      for place in past.indices {
        print.combine(past[place].head.checksum.high)
        print.combine(past[place].floor.head.revision)
        combine(past[place].lineage, into: &print)
      }
      print.combine(past.count)
    }
    // The network keeps no order, the server processes have no names, and neither have devices whose users make no more changes. A device
    // stands for itself and for the messages that it will read.
    var (network, server, all): (UInt64, UInt64, UInt64) = (0, 0, 0)
    var own = [UInt64](repeating: 0, count: devices.count)
    for place in messages.indices {
      let bits = fingerprint(of: messages[place])
      if isRead(messages[place]) { own[messages[place].device] &+= bits } else { network &+= bits }
    }
    for place in processes.indices {
      server &+= fingerprint(ofProcess: place)
      guard processes[place].attempt != nil, let message = deciding[place], isRead(message) else { continue }
      own[message.device] ^= fingerprint(of: message)
    }
    for index in devices.indices {
      var device = Fingerprint()
      combine(devices[index], at: index, into: &device)
      device.combine(own[index])
      all &+= device.bits
    }
    for sum in [network, server, all] { print.combine(sum) }
    print.combine(devices.count)
    for index in plan.changes.indices { print.combine(plan.changes[index].count) }
    print.combine(faultCount)
    print.combine(isRestored)
    print.combine(generations)
    if !plan.isReduced { print.combine(UInt64(nextOrigin)) }
    return print.bits
  }

  // MARK: - The server

  private func fingerprint(ofProcess place: Int) -> UInt64 {
    var print = Fingerprint()
    let process = processes[place]
    guard let attempt = process.attempt else {
      print.combine(1)
      if isBehind(place) { print.combine(0) } else { combine(process.view, into: &print) }
      return print.bits
    }
    // With an attempt, the view is not read: the commit replaces it.
    if !plan.isReduced { combine(process.view, into: &print) }
    if plan.isReduced, plan.rules.contains(.decidesAgain) {
      // If the database is still that of the attempt, the decisions follow from the request. Otherwise they will be made again. (A restore may
      // make the database that of the attempt again. Then the decisions are those that would be made again.)
      print.combine(isCurrent(attempt) ? 2 : 3)
    } else {
      print.combine(4)
      print.combine(attempt.base.checksum.high)
      combine(attempt.decided, into: &print)
      combine(attempt.hold, into: &print)
    }
    print.combine(deciding[place].map { fingerprint(of: $0) } ?? 0)
    return print.bits
  }

  private func isCurrent(_ attempt: ServerProcess<Shelf>.Attempt) -> Bool {
    attempt.base == database.head && attempt.decided.lineage == database.lineage
      && attempt.decided.floor.head.revision == database.floor.head.revision && attempt.decided.schema == database.schema
  }

  /// Whether a server process will read the database again before it uses its view, whatever request it receives next, and however the
  /// database changes until then (``ServerProcess/locate(_:in:)``): all requests name a later generation than the view's, or come from mirrors
  /// beyond it. A device does not return to a generation that the view knows.
  func isBehind(_ place: Int) -> Bool {
    let rules: ModelRules = [.readsHead, .readsKnown, .readsGenerations, .knowsFormerGenerations]
    guard plan.isReduced, plan.rules.isSuperset(of: rules) else { return false }
    let (generation, head) = (processes[place].view.generation, processes[place].view.head)
    func isLater(_ other: Generation?) -> Bool { other.map { $0.number > generation.number } ?? false }
    func isBeyond(_ position: Head?) -> Bool { position.map { $0.revision > head.revision } ?? false }
    return devices.indices.allSatisfy {
      isLater(devices[$0].file.generation) || rises(devices[$0]) && isBeyond(devices[$0].file.mirror?.head)
    }
      && messages.indices.allSatisfy { place in
        guard let request = messages[place].request else { return true }
        if case .fetch = request.body { return true }
        return isLater(request.generation) || isBeyond(request.position) || request.hint.map { $0 != Hint(generation, head) } ?? false
      }
  }

  private func combine(_ ledger: Ledger<Shelf>, into print: inout Fingerprint) {
    print.combine(ledger.head.checksum.high)
    print.combine(ledger.floor.head.revision)
    combine(ledger.lineage, into: &print)
    print.combine(ledger.schema)
  }

  // MARK: - The devices

  private func combine(_ device: SimulatedDevice, at index: Int, into print: inout Fingerprint) {
    combine(device.file, into: &print)
    combine(device.engine, into: &print)
    print.combine(device.timer == nil)
    print.combine(device.family)
    combine(device.hint, into: &print)
    // The origin names the next drafts. An origin without drafts is a name that nothing else reads.
    let makesDrafts = index < plan.changes.count && !plan.changes[index].isEmpty
    if makesDrafts || !plan.isReduced {
      print.combine(index)
      print.combine(UInt64(device.origin))
      print.combine(UInt64(bitPattern: device.sequence))
    }
    var origins: UInt64 = 0
    for origin in device.file.origins where makesDrafts || device.sequence > 0 || origin.number != device.origin {
      origins |= 1 << UInt64(origin.number & 63)
    }
    print.combine(origins)
  }

  private func combine(_ file: DeviceFile<Shelf>, into print: inout Fingerprint) {
    if let lineage = file.lineage { combine(lineage, into: &print) } else { print.combine(0) }
    print.combine(file.mirror?.head.checksum.high ?? 0)
    // A floor at the initial entry folds nothing in.
    print.combine(max(file.floor, plan.isReduced ? 1 : .zero))
    print.combine(file.mirror?.stop ?? .zero)
    for draft in file.outbox.drafts {
      print.combine(draft.hash.high)
      if let verdict = file.outbox.known[draft.id] { combine(verdict, into: &print) } else { print.combine(0) }
    }
    print.combine(file.outbox.drafts.count)
    for refused in file.refusals {
      print.combine(refused.draft.hash.high)
      print.combine(case: refused.code)
    }
    print.combine(file.refusals.count)
    for change in file.awaited {
      print.combine(change.draft.hash.high)
      print.combine(change.revision)
      print.combine(change.generation.number)
    }
    print.combine(file.awaited.count)
    print.combine(file.schema)
  }

  private func combine(_ engine: Engine, into print: inout Fingerprint) {
    print.combine(case: engine.phase)
    print.combine(engine.isStreamOpen)
    print.combine(engine.needsFloor)
    guard plan.isReduced else {
      print.combine(engine.failures)
      combine(engine.held, into: &print)
      print.combine(engine.holds)
      print.combine(engine.isProbing)
      print.combine(engine.streamEnds)
      print.combine(engine.hasNews)
      print.combine(engine.hasRefreshed)
      combine(engine.link, hasTimes: true, into: &print)
      return
    }
    // The number of failures decides the length of a pause, and timers fire in any order; beyond that it counts whether there was one.
    print.combine(engine.failures > 0)
    // After a hold, or a busy server, a device sends another request.
    print.combine(engine.isProbing)
    // Each request that follows a pause or a rest begins without news and without a hold.
    if [.pulling, .pushing, .fetching].contains(engine.phase) {
      combine(engine.held, into: &print)
      print.combine(engine.hasNews)
    }
    // The check of a resting device reads the status. Each way into the rest reports it, so that it was checked there.
  }

  private func combine(_ link: SyncLink?, hasTimes: Bool, into print: inout Fingerprint) {
    switch link {
    case nil: print.combine(0)
    case .live: print.combine(1)
    case .connecting: print.combine(2)
    case .unauthorised: print.combine(3)
    case .forbidden: print.combine(4)
    case .outdated: print.combine(5)
    case .restarted: print.combine(6)
    case .locked: print.combine(13)
    case .offline(let reason, let since):
      switch reason {
      case .network: print.combine(7)
      case .busy: print.combine(8)
      case .notUnderstood: print.combine(9)
      case .envelope: print.combine(10)
      case .suspended: print.combine(11)
      case .file: print.combine(14)
      }
      if hasTimes { print.combine(UInt64(bitPattern: since)) }
    case .held(let code, let since):
      print.combine(12)
      combine(code, into: &print)
      if hasTimes { print.combine(UInt64(bitPattern: since)) }
    }
  }

  // MARK: - The network

  private func isLate(_ message: Message) -> Bool {
    message.process != devices[message.device].process || message.number != devices[message.device].engine.request
  }

  /// Whether a device reads the answer to a request. A device that has given the request up ignores it.
  private func isRead(_ message: Message) -> Bool {
    !isLate(message) && (!plan.isReduced || !plan.rules.contains(.ignoresLateAnswers) || isExpected(message))
  }

  private func fingerprint(of message: Message) -> UInt64 {
    var print = Fingerprint()
    let isRead = isRead(message)
    print.combine(isRead)
    if !plan.isReduced { print.combine(isLate(message)) }
    if canFail(by: .duplication) { print.combine(message.isCopy) }
    // Without a reader, a pull and a fetch only make a server process read the database.
    if plan.isReduced, !isRead, let request = message.request, !request.isPush {
      if case .fetch = request.body {
        print.combine(1)
      } else {
        combinePosition(of: request, into: &print)
        print.combine(max(request.floor, 1))
      }
      print.combine(request.generation?.number ?? 0)
      return print.bits
    }
    if !plan.isReduced || !plan.rules.contains(.ignoresLateAnswers) { print.combine(message.device) }
    // The outbox is read when the request is decided.
    if !plan.isReduced || message.request != nil {
      for id in message.outbox { combine(id, into: &print) }
      print.combine(message.outbox.count)
    }
    // The device ignores the answer to a request that it made before it compacted its copy.
    if let asked = message.asked { print.combine(devices[message.device].file.isPresent(asked)) }
    switch message.body {
    case .request(let request): combine(request, into: &print)
    case .answer(.page(let page)): combine(page, into: &print)
    case .answer(.snapshot(let fetched)):
      print.combine(12)
      combine(fetched.lineage, into: &print)
      print.combine(fetched.floor.head.checksum.high)
      for line in fetched.lines { combine(line, into: &print) }
      print.combine(fetched.lines.count)
    case .answer(.gone): print.combine(1)
    case .answer(.diverged(let lineage)):
      print.combine(2)
      combine(lineage, into: &print)
    case .answer(.forbidden): print.combine(3)
    case .answer(.unauthorised): print.combine(4)
    case .answer(.badEnvelope): print.combine(5)
    case .answer(.busy(let seconds)):
      print.combine(6)
      print.combine(seconds)
    case .answer(.notUnderstood): print.combine(7)
    case .answer(.absent): print.combine(8)
    }
    return print.bits
  }

  private func combine(_ request: Request, into print: inout Fingerprint) {
    switch request.body {
    case .pull: print.combine(8)
    case .push(let submissions):
      print.combine(9)
      for submission in submissions {
        combine(submission.id, into: &print)
        print.combine(submission.hash.high)
        print.combine(submission.draft == nil)
        if let after = submission.after { combine(after, into: &print) } else { print.combine(0) }
      }
      print.combine(submissions.count)
    case .fetch(let ids):
      print.combine(10)
      for id in ids { combine(id, into: &print) }
      print.combine(ids.count)
      // A fetch reads the database, whatever it names beside the ids.
      if plan.isReduced { return }
    }
    combinePosition(of: request, into: &print)
    print.combine(max(request.floor, plan.isReduced ? 1 : .zero))
    print.combine(request.generation?.number ?? 0)
  }

  /// Combines what makes a server process read the database.
  private func combinePosition(of request: Request, into print: inout Fingerprint) {
    print.combine(11)
    print.combine(request.position?.checksum.high ?? 0)
    // A view without the position is replaced anyway.
    let isRead = !(plan.isReduced && plan.rules.contains(.readsHead)) || request.known > request.position?.revision ?? .zero
    print.combine(isRead ? request.known : .zero)
    combine(request.hint, into: &print)
  }

  private func combine(_ page: Page, into print: inout Fingerprint) {
    print.combine(13)
    combine(page.lineage, into: &print)
    for line in page.lines { combine(line, into: &print) }
    print.combine(page.lines.count)
    combine(page.hold, into: &print)
    // The chain: the last entry stands for those before it.
    print.combine(page.entries.count)
    print.combine(page.entries.last?.checksum.high ?? 0)
    print.combine(page.head?.checksum.high ?? 0)
  }

  // MARK: - Values

  private func combine(_ lineage: Lineage, into print: inout Fingerprint) {
    print.combine(lineage.generation.number)
    var former: UInt64 = 0
    for generation in lineage.former { former |= 1 << (generation.number & 63) }
    print.combine(former)
  }

  private func combine(_ hint: Hint?, into print: inout Fingerprint) {
    print.combine(hint?.head.checksum.high ?? 0)
    print.combine(hint?.generation.number ?? 0)
  }

  private func combine(_ id: EntryID, into print: inout Fingerprint) {
    print.combine(UInt64(id.origin.number) << 32 | UInt64(bitPattern: id.sequence) & 0xffff_ffff)
  }

  private func combine(_ line: VerdictLine, into print: inout Fingerprint) {
    combine(line.id, into: &print)
    print.combine(line.hash.high)
    combine(line.verdict, into: &print)
  }

  private func combine(_ verdict: Verdict, into print: inout Fingerprint) {
    switch verdict {
    case .accepted(let revision):
      print.combine(1)
      print.combine(revision)
    case .refused(let code, let revision):
      print.combine(2)
      print.combine(case: code)
      print.combine(revision ?? .zero)
    }
  }

  private func combine(_ hold: SyncHold?, into print: inout Fingerprint) {
    guard let hold else { return print.combine(0) }
    combine(hold.code, into: &print)
    combine(hold.id, into: &print)
  }

  private func combine(_ code: SyncHold.Code, into print: inout Fingerprint) {
    switch code {
    case .order: print.combine(1)
    case .schema: print.combine(2)
    case .policy: print.combine(3)
    case .budget: print.combine(4)
    }
  }
}

extension Fingerprint {
  fileprivate mutating func combine(_ revision: Revision) { combine(UInt64(bitPattern: revision.number)) }
}

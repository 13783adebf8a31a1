import AlterCore
import AlterJournal
import AlterSyncCore
import SyncModel

// The shell of a device's engine: it carries the commands out, and sends requests.
extension World {
  mutating func handle(_ event: EngineEvent, on index: Int, random: Double = 0.5) throws {
    // The wrong rule: a request has no timeout.
    if case .fired = event, devices[index].engine.isBusy, !plan.rules.contains(.timesOut) { return }
    let situation = situation(of: devices[index].file, token: devices[index].token, random: random)
    tally.coverage.cells[Cell(phase: devices[index].engine.phase, event: event.kind), default: 0] += 1
    let commands: [EngineCommand]
    do throws(IllegalEvent) {
      commands = try devices[index].engine.handle(event, in: situation)
    } catch {
      throw LawBroken(0, "\(error)")
    }
    // The events that follow come after all commands.
    var following: [EngineEvent] = []
    for command in commands { carryOut(command, on: index, following: &following) }
    for event in following { try handle(event, on: index) }
  }

  private func situation(of file: DeviceFile<Shelf>, token: Principal, random: Double) -> Situation {
    // Without the rule, the drafts that the view refuses are not sent.
    let hasUndecided =
      plan.rules.contains(.sendsPredictedRefusals) ? file.outbox.hasUndecided : !file.submissions(limits: plan.limits).isEmpty
    return Situation(
      hasUndecided: hasUndecided, awaitsEntries: !file.outbox.isEmpty && !file.outbox.hasUndecided, isOutdated: file.isOutdated,
      isLocked: file.isLocked(for: token), now: now, random: random)
  }

  mutating func carryOut(_ command: EngineCommand, on index: Int, following: inout [EngineEvent]) {
    switch command {
    case .takeLock: if devices[index].isLockFree { following.append(.lockGranted) }
    case .releaseLock: break
    case .send(let number, let exchange): send(exchange, number, from: index)
    // The connection is closed: an answer in flight is lost; a request may still arrive.
    case .cancel(let number):
      messages.removeAll { message in
        guard message.device == index, message.number == number, message.process == devices[index].process else { return false }
        return message.request == nil
      }
    case .setTimer(let number, let seconds): devices[index].timer = (number, now + Int64(seconds * 1_000_000))
    case .cancelTimer: devices[index].timer = nil
    case .openStream: following.append(.streamOpened)
    case .closeStream: break
    case .refreshToken: following.append(devices[index].isTokenValid ? .tokenRefreshed : .refreshFailed)
    case .report(let link): devices[index].link = link
    }
  }

  mutating func send(_ exchange: EngineCommand.Exchange, _ number: Int, from index: Int) {
    let device = devices[index]
    let body: Request.Body =
      switch exchange {
      case .pull: .pull
      case .push: .push(device.file.submissions(limits: plan.limits).map(onTheWire))
      case .probe: .push(device.file.submissions(limits: plan.limits).prefix(1).map(onTheWire))
      case .fetch: .fetch(device.file.questions)
      }
    let request = Request(
      body, position: device.file.mirror?.head, floor: device.file.floor, principal: device.file.principal,
      generation: device.file.generation, known: device.file.newestKnown, hint: device.hint)
    messages.append(
      Message(
        device: index, process: device.process, number: number, body: .request(request), token: device.token,
        outbox: request.isPush ? device.file.outbox.ids : []))
  }

  /// The server can't decode nonsense, but the envelope is sound.
  func onTheWire(_ submission: Submission) -> Submission {
    guard case .draft(let draft) = submission.body, draft.content == .changes(ShelfChange.nonsense.payload) else { return submission }
    return Submission(.malformed(draft.id, hash: draft.hash), after: submission.after)
  }
}

import AlterCore
import AlterJournal
import AlterSyncCore

// Two worlds with equal hashes have the same future. A head stands for the whole history before it, and numbers of requests and timers
// count only as far as they are present or past.
extension World {
  var fingerprint: Int {
    var hasher = Hasher()
    combine(database, into: &hasher)
    for ledger in past { hasher.combine(ledger.head.checksum.high) }
    hasher.combine(past.count)
    // The server processes have no names.
    var server = 0
    for place in processes.indices { server &+= fingerprint(ofProcess: place) }
    hasher.combine(server)
    for device in devices {
      combine(device.file, into: &hasher)
      combine(device.engine, into: &hasher)
      hasher.combine(device.origin)
      hasher.combine(device.sequence)
      hasher.combine(device.timer == nil)
      hasher.combine(device.hinted)
    }
    hasher.combine(devices.count)
    // The network keeps no order.
    var network = 0
    for message in messages { network &+= fingerprint(of: message) }
    hasher.combine(network)
    for changes in plan.changes { hasher.combine(changes.count) }
    hasher.combine(faultCount)
    hasher.combine(isRestored)
    hasher.combine(nextOrigin)
    return hasher.finalize()
  }

  private func fingerprint(ofProcess place: Int) -> Int {
    var hasher = Hasher()
    let process = processes[place]
    combine(process.view, into: &hasher)
    hasher.combine(process.attempt?.decided.head.checksum.high)
    hasher.combine(process.attempt?.decided.lineage)
    hasher.combine(process.attempt?.decided.schema)
    hasher.combine(process.attempt?.decided.floor.head.revision.number)
    hasher.combine(process.attempt?.hold)
    hasher.combine(deciding[place].map { fingerprint(of: $0) })
    return hasher.finalize()
  }

  private func combine(_ ledger: Ledger<Shelf>, into hasher: inout Hasher) {
    hasher.combine(ledger.head.checksum.high)
    hasher.combine(ledger.floor.head.revision.number)
    hasher.combine(ledger.lineage)
    hasher.combine(ledger.schema)
  }

  private func combine(_ file: DeviceFile<Shelf>, into hasher: inout Hasher) {
    hasher.combine(file.lineage)
    hasher.combine(file.mirror?.head.checksum.high)
    hasher.combine(file.mirror?.floor.head.revision.number)
    hasher.combine(file.mirror?.stop)
    for draft in file.outbox.drafts {
      hasher.combine(draft.hash.high)
      hasher.combine(file.outbox.known[draft.id])
    }
    hasher.combine(file.outbox.drafts.count)
    for refused in file.refusals {
      hasher.combine(refused.draft.hash.high)
      hasher.combine(refused.code)
    }
    hasher.combine(file.awaited)
    hasher.combine(file.schema)
  }

  private func combine(_ engine: Engine, into hasher: inout Hasher) {
    hasher.combine(engine.phase)
    hasher.combine(engine.failures)
    hasher.combine(engine.held)
    hasher.combine(engine.streamEnds)
    hasher.combine(engine.isStreamOpen)
    hasher.combine(engine.hasNews)
    hasher.combine(engine.hasRefreshed)
    hasher.combine(engine.needsFloor)
    hasher.combine(engine.link)
  }

  private func fingerprint(of message: Message) -> Int {
    var hasher = Hasher()
    let device = devices[message.device]
    hasher.combine(message.device)
    hasher.combine(message.process == device.process)
    hasher.combine(message.process == device.process && message.number == device.engine.request)
    hasher.combine(message.isCopy)
    hasher.combine(message.outbox)
    switch message.body {
    case .request(let request): hasher.combine(request)
    case .answer(.page(let page)): hasher.combine(page)
    case .answer(.snapshot(let fetched)):
      hasher.combine(fetched.lineage)
      hasher.combine(fetched.floor.head.checksum.high)
      hasher.combine(fetched.lines)
    case .answer(.gone): hasher.combine(1)
    case .answer(.diverged(let lineage)):
      hasher.combine(2)
      hasher.combine(lineage)
    case .answer(.forbidden): hasher.combine(3)
    case .answer(.unauthorised): hasher.combine(4)
    case .answer(.badEnvelope): hasher.combine(5)
    case .answer(.busy(let seconds)):
      hasher.combine(6)
      hasher.combine(seconds)
    case .answer(.notUnderstood): hasher.combine(7)
    }
    return hasher.finalize()
  }
}

import AlterCore
import AlterJournal
import AlterSyncCore

// Schedules that the engine's rules hold against.
extension NamedSchedule {
  static let engine: [NamedSchedule] = [
    NamedSchedule("pushes are lost after transient errors, and retries stop until the next write", against: "retries-failures") { rules in
      var world = try world(rules, devices: 1)
      try world.settle()
      try world.make(.change(.claim(1)), on: 0)
      try push(&world, to: 0)
      world.messages[0].body = .answer(.busy(1))
      try world.perform(.deliver(0, to: 0))
      try world.perform(.fire(0))
      world.messages[0].body = .answer(.badEnvelope)
      try world.perform(.deliver(0, to: 0))
      try end(&world)
    },
    NamedSchedule("a deploy answers what no device understands", against: "retries-failures") { rules in
      var world = try world(rules)
      for index in world.messages.indices { world.messages[index].body = .answer(.notUnderstood) }
      for _ in world.messages.indices { try world.perform(.deliver(0, to: 0)) }
      try end(&world)
    },
    NamedSchedule("'uploading' for ever after a partition", without: .timesOut) { rules in
      var world = try world(rules, devices: 1)
      try world.settle()
      try world.make(.change(.claim(1)), on: 0)
      try world.perform(.lose(0))
      try end(&world)
    },
    NamedSchedule("pulls wait for an empty outbox", against: "pulls-with-outbox") { rules in
      var world = try world(rules, devices: 1) { $0.limits.entriesPerPage = 1 }
      try world.settle()
      for slot in 1...4 { try world.make(.change(.claim(UInt8(slot))), on: 0) }
      try end(&world)
    },
    NamedSchedule("a device waits on a dead stream for the echo of its push", against: "pulls-with-outbox") { rules in
      var world = try world(rules, devices: 1) { $0.limits.entriesPerPage = 1 }
      try world.settle()
      world.areStreamsDead = true
      for slot in 1...4 { try world.make(.change(.claim(UInt8(slot))), on: 0) }
      try end(&world)
    },
    NamedSchedule("an answer to a request that was given up arrives late", without: .ignoresLateAnswers) { rules in
      var world = try world(rules, devices: 1)
      try world.settle()
      try world.make(.change(.claim(1)), on: 0)
      try push(&world, to: 0)
      // The permission was revoked for a moment. The answer arrives when the next request is in flight.
      world.messages[0].body = .answer(.forbidden)
      let late = world.messages[0]
      try world.perform(.giveUp(0))
      try world.perform(.fire(0))
      world.messages.append(late)
      try world.perform(.deliver(1, to: 0))
      try expect(world.devices[0].link != .forbidden, law: 11, "an earlier answer has frozen the journal")
      try end(&world)
    },
  ]
}

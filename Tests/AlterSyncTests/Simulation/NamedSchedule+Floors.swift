import AlterCore
import AlterJournal
import AlterSyncCore

// Schedules of devices that compact their copies of the journal.
extension NamedSchedule {
  static let floors: [NamedSchedule] = [
    NamedSchedule("a device folds in the entry that its user has undone offline", without: .leavesWindow) { rules in
      var world = try world(rules, devices: 1) { $0.window = 1 }
      try world.make(.change(.claim(1)), on: 0)
      try world.settle()
      try world.make(.undoLast, on: 0)
      try world.perform(.compactDevice(0, 2))
      try end(&world)
      try expect(world.database.timeline.state.slots.isEmpty, law: 12, "the entry is not undone")
    },
    NamedSchedule("a server sends all entries again to a device that has compacted its copy", without: .acceptsFloors) { rules in
      var world = try world(rules, devices: 1) { $0.window = 1 }
      for slot in 1...3 as ClosedRange<UInt8> {
        try world.make(.change(.claim(slot)), on: 0)
        try world.settle()
      }
      try world.perform(.compactDevice(0, 3))
      try world.make(.change(.claim(4)), on: 0)
      try end(&world)
      try expect(world.devices[0].file.floor == 3, law: 12, "the device has the entries again that it has given up")
    },
    NamedSchedule("an outdated app folds in an entry that it cannot read", without: .foldsToFloor) { rules in
      var world = try world(rules) {
        ($0.newestSchema, $0.window) = (2, 0)
      }
      try world.perform(.enableSchema)
      try world.perform(.upgrade(1))
      try world.make(.change(.claim(1)), on: 1)
      try world.settle()
      try expect(world.devices[0].file.isOutdated, law: 11, "the app is not outdated")
      try world.perform(.compactDevice(0, 2))
      try world.perform(.upgrade(0))
      try end(&world)
    },
    NamedSchedule("a device compacts its copy beyond the place of a change that has not come back", against: "awaits-below-floor") {
      rules in
      var world = try world(rules) { $0.window = 0 }
      world.usesTime = true
      try world.settle()
      try world.make(.change(.claim(1)), on: 0)
      // The change is still in the outbox of the copy, which is offline.
      try world.perform(.copy(0))
      try world.perform(.lose(1))
      try world.settle()
      try world.perform(.restore(0))
      try world.perform(.discard)
      restart(&world)
      // The copy sends it again, and device 0 learns of that, and of the new generation.
      for _ in 0..<2 { try world.perform(.fire(2)) }
      try push(&world, to: 0)
      try world.perform(.lose(0))
      while world.devices[0].file.generation != world.database.generation, let step = world.nextOfDrain() { try world.perform(step) }
      while !world.messages.isEmpty { try world.perform(.lose(0)) }
      try expect(world.devices[0].file.awaited.map(\.revision) == [2], law: 7, "the change is not awaited")
      // Its entry is lost once more, and another one takes its place.
      try world.perform(.restore(0))
      restart(&world)
      try world.make(.change(.claim(5)), on: 1)
      try world.settle()
      for _ in 0..<2 { try world.perform(.fire(0)) }
      try world.settle()
      try expect(world.devices[0].file.mirror?.head == world.database.head, law: 5, "the mirror has not gone on")
      try world.perform(.compactDevice(0, 2))
      try expect(world.devices[0].file.floor == 2, law: 12, "the copy is not compacted")
      try end(&world)
    },
    NamedSchedule("a restore comes between an earlier floor and the own entries after it", against: "awaits-at-earlier-floor") { rules in
      var world = try world(rules, devices: 1) { $0.window = 1 }
      try world.settle()
      for slot in 1...3 as ClosedRange<UInt8> {
        try world.make(.change(.claim(slot)), on: 0)
        try world.settle()
      }
      try world.perform(.compactDevice(0, 3))
      // The device must begin again, because an update of its app does not read the state at its floor.
      let (database, file) = (world.database, world.devices[0].file)
      let lines = file.questions.compactMap { id in
        database.standings[id].map { VerdictLine(id: id, hash: $0.hash, verdict: $0.verdict) }
      }
      let reply = world.devices[0].file.absorb(.snapshot(Fetched(database.lineage, floor: database.start.floor, lines: lines)))
      try expect(reply == .adopted && world.devices[0].file.floor == 1, law: 0, "the device has not begun again")
      try world.perform(.restore(2))
      try world.perform(.discard)
      restart(&world)
      try end(&world)
      try expect(world.devices[0].file.refusals.map(\.code) == [.lost], law: 7, "the discarded change is not listed")
    },
  ]
}

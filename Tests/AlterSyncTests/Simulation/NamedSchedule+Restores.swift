import AlterCore
import AlterJournal
import AlterSyncCore
import Foundation
import SyncModel

// Schedules of databases that are restored from a backup or created again.
extension NamedSchedule {
  static let restores: [NamedSchedule] = [
    NamedSchedule("a restored journal undoes an entry that a mirror's floor has folded in", without: .comparesFloors) { rules in
      var world = try world(rules, devices: 1) { $0.window = 1 }
      try world.settle()
      for slot in 1...2 as ClosedRange<UInt8> {
        try world.make(.change(.claim(slot)), on: 0)
        try world.settle()
      }
      try world.perform(.compact(2))
      restart(&world)
      try world.addDevice(.ann)
      // It has the floor 2, and not the entry 3.
      for _ in 0..<4 { try world.perform(.deliver(0, to: 0)) }
      try world.perform(.lose(0))
      try world.perform(.restore(1))
      try world.perform(.discard)
      try world.drain()
      try world.make(.undoLast, on: 0)
      try end(&world)
      try expect(world.database.timeline.state.slots.isEmpty, law: 6, "the entry is not undone")
    },
    NamedSchedule("a backup that was restored against vandalism is vandalised again by the devices", against: "loses-on-restart") { rules in
      var world = try world(rules)
      try world.make(.change(.claim(1)), on: 0)
      try world.settle()
      try world.perform(.restore(0))
      try world.perform(.discard)
      try world.drain()
      try expect(world.database.timeline.state.slots.isEmpty, law: 4, "the discarded change is back")
      try expect(world.devices[0].file.refusals.map(\.code) == [.lost], law: 7, "the discarded change is not listed")
      // The user's explicit word brings it back, once.
      try world.make(.retryAll, on: 0)
      try world.drain()
      try expect(world.database.timeline.state.slots == [1], law: 7, "the discarded change cannot be retried")
    },
    NamedSchedule("a second restore comes between a new floor and its entries", against: "awaits-entries") { rules in
      var world = try world(rules)
      for slot in 1...2 as ClosedRange<UInt8> {
        try world.make(.change(.claim(slot)), on: 0)
        try world.settle()
      }
      // The second entry is lost, and the first one is not.
      try world.perform(.restore(1))
      try world.perform(.discard)
      while world.devices[0].file.generation != world.database.generation, let step = world.nextOfDrain() { try world.perform(step) }
      try world.perform(.restore(0))
      try world.perform(.discard)
      restart(&world)
      try end(&world)
      try expect(world.devices[0].file.refusals.map(\.code) == [.lost, .lost], law: 7, "a discarded change is not listed")
    },
    NamedSchedule("a restored backup is older than the operator's last decision", without: .knowsFormerGenerations) { rules in
      var world = try world(rules, devices: 1)
      try world.settle()
      let backup = world.database
      for slot in 1...2 {
        try world.make(.change(.claim(UInt8(slot))), on: 0)
        try world.settle()
        world.restore(slot == 1 ? world.database : backup)
        if slot == 1 { try world.perform(.discard) }
        try world.handle(.nudged, on: 0)
        try world.settle()
      }
      try expect(world.devices[0].file.refusals.isEmpty, law: 7, "the device gives its changes up before the operator has decided")
      try world.perform(.discard)
      try end(&world)
    },
    NamedSchedule(
      "a device that joined later meets a backup that is older than the operator's last decision", without: .knowsFormerGenerations
    ) { rules in
      var world = try world(rules, devices: 1)
      try world.settle()
      let backup = world.database
      try world.make(.change(.claim(1)), on: 0)
      try world.settle()
      world.restore(world.database)
      try world.perform(.discard)
      try world.addDevice(.ann)
      try world.make(.change(.claim(2)), on: 1)
      try world.settle()
      world.restore(backup)
      try world.handle(.nudged, on: 1)
      try world.settle()
      try expect(world.devices[1].file.refusals.isEmpty, law: 7, "the device gives its change up before the operator has decided")
      // Its mirror has the tail.
      try world.perform(.recover(1))
      try end(&world)
      try expect(world.database.timeline.state.slots == [1, 2], law: 7, "a change is lost")
    },
    NamedSchedule("a restored database decides drafts before the operator does", without: .knowsFormerGenerations) { rules in
      var world = try world(rules, devices: 1)
      try world.settle()
      let backup = world.database
      world.restore(world.database)
      try world.perform(.discard)
      try world.handle(.nudged, on: 0)
      try world.settle()
      // The device's head is also in the backup.
      world.restore(backup)
      try world.make(.change(.claim(1)), on: 0)
      try world.settle()
      try expect(world.database.head == backup.head, law: 2, "a database that awaits its operator has decided a draft")
      try world.perform(.discard)
      try end(&world)
    },
    NamedSchedule("a server process lags behind the change of the generation", without: .readsGenerations) { rules in
      var world = try world(rules, devices: 1)
      try world.settle()
      world.restore(world.database)
      try world.perform(.discard)
      // The hint names the new generation. The device reaches one process, and then the other, which has not read the database either.
      try world.perform(.hint(0))
      try world.perform(.deliver(0, to: 0))
      try world.perform(.deliver(0, to: 0))
      try expect(world.devices[0].file.generation == world.database.generation, law: 8, "the hint leads to the former generation")
      try world.handle(.nudged, on: 0)
      try world.perform(.deliver(0, to: 1))
      try world.perform(.deliver(0, to: 0))
      try expect(world.devices[0].link == .live, law: 11, "the device has stopped: \(String(describing: world.devices[0].link))")
      try end(&world)
    },
    NamedSchedule("two processes of a device talk during a change of the generation", without: .comparesRequests) { rules in
      var exchange = DirectExchange(rules)
      var file = exchange.file(1)
      exchange.make(SyncDraft(1, 1, .claim(1)), on: &file)
      let request = exchange.request(.pull, of: file)
      let late = exchange.answer(.pull, for: file)
      exchange.database.begin(Generation(2))
      // The other process has moved the file to the new generation.
      exchange.sync(&file)
      try expect(file.absorb(late, to: request) == .superseded, law: 11, "the device stops because of its other process")
    },
    NamedSchedule("two processes of a device talk, and one knows a verdict that the other's answer lacks", without: .comparesRequests) {
      rules in
      var exchange = DirectExchange(rules)
      var file = exchange.file(1)
      exchange.sync(&file)
      let request = exchange.request(.pull, of: file)
      let late = exchange.answer(.pull, for: file)
      _ = file.make(SyncDraft(1, 1, .claim(1)))
      guard case .page(let page) = exchange.answer(.push(file.submissions(limits: exchange.limits)), for: file) else { return }
      _ = file.absorb(.page(page.cut(after: 1)))
      try expect(file.absorb(late, to: request) == .superseded, law: 11, "the device stops because of its other process")
      exchange.sync(&file)
      try expect(file.outbox.isEmpty, law: 8, "the outbox does not drain")
    },
    NamedSchedule("an awaited change is lost by a restore that the operator has not decided", against: "notices-lost-verdicts") { rules in
      var exchange = DirectExchange(rules)
      var (file, other, third) = (exchange.file(1), exchange.file(2), exchange.file(3))
      exchange.make(SyncDraft(1, 1, .claim(1)), on: &file)
      exchange.database.begin(Generation(2))
      let backup = exchange.database
      _ = file.make(SyncDraft(1, 2, .claim(2)))
      var copy = file
      exchange.sync(&file)
      // The change is lost, and a copy of the file sends it in the next generation.
      exchange.database = backup
      exchange.database.begin(Generation(3))
      let second = exchange.database
      exchange.make(SyncDraft(2, 1, .claim(5)), on: &other)
      exchange.sync(&copy)
      for body in [.pull, .fetch(file.questions)] as [Request.Body] { _ = file.absorb(exchange.answer(body, for: file)) }
      try expect(file.awaited.count == 2, law: 0, "the device does not await its changes")
      exchange.database = second
      for slot in 6...7 { exchange.make(SyncDraft(3, Int64(slot), .claim(UInt8(slot))), on: &third) }
      let replies = exchange.sync(&file)
      try expect(file.refusals.isEmpty, law: 7, "the change is listed as lost before the operator has decided")
      try expect(replies.last == .diverged(isRestart: false), law: 11, "the device does not say that the server has lost a change")
      exchange.database.begin(Generation(4))
      exchange.sync(&file)
      try expect(file.awaited.isEmpty && file.refusals.map(\.code) == [.lost], law: 7, "the lost change is not listed")
    },
    NamedSchedule("a verdict of an earlier generation is believed", against: "forgets-verdicts") { rules in
      var world = try world(rules, devices: 1)
      try world.settle()
      try world.make(.change(.claim(1)), on: 0)
      try push(&world, to: 0)
      // The verdict arrives, and the entry does not.
      guard case .answer(.page(let page)) = world.messages[0].body else { return }
      world.messages[0].body = .answer(.page(page.cut(after: 1)))
      try world.perform(.deliver(0, to: 0))
      try world.perform(.restore(0))
      try world.perform(.discard)
      restart(&world)
      try world.perform(.fire(0))
      try world.perform(.deliver(0, to: 0))
      try world.perform(.deliver(0, to: 0))
      try expect(world.devices[0].file.outbox.known.isEmpty, law: 2, "a verdict of an earlier generation is known")
      try end(&world)
    },
    NamedSchedule("an address leads to another journal for a moment", against: "compares-journals") { rules in
      var exchange = DirectExchange(rules)
      var file = exchange.file(1)
      exchange.make(SyncDraft(1, 1, .claim(1)), on: &file)
      let journal = exchange.database
      exchange.database = Ledger(
        JournalID(Origin.numbered(201).uuid), lineage: Lineage(Generation(9)), initial: .initial(EntryID(201, 1), Data("staging".utf8)),
        window: 100)
      exchange.sync(&file)
      try expect(file.refusals.isEmpty, law: 7, "the device gives its change up for another journal")
      exchange.database = journal
      exchange.make(SyncDraft(1, 2, .claim(2)), on: &file)
      try expect(file.outbox.isEmpty, law: 8, "the device does not come back to its journal")
    },
    NamedSchedule("the journal is created again", against: "compares-journals") { rules in
      var exchange = DirectExchange(rules)
      var file = exchange.file(1)
      exchange.make(SyncDraft(1, 1, .claim(1)), on: &file)
      exchange.database = Ledger(
        JournalID(Origin.numbered(201).uuid), lineage: Lineage(Generation(9)), initial: .initial(EntryID(201, 1), Data("new".utf8)),
        window: 100)
      exchange.sync(&file)
      try expect(file.refusals.isEmpty, law: 7, "the device gives its change up before the operator has decided")
      // The operator's command names the lineage of a device that has stopped.
      exchange.database.begin(Generation(10), after: file.lineage)
      exchange.sync(&file)
      try expect(
        file.refusals.map(\.code) == [.lost] && file.view().state == exchange.database.timeline.state, law: 7, "it does not follow")
    },
    NamedSchedule("a verdict is known, its entry is lost by a restore, and no pull brings it", against: "notices-lost-verdicts") { rules in
      var world = try world(rules, devices: 1)
      try world.settle()
      try world.make(.change(.claim(1)), on: 0)
      try push(&world, to: 0)
      guard case .answer(.page(let page)) = world.messages[0].body else { return }
      world.messages[0].body = .answer(.page(page.cut(after: 1)))
      try world.perform(.deliver(0, to: 0))
      try world.perform(.restore(0))
      restart(&world)
      try world.perform(.fire(0))
      try world.settle()
      try expect(world.devices[0].link == .restarted, law: 11, "the device does not say that the server has lost a change")
      try world.perform(.discard)
      try end(&world)
    },
    NamedSchedule("a compaction hides an undecided restore", against: "asks-for-own-entries") { rules in
      var exchange = DirectExchange(rules, window: 0)
      var (ann, file) = (exchange.file(1), exchange.file(2))
      exchange.make(SyncDraft(1, 1, .claim(1)), on: &ann)
      exchange.sync(&file)
      let backup = exchange.database
      exchange.make(SyncDraft(2, 1, .claim(3)), on: &file)
      exchange.database = backup
      for slot in 4...5 { exchange.make(SyncDraft(1, Int64(slot), .claim(UInt8(slot))), on: &ann) }
      try expect(exchange.database.compact(to: 4), law: 0, "the journal is not compacted")
      exchange.sync(&file)
      exchange.database.begin(Generation(2))
      exchange.sync(&file)
      try expect(file.refusals.map(\.code) == [.lost], law: 7, "the lost change is not listed")
    },
  ]
}

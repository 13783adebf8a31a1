import AlterCore
import AlterJournal
import AlterSyncCore

// Schedules that the rules of the device's file hold against.
extension NamedSchedule {
  static let device: [NamedSchedule] = [
    NamedSchedule("a renamed draft changes its fresh ids, and the edits of that item fail", without: .keepsIDs) { rules in
      var world = try world(rules, devices: 1)
      try world.make(.change(.add), on: 0)
      try world.make(.markLast, on: 0)
      try world.perform(.crash(0))
      try end(&world)
      try expect(world.database.timeline.state.items.values.first == 1, law: 7, "the mark of the item is lost")
    },
    NamedSchedule("a draft leaves the outbox before the mirror has its entry", against: "waits-for-mirror") { rules in
      var world = try world(rules, devices: 1) { $0.limits.entriesPerPage = 1 }
      try world.make(.change(.claim(1)), on: 0)
      try world.make(.change(.claim(2)), on: 0)
      try end(&world)
    },
    NamedSchedule("the verdict lies below the new floor", against: "leaves-at-floor") { rules in
      var world = try world(rules, devices: 1) { $0.window = 0 }
      try world.settle()
      try world.make(.change(.claim(1)), on: 0)
      try push(&world, to: 0)
      try world.perform(.lose(0))
      try world.perform(.compact(2))
      try end(&world)
    },
    NamedSchedule("an outdated app: an accepted change vanishes beyond the fold", without: .showsOwnBeyondFold) { rules in
      var world = try world(rules) { $0.newestSchema = 2 }
      try world.perform(.enableSchema)
      try world.perform(.upgrade(1))
      try world.make(.change(.claim(1)), on: 1)
      try world.settle()
      try world.make(.change(.claim(2)), on: 0)
      try world.settle()
      let file = world.devices[0].file
      try expect(file.outbox.isEmpty && file.isOutdated && world.devices[0].link == .outdated, law: 11, "the app is not outdated")
      try expect(file.view().state.slots.contains(2), law: 12, "the accepted change has left the view")
      try end(&world)
    },
    NamedSchedule("first launch offline: there is no initial entry", without: .replacesInitial) { rules in
      var world = try world(rules, devices: 1)
      try world.make(.change(.claim(1)), on: 0)
      try expect(
        world.devices[0].file.view().state.name == ShelfChange.note(1).payload, law: 12, "there is no view before the first contact")
      try world.drain()
      try expect(world.devices[0].file.view().state == world.database.timeline.state, law: 6, "the local initial state is still there")
    },
    NamedSchedule("a refusal is read as a remote deletion", against: "keeps-refused") { rules in
      var world = try world(rules)
      try world.make(.change(.claim(1)), on: 0)
      try world.make(.change(.claim(1)), on: 1)
      try end(&world)
    },
    NamedSchedule("pending work and cursor change in different transactions", without: .oneTransaction) { rules in
      var world = try world(rules, devices: 1)
      try world.settle()
      try world.make(.change(.nonsense), on: 0)
      try push(&world, to: 0)
      try world.perform(.crashDuring(0))
      try end(&world)
    },
    NamedSchedule("a damaged entry enters the mirror", without: .verifiesChain) { rules in
      var world = try world(rules, devices: 1)
      try world.perform(.deliver(0, to: 0))
      guard case .answer(.page(var page)) = world.messages[0].body else { return }
      page.entries[0] = page.entries[0].damaged()
      world.messages[0].body = .answer(.page(page))
      try world.perform(.deliver(0, to: 0))
      try world.drain()
    },
    NamedSchedule("a guard refuses during a rebase, and the draft is never decided", without: .sendsPredictedRefusals) { rules in
      var world = try world(rules)
      try world.settle()
      try world.make(.change(.claim(1)), on: 1)
      try world.make(.change(.claim(1)), on: 0)
      try push(&world, to: 0)
      // The policy fails, so that the entry arrives before the verdict.
      world.policy.isDown = true
      try push(&world, to: 0)
      try world.settle()
      try expect(world.devices[0].file.view().hidden.count == 1, law: 0, "the draft is not hidden")
      try end(&world)
    },
    NamedSchedule("Bob changes Ann's file, and Ann's receipt stands on the change", without: .locks) { rules in
      var world = try world(rules, devices: 1)
      try world.settle()
      try world.make(.change(.claim(1)), on: 0)
      world.devices[0].token = .bob
      try world.make(.change(.claim(2)), on: 0)
      world.devices[0].token = .ann
      try end(&world)
      try expect(world.database.timeline.state.slots == [1], law: 9, "the file has taken a change of another user")
    },
    NamedSchedule("another user signs in while the link is live", without: .locks) { rules in
      var world = try world(rules, devices: 1)
      try world.settle()
      world.devices[0].token = .bob
      try world.handle(.nudged, on: 0)
      try expect(world.devices[0].link == .locked && world.messages.isEmpty, law: 9, "the device talks under another user's token")
      try expect(!world.devices[0].engine.isStreamOpen, law: 9, "the device hears under another user's token")
      world.devices[0].token = .ann
      try world.handle(.nudged, on: 0)
      try world.settle()
      try expect(world.devices[0].link == .live, law: 11, "the device does not continue for its owner")
      try end(&world)
    },
    NamedSchedule("a process continues the origin of a dead one", without: .newOriginPerHandle) { rules in
      var world = try world(rules, devices: 1)
      try world.make(.change(.claim(1)), on: 0)
      try world.settle()
      // The new process counts from the outbox, which is empty.
      try world.perform(.crash(0))
      try world.make(.change(.claim(2)), on: 0)
      try world.settle()
      try expect(world.database.timeline.state.slots == [1, 2], law: 1, "the change was taken for a clone of another")
    },
  ]
}

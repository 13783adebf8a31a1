import AlterCore
import AlterJournal
import AlterSyncCore
import SyncModel

// Schedules that the server's rules hold against.
extension NamedSchedule {
  static let server: [NamedSchedule] = [
    NamedSchedule("an origin's first draft is number 2, and the server waits for 1", without: .permitsGaps) { rules in
      var world = try world(rules)
      // The device's first change was refused when it was made; its number is used.
      _ = world.devices[0].nextID()
      try world.make(.change(.claim(1)), on: 0)
      try end(&world)
    },
    NamedSchedule("malformed drafts block the drafts after them", without: .refusesMalformed) { rules in
      var world = try world(rules)
      for _ in 0..<7 { try world.make(.change(.nonsense), on: 0) }
      for slot in 1...20 { try world.make(.change(.claim(UInt8(slot))), on: 0) }
      try end(&world)
      try expect(world.devices[0].file.refusals.count == 7, law: 7, "the malformed drafts are not listed")
    },
    NamedSchedule("a server commits 1-5, the answer is lost, and the device sends 1-10 to another server", without: .looksUp) { rules in
      try lostAnswer(rules)
    },
    NamedSchedule("a server at an older head appends what it has decided there", without: .decidesAgain) { rules in
      var world = try world(rules)
      try world.settle()
      try world.make(.change(.claim(1)), on: 0)
      try world.make(.change(.claim(1)), on: 1)
      // Both processes decide at the same head.
      try world.perform(.deliver(0, to: 0))
      try world.perform(.deliver(0, to: 1))
      try world.perform(.commit(0))
      try world.perform(.commit(1))
      try end(&world)
    },
    NamedSchedule("an error response hides an applied push", without: .looksUp) { rules in
      var world = try world(rules)
      try world.settle()
      try world.make(.change(.claim(1)), on: 0)
      try push(&world, to: 0)
      world.messages[0].body = .answer(.notUnderstood)
      try world.perform(.deliver(0, to: 0))
      try end(&world)
    },
    NamedSchedule("Ann's drafts are sent under Bob's token", without: .comparesPrincipals) { rules in
      // A device that does not compare the principals itself.
      var world = try world(rules.subtracting(.locks), devices: 1)
      try world.make(.change(.claim(1)), on: 0)
      world.devices[0].token = .bob
      try world.settle()
      try expect(world.database.origins[.numbered(1)] == nil, law: 9, "Ann's change was accepted as Bob's")
      try expect(world.devices[0].link == .forbidden, law: 11, "the link does not say that it is forbidden")
      try end(&world)
    },
    NamedSchedule("another principal uses a bound origin", without: .bindsOrigins) { rules in
      var world = try world(rules, principals: [.ann, .bob])
      try world.make(.change(.claim(1)), on: 0)
      try world.settle()
      world.devices[1].origin = 1
      world.devices[1].sequence = 1
      try world.make(.change(.claim(2)), on: 1)
      // An own origin is not affected.
      world.devices[1].origin = 2
      world.devices[1].sequence = 0
      try world.make(.change(.claim(3)), on: 1)
      try end(&world)
      try expect(world.database.timeline.state.slots == [1, 3], law: 9, "an entry of a forged origin was accepted")
    },
    NamedSchedule("two live copies of one handle use the same ids", without: .comparesHashes) { rules in
      var world = try world(rules, devices: 1)
      try world.settle()
      try world.perform(.copy(0))
      (world.devices[1].origin, world.devices[1].sequence) = (world.devices[0].origin, world.devices[0].sequence)
      try world.make(.change(.claim(1)), on: 0)
      try world.make(.change(.claim(2)), on: 1)
      try end(&world)
    },
    NamedSchedule("the retry of a clone has the stamp of another draft", without: .renewsClones) { rules in
      var world = try world(rules, devices: 1)
      try world.settle()
      try world.perform(.copy(0))
      (world.devices[1].origin, world.devices[1].sequence) = (world.devices[0].origin, world.devices[0].sequence)
      try world.make(.change(.claim(1)), on: 0)
      try world.make(.change(.claim(2)), on: 1)
      try world.drain()
      for index in 0...1 { try world.make(.retryAll, on: index) }
      try world.drain()
      try expect(world.database.timeline.state.slots == [1, 2], law: 7, "the clone cannot be retried")
    },
    NamedSchedule("a draft overtakes the one before it, whose verdict a restore has ended", without: .keepsOrder) { rules in
      try endedVerdict(rules, isCopied: false)
    },
    NamedSchedule("a draft overtakes the one before it, and a copy of the file has nothing to do with it", without: .keepsOrder) { rules in
      try endedVerdict(rules, isCopied: true)
    },
    NamedSchedule("a sequence below the last one of its origin", without: .refusesLate) { rules in
      // An older copy of the file sends a draft that the operator has discarded; its origin has gone on.
      var world = try world(rules, devices: 1)
      try world.settle()
      world.devices[0].sequence = 1
      try world.make(.change(.claim(2)), on: 0)
      try world.settle()
      let late = SyncDraft(1, 1, .claim(1))
      world.devices[0].file.makeUnchecked(late)
      try world.handle(.drafted, on: 0)
      try world.settle()
      try expect(world.devices[0].file.refusals.map(\.code) == [.late], law: 3, "a draft was decided after a later one of its origin")
    },
    NamedSchedule("the policy's database is down, and everything is refused permanently", without: .holdsFailingPolicy) { rules in
      var world = try world(rules, devices: 1)
      world.policy.isDown = true
      try world.make(.change(.claim(1)), on: 0)
      try world.settle()
      try end(&world)
      try expect(world.database.timeline.state.slots == [1], law: 8, "a failing policy has refused a change")
    },
    NamedSchedule("a denied change", without: .asksPolicy) { rules in
      var world = try world(rules, devices: 1)
      try world.make(.change(.claim(99)), on: 0)
      try end(&world)
      try expect(world.database.timeline.state.slots.isEmpty, law: 9, "a denied change was accepted")
    },
    NamedSchedule("an undo scope that the policy does not grant", without: .checksScopes) { rules in
      var world = try world(rules, devices: 1)
      world.policy.scopes = ["own"]
      try world.make(.change(.claim(1)), on: 0)
      try world.settle()
      try expect(world.database.timeline.state.slots.isEmpty, law: 9, "a change of a denied scope was accepted")
    },
    NamedSchedule("a schema change abandons pending work", without: .holdsNewerSchema) { rules in
      var world = try world(rules, devices: 1) { $0.newestSchema = 2 }
      try world.perform(.upgrade(0))
      try world.make(.change(.claim(1)), on: 0)
      try world.settle()
      try end(&world)
      try expect(world.database.timeline.state.slots == [1], law: 12, "a change of a newer schema was refused")
    },
    NamedSchedule("`requires` is not stored", without: .checksRequirements) { rules in
      var world = try world(rules)
      try world.settle()
      try world.make(.change(.claim(1)), on: 1)
      try world.make(.change(.claim(1)), on: 0)
      try world.make(.dependent(.claim(2)), on: 0)
      // Device 1 is first.
      try push(&world, to: 0)
      try end(&world)
      try expect(world.database.timeline.state.slots == [1], law: 2, "a change was accepted without its requirement")
      try expect(world.devices[0].file.refusals.map(\.code) == [.refused, .requirement], law: 7, "the refusals are not listed")
    },
    NamedSchedule("two copies of a file retry the same refusal", without: .acceptsOneAttempt) { rules in
      var world = try world(rules)
      try world.make(.change(.claim(1)), on: 1)
      try world.settle()
      // The device's view is older.
      let refused = SyncDraft(id: world.devices[0].nextID(), time: 0, content: .changes(ShelfChange.claim(1).payload))
      world.devices[0].file.makeUnchecked(refused)
      try world.handle(.drafted, on: 0)
      try world.settle()
      try world.perform(.copy(0))
      try world.make(.undoLast, on: 1)
      try world.settle()
      try world.make(.retryAll, on: 0)
      try world.settle()
      // Slot 1 is free again, and nothing but the rule stands against the second attempt.
      try world.make(.undoLast, on: 1)
      try world.settle()
      try world.make(.retryAll, on: 2)
      try world.drain()
    },
    NamedSchedule("two devices undo one change", without: .supersedes) { rules in
      var world = try world(rules)
      try world.make(.change(.claim(1)), on: 0)
      try world.settle()
      try world.make(.undoLast, on: 0)
      try world.make(.undoLast, on: 1)
      try end(&world)
      try expect(world.database.timeline.items.count == 2, law: 2, "one change was undone twice")
      try expect(world.devices[0].file.refusals.count + world.devices[1].file.refusals.count == 1, law: 7, "no undo is superseded")
    },
    NamedSchedule("a server-side feedback answers before the undo arrives", without: .undoesAnswers) { rules in
      var world = try world(rules, devices: 1)
      try world.make(.change(.add), on: 0)
      try world.settle()
      try world.make(.undoLast, on: 0)
      // The feedback's answer, which the device has not seen.
      let answer = SyncDraft(90, 1, .mark(EntryID(1, 1)), answers: EntryID(1, 1))
      world.database.append(.draft(answer), by: Principal("service"), receipt: Receipt(author: Pseudonym(bits: 1), arrival: 0))
      try world.oracle.add(world.database.entries[world.database.entries.count - 1])
      try end(&world)
      try expect(world.database.timeline.state.items.isEmpty, law: 7, "the answer has stopped the undo")
    },
    NamedSchedule("refusals push every user's undo out of the window", without: .windowSkipsRefusals) { rules in
      var world = try world(rules) { $0.window = 3 }
      try world.make(.change(.claim(1)), on: 0)
      try world.settle()
      for _ in 0..<20 { try world.make(.change(.nonsense), on: 1) }
      try world.settle()
      try world.make(.undoLast, on: 0)
      try end(&world)
      try expect(world.database.timeline.state.slots.isEmpty, law: 7, "the undo was refused")
    },
    NamedSchedule("one principal fills the journal with refusals", without: .hasBudget) { rules in
      var world = try world(rules, devices: 1) { $0.limits.refusalsPerMinute = 3 }
      for _ in 0..<20 { try world.make(.change(.nonsense), on: 0) }
      try world.settle()
      // A budget belongs to a process.
      try expect(world.database.head.revision <= 1 + 3 * 2, law: 12, "the budget of refusals is exceeded")
      try end(&world)
    },
    NamedSchedule("a compacted journal forgets its verdicts", without: .keepsVerdicts) { rules in
      var world = try world(rules, devices: 1) { $0.window = 0 }
      try world.settle()
      try world.make(.change(.add), on: 0)
      try push(&world, to: 0)
      try world.perform(.lose(0))
      try world.perform(.compact(2))
      try end(&world)
    },
    NamedSchedule("a server lags and reports a divergence", without: .readsHead) { rules in
      var world = try world(rules, devices: 1)
      try world.settle()
      try world.make(.change(.claim(1)), on: 0)
      try world.settle()
      // The other process has not read the new entry.
      try world.handle(.nudged, on: 0)
      try world.perform(.deliver(0, to: 1))
      try world.perform(.deliver(0, to: 0))
      try expect(world.devices[0].link == .live, law: 11, "the device has stopped: \(String(describing: world.devices[0].link))")
    },
    NamedSchedule("a hint leads to a server that lags", without: .readsKnown) { rules in
      var world = try world(rules)
      try world.settle()
      try world.make(.change(.claim(1)), on: 0)
      try push(&world, to: 1)
      try world.perform(.deliver(0, to: 0))
      // Every request of device 1 reaches the process that lags.
      try end(&world)
    },
    NamedSchedule("verdicts come after the entries", without: .verdictsFirst) { rules in
      var world = try world(rules, devices: 1)
      let receipt = Receipt(author: Pseudonym(bits: 1), arrival: 0)
      for slot in 1...50 {
        world.database.append(.draft(SyncDraft(90, Int64(slot), .claim(UInt8(slot)))), by: Principal("service"), receipt: receipt)
      }
      for entry in world.database.entries.dropFirst() { try world.oracle.add(entry) }
      try world.make(.change(.claim(99 - 1)), on: 0)
      try world.perform(.lose(0))
      try world.perform(.fire(0))
      try world.perform(.fire(0))
      try push(&world, to: 0)
      guard case .answer(.page(let page)) = world.messages[0].body else { return }
      world.messages[0].body = .answer(.page(rules.contains(.verdictsFirst) ? page.cut(after: 5) : cutBehindEntries(page, after: 5)))
      try world.perform(.deliver(0, to: 0))
      try expect(!world.devices[0].file.outbox.hasUndecided, law: 8, "the verdict has not arrived on a bad line")
    },
  ]

  /// The wrong rule: the entries come before the verdicts.
  private static func cutBehindEntries(_ page: Page, after count: Int) -> Page {
    var cut = page.cut(after: 0)
    cut.entries = Array(page.entries.prefix(count))
    cut.lines = Array(page.lines.prefix(max(0, count - page.entries.count)))
    return cut
  }

  private static func endedVerdict(_ rules: ModelRules, isCopied: Bool) throws {
    var world = try world(rules, devices: 1)
    try world.settle()
    if isCopied {
      try world.perform(.copy(0))
      try world.settle()
    }
    try world.make(.change(.claim(1)), on: 0)
    try push(&world, to: 0)
    // The verdict arrives, and the entry does not.
    guard case .answer(.page(let page)) = world.messages[0].body else { return }
    world.messages[0].body = .answer(.page(page.cut(after: 1)))
    try world.perform(.deliver(0, to: 0))
    try world.perform(.restore(0))
    try world.make(.change(.claim(2)), on: 0)
    world.now += 1_000_000
    try world.perform(.fire(0))
    try world.settle()
  }

  private static func lostAnswer(_ rules: ModelRules) throws {
    var world = try world(rules, devices: 1)
    try world.settle()
    for slot in 1...5 { try world.make(.change(.claim(UInt8(slot))), on: 0) }
    // The first push carries one draft; the second the rest.
    try push(&world, to: 0)
    try world.perform(.deliver(0, to: 0))
    try push(&world, to: 0)
    try world.perform(.lose(0))
    for slot in 6...10 { try world.make(.change(.claim(UInt8(slot))), on: 0) }
    try world.perform(.fire(0))
    try world.perform(.fire(0))
    try push(&world, to: 1)
    try end(&world)
    try expect(world.database.head.revision == 11, law: 2, "the journal has \(world.database.head.revision) entries")
  }
}

import AlterCore

// A journal in memory that a server decides: the reference implementation.
extension MemoryJournal.Contents {
  /// The part of a journal that only a server needs.
  struct Served {
    var lineage: Lineage
    var schema: Int
    var origins: [Origin: OriginStanding] = [:]
    /// The accepted attempts by their first attempts.
    var attempts: [EntryID: EntryID] = [:]
    var reasons: [EntryID: String] = [:]
    /// The verdicts on the drafts of removed entries.
    var removed: [EntryID: DecidedStanding] = [:]

    /// Records the principal that uses an origin. The first one keeps it.
    mutating func bind(_ origin: Origin, to principal: String, using sequence: Int64) {
      origins[origin] = (origins[origin] ?? OriginStanding(principal: principal, last: 0)).used(by: principal, upTo: sequence)
    }
  }

  /// The position of a served journal; nil if it is not served.
  var position: ServerPosition? {
    served.map { ServerPosition(head: head, lineage: $0.lineage, floor: floor, schema: $0.schema) }
  }

  /// Throws if one of some leases was taken over.
  func check(_ leases: [Lease], in name: String) throws(JournalError) {
    for lease in leases {
      let epoch = self.leases[lease.name]?.epoch ?? 0
      guard epoch == lease.epoch else { throw .staleLease(name, lease, epoch: epoch) }
    }
  }

  /// Adds an entry at the end.
  mutating func append(_ draft: Entry.Draft, receipt: Receipt?) {
    let entry = Entry(draft, receipt: receipt, after: head)
    places[entry.id] = entry.revision
    entries.append(entry)
    head = head.advanced(by: entry)
  }
}

extension MemoryJournal: ServerJournal {
  /// Returns ``JournalRole/server`` if a server writes this journal.
  public func role() async throws(JournalError) -> JournalRole { try read { $0.served == nil ? .plain : .server } }

  package func serve(_ lineage: Lineage, schema: Int, replacing present: Generation?) async throws(JournalError) {
    try contents.withLock { contents throws(JournalError) in
      guard !contents.isClosed else { throw .closed(name) }
      guard contents.served?.lineage.generation == present else { throw .otherGeneration(name) }
      var served = contents.served ?? MemoryJournal.Contents.Served(lineage: lineage, schema: schema)
      (served.lineage, served.schema) = (lineage, schema)
      contents.served = served
    }
  }

  package func position() async throws(JournalError) -> ServerPosition {
    guard let position = try read({ $0.position }) else { throw .notServed(name) }
    return position
  }

  package func facts(about questions: ServerQuestions) async throws(JournalError) -> ServerFacts {
    try read { contents throws(JournalError) in
      guard let served = contents.served, let position = contents.position else { throw .notServed(name) }
      var facts = ServerFacts(position)
      for id in questions.ids { facts.standings[id] = contents.standing(of: id) }
      for origin in questions.origins { facts.origins[origin] = served.origins[origin] }
      for family in questions.families { facts.attempts[family] = served.attempts[family] }
      return facts
    }
  }

  package func append(_ decided: [DecidedDraft], at position: ServerPosition, under leases: [Lease]) async throws(JournalError) -> Appended
  {
    precondition(!decided.isEmpty, "An append needs at least one draft.")
    let appended: Appended = try contents.withLock { contents throws(JournalError) in
      guard !contents.isClosed else { throw .closed(name) }
      guard let current = contents.position else { throw .notServed(name) }
      try contents.check(leases, in: name)
      guard current == position else { throw .conflict(name, at: current.head.revision, expected: position.head.revision) }
      for draft in decided {
        if let place = contents.places[draft.draft.id] { throw .originCollision(name, draft.draft.id, at: place) }
        try contents.checkTargets(of: draft.draft, in: name)
      }
      for draft in decided { contents.append(draft) }
      return Appended(first: position.head.revision.next, head: contents.head)
    }
    waiters.advance(to: appended.head.revision)
    return appended
  }

  package func reasons(of ids: [EntryID]) async throws(JournalError) -> [EntryID: String] {
    try read { contents in
      ids.reduce(into: [:]) { reasons, id in reasons[id] = contents.served?.reasons[id] }
    }
  }
}

extension MemoryJournal.Contents {
  /// Adds a decided draft, with all that later decisions ask for.
  fileprivate mutating func append(_ decided: DecidedDraft) {
    append(decided.draft, receipt: decided.receipt)
    let id = decided.draft.id
    served?.bind(id.origin, to: decided.principal, using: id.sequence)
    if let first = decided.retries {
      served?.bind(first.origin, to: decided.principal, using: 0)
      served?.attempts[first] = id
    }
    if let reason = decided.reason { served?.reasons[id] = reason }
  }
}

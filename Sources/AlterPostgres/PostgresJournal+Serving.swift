#if Postgres
  import AlterCore
  public import AlterJournal

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  // A journal that a server decides. The first one in a schema migrates the tables to version 2.
  extension PostgresJournal: ServerJournal {
    /// Returns ``/AlterJournal/JournalRole/server`` if a server decides this journal.
    public func role() async throws(JournalError) -> JournalRole {
      let answer = try await read({ $0.head }, Parameters(.number(place.number)), "read its head")
      return answer.rowCount == 1 && answer.number(0, 4) != nil ? .server : .plain
    }

    package func serve(_ lineage: Lineage, schema: Int) async throws(JournalError) {
      try checkWritable()
      // The tables may have been migrated by another process since this one has read their version.
      if statements.version < Tables.newest {
        try await TableSetup(pool: pool, schema: self.schema, name: name).migrate(until: deadline)
      }
      let (number, id, durability) = (place.number, id, durability)
      let answer = try await write("serve it") { statements, lockTimeout in
        [
          Call(
            statements.serving,
            Parameters(
              .number(number), .uuid(id.uuid), .number(lineage.generation.bits), .numbers(lineage.formerBits), .number(Int64(schema)),
              .text(durability == .full ? "on" : "off"), .text(lockTimeout.setting)))
        ]
      }
      guard answer.rowCount == 1 else { throw .damaged(name, "the row with its head is missing") }
    }

    package func position() async throws(JournalError) -> ServerPosition { try await facts(about: ServerQuestions()).position }

    package func facts(about questions: ServerQuestions) async throws(JournalError) -> ServerFacts {
      // Version 1 has no served journal, and not the tables of the statement.
      if statements.version < Tables.newest, try await role() != .server { throw .notServed(name) }
      let (ids, families) = (Array(questions.ids), Array(questions.families))
      let answer = try await read(
        { $0.facts },
        Parameters(
          .number(place.number), .uuids(ids.map(\.origin.uuid)), .numbers(ids.map(\.sequence)), .uuids(questions.origins.map(\.uuid)),
          .uuids(families.map(\.origin.uuid)), .numbers(families.map(\.sequence))), "look drafts up")
      let facts: ServerFacts?
      do throws(EntryRow.Complaint) { facts = try FactsRow.facts(answer) } catch { throw .damaged(name, error) }
      guard let facts else { throw .notServed(name) }
      // An entry of unknown outcome is no verdict yet.
      let doubts = state.withLock { $0.doubts }
      let doubted = doubts.isEmpty ? [] : facts.standings.keys.filter(doubts.contains)
      if let first = doubted.first {
        try await confirm(facts.position.head, first, "look drafts up")
        state.withLock { state in for id in doubted { state.doubts.remove(id) } }
      }
      return facts
    }

    package func append(_ decided: [DecidedDraft], at position: ServerPosition) async throws(JournalError) -> Appended {
      precondition(!decided.isEmpty, "An append needs at least one draft.")
      try checkWritable()
      try checkSize(decided.map(\.draft))
      if statements.version < Tables.newest, try await role() != .server { throw .notServed(name) }
      let turn = try await standInLine()
      defer { turn.end() }
      let appended: Appended
      do {
        appended = try await insert(decided, at: position)
      } catch {
        if error.code == .unknownOutcome { for draft in decided { doubt([draft.draft]) } }
        throw error
      }
      waiters.advance(to: appended.head.revision)
      return appended
    }

    /// Tries to append. If nothing was inserted, determines the reason.
    private func insert(_ decided: [DecidedDraft], at position: ServerPosition) async throws(JournalError) -> Appended {
      let head = position.head
      var (entries, end) = ([Entry](), head)
      if head.journal == id, head.revision >= .zero, head.revision < Revision(.max - Int64(decided.count)) {
        for draft in decided {
          let entry = Entry(draft.draft, receipt: draft.receipt, after: end)
          entries.append(entry)
          end = end.advanced(by: entry)
        }
      }
      var questions = ServerQuestions()
      questions.ids = Set(decided.map(\.draft.id))
      for _ in 0..<4 {
        // A head that cannot belong to this journal is not sent.
        if !entries.isEmpty, try await send(decided, entries, at: position) {
          return Appended(first: head.revision.next, head: end)
        }
        let facts = try await facts(about: questions)
        // The wait for a standby was interrupted after the commit.
        if let last = entries.last, facts.standings[last.id]?.revision == last.revision, try await entry(last.id) == last {
          try await confirm(end, last.id, "append")
          pool.announce(place, at: end.revision)
          return Appended(first: head.revision.next, head: end)
        }
        guard facts.position == position else { throw .conflict(name, at: facts.position.head.revision, expected: head.revision) }
        if let taken = decided.first(where: { facts.standings[$0.draft.id] != nil }), let there = facts.standings[taken.draft.id] {
          throw .originCollision(name, taken.draft.id, at: there.revision)
        }
      }
      throw JournalError(
        .unavailable, journal: name,
        message: "could not append: concurrent appends kept conflicting with this one. Nothing was written. Try again.")
    }

    /// Sends decided drafts in one round trip.
    ///
    /// - Returns: Whether they were inserted and committed. If not, the database shows the reason.
    private func send(_ decided: [DecidedDraft], _ entries: [Entry], at position: ServerPosition) async throws(JournalError) -> Bool {
      let (count, revision) = (entries.count, position.head.revision + entries.count)
      let isAppended: @Sendable ([Answer]) -> Bool = { $0.first?.affectedCount == count }
      let parameters = ServingParameters(decided, entries, at: position)
      let (number, id, durability) = (place.number, id, durability)
      let result = await locking(then: { [pool, place] in if isAppended($0) { pool.announceNow(place, at: revision) } }) {
        statements, lockTimeout in
        [
          Call(
            statements.appendingDecided,
            parameters.values(number: number, id, isDurable: durability == .full, lockTimeout: lockTimeout)
          ).announced
        ]
      }
      switch result {
      case .success(let answers): return isAppended(answers)
      // Committed, but perhaps not by the standby. The next step finds the entries and confirms them.
      case .failure(.unconfirmed): return false
      // A duplicate id or revision, a serialization failure.
      case .failure(.refused("23505", _)), .failure(.refused("40001", _)): return false
      case .failure(let failure): throw translated(failure, doing: "append", mayBeDone: true)
      }
    }

    package func reasons(of ids: [EntryID]) async throws(JournalError) -> [EntryID: String] {
      guard !ids.isEmpty, statements.version >= Tables.newest else { return [:] }
      let answer = try await read(
        { $0.reasons }, Parameters(.number(place.number), .uuids(ids.map(\.origin.uuid)), .numbers(ids.map(\.sequence))),
        "read the reasons of refusals")
      var reasons: [EntryID: String] = [:]
      for row in 0..<answer.rowCount {
        guard let origin = answer.uuid(row, 0), let sequence = answer.number(row, 1), let reason = answer.text(row, 2) else { continue }
        reasons[EntryID(origin: Origin(origin), sequence: sequence)] = reason
      }
      return reasons
    }
  }

  /// The parameters of ``Statements/appendingDecided``.
  private struct ServingParameters: Sendable {
    let decided: [DecidedDraft]
    let entries: [Entry]
    let position: ServerPosition
    /// The origins in the order of their first use. One statement cannot change a row twice, so the uses of an origin are merged before.
    private var origins: [(origin: Origin, principal: String, last: Int64)] = []
    private var attempts: [EntryID: EntryID] = [:]

    init(_ decided: [DecidedDraft], _ entries: [Entry], at position: ServerPosition) {
      (self.decided, self.entries, self.position) = (decided, entries, position)
      var places: [Origin: Int] = [:]
      for draft in decided {
        use(draft.draft.id.origin, by: draft.principal, draft.draft.id.sequence, &places)
        guard let first = draft.retries else { continue }
        use(first.origin, by: draft.principal, 0, &places)
        attempts[first] = draft.draft.id
      }
    }

    private mutating func use(_ origin: Origin, by principal: String, _ sequence: Int64, _ places: inout [Origin: Int]) {
      if let place = places[origin] {
        origins[place].last = max(origins[place].last, sequence)
      } else {
        places[origin] = origins.count
        origins.append((origin, principal, max(0, sequence)))
      }
    }

    func values(number: Int64, _ id: JournalID, isDurable: Bool, lockTimeout: Duration) -> Parameters {
      let head = position.head
      var parameters = Parameters(
        .number(number), .uuid(id.uuid), .number(head.revision.number), .bytes(head.checksum.bytes))
      EntryRow.addArrays(entries, to: &parameters)
      let attempts = Array(attempts)
      let reasons = zip(entries, decided).compactMap { entry, draft in draft.reason.map { (entry.revision.number, Data($0.utf8)) } }
      let rest: [Parameters.Value] = [
        .text(isDurable ? "on" : "off"), .text(lockTimeout.setting),
        .numbers(decided.map { Int64(bitPattern: $0.receipt.author.bits) }), .numbers(decided.map(\.receipt.arrival)),
        .number(position.lineage.generation.bits), .numbers(position.lineage.formerBits), .number(Int64(position.schema)),
        .number(position.floor.revision.number),
        .uuids(origins.map(\.origin.uuid)), .byteArrays(origins.map { Data($0.principal.utf8) }), .numbers(origins.map(\.last)),
        .uuids(attempts.map(\.key.origin.uuid)), .numbers(attempts.map(\.key.sequence)),
        .uuids(attempts.map(\.value.origin.uuid)), .numbers(attempts.map(\.value.sequence)),
        .numbers(reasons.map(\.0)), .byteArrays(reasons.map(\.1)),
      ]
      for value in rest { parameters.add(value) }
      return parameters
    }
  }

  extension Generation {
    /// The number as `bigint`.
    var bits: Int64 { Int64(bitPattern: number) }
  }

  extension Lineage {
    /// The former generations as `bigint`, ascending.
    var formerBits: [Int64] { former.map(\.bits).sorted() }
  }
#endif

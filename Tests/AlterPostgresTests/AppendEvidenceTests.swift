#if Postgres
  import AlterCore
  import AlterJournal
  import StoreTesting
  import Testing

  @testable import AlterPostgres

  @Suite("What became of an append that was not made")
  struct AppendEvidenceTests {
    private let drafts: [Entry.Draft]
    private let entries: [Entry]
    private let heads: [Head]

    init() {
      var writer = TestWriter()
      drafts = writer.drafts(4)
      var heads = [Head(empty: .random())]
      var entries: [Entry] = []
      for draft in drafts {
        entries.append(Entry(draft, after: heads[heads.count - 1]))
        heads.append(heads[heads.count - 1].advanced(by: entries[entries.count - 1]))
      }
      (self.heads, self.entries) = (heads, entries)
    }

    private func verdict(_ drafts: [Entry.Draft], after head: Head, under leases: [Lease] = [], _ evidence: AppendEvidence)
      -> AppendEvidence.Finding
    {
      evidence.verdict(drafts, after: head, under: leases, in: "test")
    }

    private func code(_ verdict: AppendEvidence.Finding) -> JournalError.Code? {
      if case .refused(let error) = verdict { error.code } else { nil }
    }

    @Test("is found where it is, whatever head and leases were presented")
    func there() {
      let evidence = AppendEvidence(head: heads[4], checksum: nil, found: Array(entries[1...2]), epochs: ["sync": 9])
      let lease = Lease(name: "sync", holder: .random(), epoch: 1, expires: 0)
      let expected = AppendEvidence.Finding.there(Appended(first: 2, head: heads[3]))
      #expect(verdict(Array(drafts[1...2]), after: heads[0], under: [lease], evidence) == expected)
      #expect(verdict(Array(drafts[1...2]), after: Head(empty: .random()), evidence) == expected)
    }

    @Test("is a conflict at an ancestor, and a divergence at anything else")
    func elsewhere() {
      let evidence = AppendEvidence(head: heads[3], checksum: entries[1].checksum, found: [], epochs: [:])
      #expect(code(verdict([drafts[3]], after: heads[2], evidence)) == .conflict)
      #expect(code(verdict([drafts[3]], after: heads[0], evidence)) == .conflict)
      #expect(code(verdict([drafts[3]], after: heads[1], evidence)) == .diverged)
      #expect(code(verdict([drafts[3]], after: heads[4], evidence)) == .diverged)
      #expect(verdict([drafts[3]], after: heads[3], evidence) == .tryAgain)
    }

    @Test("is stopped by a stale lease before the head is looked at, and by a taken id after it")
    func order() {
      var evidence = AppendEvidence(head: heads[2], checksum: nil, found: [entries[1]], epochs: ["sync": 2])
      let stale = Lease(name: "sync", holder: .random(), epoch: 1, expires: 0)
      let never = Lease(name: "never", holder: .random(), epoch: 1, expires: 0)
      let late = [drafts[2], drafts[1]]
      #expect(code(verdict(late, after: heads[0], under: [stale], evidence)) == .staleLease)
      #expect(code(verdict(late, after: heads[2], under: [never], evidence)) == .staleLease)
      #expect(code(verdict(late, after: heads[0], evidence)) == .conflict)
      #expect(code(verdict(late, after: heads[2], evidence)) == .originCollision)
      #expect(code(verdict([drafts[1], drafts[2]], after: heads[2], evidence)) == .originCollision)
      evidence.found = []
      #expect(verdict(late, after: heads[2], under: [Lease(name: "sync", holder: .random(), epoch: 2, expires: 0)], evidence) == .tryAgain)
    }
  }
#endif

#if Postgres
  import AlterCore
  import AlterTesting
  import Testing

  @testable import AlterPostgres

  @Suite("The admission of connections")
  struct AdmissionTests {
    private let start = ContinuousClock.now

    private func admission(open count: Int = 0) -> Admission {
      var admission = Admission(at: start)
      for _ in 0..<count { try? begin(&admission, at: start) }
      for _ in 0..<count { admission.open(at: start) }
      return admission
    }

    private func begin(_ admission: inout Admission, at now: ContinuousClock.Instant) throws {
      let isBegun = admission.begin(at: now)
      try #require(isBegun)
    }

    @Test("allows any number of attempts at once until one is refused; those that are refused together count once")
    func together() throws {
      var admission = admission()
      for _ in 0..<5 { try begin(&admission, at: start) }
      for _ in 0..<5 { admission.refuse(at: start, share: 1) }
      #expect(admission.nextAttempt == start + .milliseconds(100))
      #expect(admission.isScarce && admission.isCutOff)
    }

    @Test("then allows one at a time, after a pause that doubles up to five seconds, of which a random part passes")
    func pauses() throws {
      var (admission, now, pauses) = (admission(), start, [Duration]())
      for share in [1, 1, 0.5, 1, 1, 1, 1, 1] {
        try begin(&admission, at: now)
        let isSecondAllowed = admission.begin(at: now)
        #expect(isSecondAllowed == (now == start))
        if isSecondAllowed { admission.refuse(at: now, share: 1) }
        admission.refuse(at: now, share: share)
        let isEarlyAllowed = admission.begin(at: admission.nextAttempt - .nanoseconds(1))
        #expect(!isEarlyAllowed)
        pauses.append(admission.nextAttempt - now)
        now = admission.nextAttempt
      }
      #expect(pauses == [100, 200, 200, 800, 1_600, 3_200, 5_000, 5_000].map { .milliseconds($0) })
    }

    @Test("begins with the shortest pause when a connection is opened while there are few; long after the last refusal there is none")
    func recovery() throws {
      var (admission, now) = (admission(), start)
      for _ in 0..<8 {
        try begin(&admission, at: now)
        admission.refuse(at: now, share: 1)
        now = admission.nextAttempt
      }
      for _ in 0..<2 {
        try begin(&admission, at: now)
        admission.open(at: now)
        #expect(admission.nextAttempt == now + .milliseconds(100) && admission.isScarce)
        now = admission.nextAttempt
      }
      now += .seconds(30)
      try begin(&admission, at: now)
      admission.open(at: now)
      #expect(!admission.isScarce)
    }

    @Test("gives half of the connections back at a refusal, except for two", arguments: [(2, 0), (3, 1), (8, 3), (19, 9)])
    func givingBack(count: Int, owed: Int) throws {
      var admission = admission(open: count)
      try begin(&admission, at: start)
      admission.refuse(at: start, share: 1)
      #expect(admission.owed == owed)
      admission.close()
      #expect(admission.owed == max(0, owed - 1) && admission.count == count - 1)
    }

    @Test("closes connections that are idle for a second while a refusal counts")
    func patience() throws {
      var admission = admission(open: 1)
      #expect(admission.patience(.seconds(60), at: start) == .seconds(60))
      try begin(&admission, at: start)
      admission.refuse(at: start, share: 1)
      #expect(admission.patience(.seconds(60), at: start + .seconds(29)) == .seconds(1))
      #expect(admission.patience(.milliseconds(10), at: start) == .milliseconds(10))
      #expect(admission.patience(.seconds(60), at: start + .seconds(30)) == .seconds(60))
    }

    /// Processes that want more connections than the server has, in simulated time. One of them has taken all before the others begin.
    @Test(
      "lets processes share a full server: each has connections soon, none has most, and the server refuses few attempts",
      arguments: 1...20 as ClosedRange<UInt64>)
    func sharing(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      let (processes, most) = (Int.random(in: 2...5, using: &random), Int.random(in: 10...30, using: &random))
      var (admissions, now, refusals) = ([admission(open: most)], start, 0)
      for _ in 1..<processes { admissions.append(admission()) }
      var longestWithout = Duration.zero
      for step in 0..<2_400 {
        for index in admissions.indices.shuffled(using: &random) where admissions[index].begin(at: now) {
          if admissions.map(\.count).reduce(0, +) < most {
            admissions[index].open(at: now)
          } else {
            refusals += 1
            admissions[index].refuse(at: now, share: .random(in: 0.5...1, using: &random))
          }
        }
        for index in admissions.indices { while admissions[index].owed > 0 { admissions[index].close() } }
        if admissions.contains(where: { $0.count == 0 }) { longestWithout = .milliseconds(25) * (step + 1) }
        now += .milliseconds(25)
      }
      let counts = admissions.map(\.count)
      #expect(longestWithout < .seconds(10), "\(counts)")
      #expect(counts.min() ?? 0 >= 1 && counts.max() ?? most <= 2 * most / processes + 1, "\(counts)")
      // A minute has twelve of the longest pauses.
      #expect(refusals < processes * 40, "\(refusals)")
    }
  }
#endif

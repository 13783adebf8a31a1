import AlterCore
import AlterJournal

extension JournalConformance {
  /// A duration that does not expire during a check.
  private static let long = Duration.seconds(3_600)

  static let leases: [Check] = [
    Check("One replica at a time holds a lease of a name, across all handles") { session in
      let journal = try await session.open()
      let other = try await session.open()
      let (holder, rival) = (Origin.random(), Origin.random())
      let lease = try await journal.lease("sync", for: holder, lasting: long)
      try session.expect(lease.name, equals: "sync", "the name")
      try session.expect(lease.holder, equals: holder, "the holder")
      try session.expect(lease.epoch, equals: 1, "the first epoch")
      for handle in [journal, other] {
        try await session.expect(.leased, from: "a rival's request") { try await handle.lease("sync", for: rival, lasting: long) }
      }
      let free = try await other.lease("another", for: rival, lasting: long)
      try session.expect(free.epoch, equals: 1, "another lease's epoch")
    },
    Check("Renewing a lease keeps its epoch, and another's attempt in between changes nothing") { session in
      let journal = try await session.open()
      let holder = Origin.random()
      let first = try await journal.lease("sync", for: holder, lasting: .seconds(1_800))
      try await session.expect(.leased, from: "a rival's request") { try await journal.lease("sync", for: .random(), lasting: long) }
      let renewed = try await journal.lease("sync", for: holder, lasting: long)
      try session.expect(renewed.epoch, equals: first.epoch, "the epoch")
      try session.expect(renewed.expires > first.expires, "it to last longer")
    },
    Check("A released or expired lease is taken over with a higher epoch") { session in
      let journal = try await session.open()
      let other = try await session.open()
      let first = try await journal.lease("sync", for: .random(), lasting: long)
      try await journal.release(first)
      let second = try await other.lease("sync", for: .random(), lasting: .zero)
      try session.expect(second.epoch, equals: 2, "the second epoch")
      let third = try await journal.lease("sync", for: .random(), lasting: long)
      try session.expect(third.epoch, equals: 3, "the third epoch")
      // These releases are late: another holder has taken the lease over.
      try await journal.release(first)
      try await other.release(second)
      try await session.expect(.leased, from: "a request after a stale release") {
        try await journal.lease("sync", for: .random(), lasting: long)
      }
    },
    Check("An append under a lease that was taken over is rejected, and nothing is written") { session in
      let journal = try await session.open()
      let other = try await session.open()
      var (writer, rival) = (session.writer(), session.writer())
      let stale = try await journal.lease("sync", for: writer.origin, lasting: .zero)
      var kept = writer.drafts(1)
      // The lease has expired, but no other holder has taken it over, so an append under it is accepted.
      _ = try await journal.append(kept, after: journal.head(), in: nil, under: [stale])
      let fresh = try await other.lease("sync", for: rival.origin, lasting: long)
      let late = writer.drafts(2)
      let error = try await session.expect(.staleLease, from: "an append under a lease that was taken over") {
        try await journal.append(late, after: journal.head(), in: nil, under: [stale])
      }
      try session.expect(error.description.contains("sync"), "the error to name the lease", found: error.description)
      let theirs = rival.drafts(1)
      _ = try await other.append(theirs, after: other.head(), in: nil, under: [fresh])
      kept += theirs
      try await session.expect(journal, holds: kept)
      // Without the lease, the append is accepted like any other. Drafts that the journal already holds are found, even if their lease is
      // stale.
      _ = try await journal.append(late, after: journal.head())
      let again = try await journal.append(late, after: journal.head(), in: nil, under: [stale])
      try session.expect(again.first, equals: 3, "the first revision of the drafts")
    },
    Check("A lease that was never granted is stale") { session in
      let journal = try await session.open()
      var writer = session.writer()
      let invented = Lease(name: "sync", holder: writer.origin, epoch: 1, expires: .max)
      let drafts = writer.drafts(1)
      try await session.expect(.staleLease, from: "an append under an invented lease") {
        try await journal.append(drafts, after: journal.head(), in: nil, under: [invented])
      }
    },
    Check("All leases are listed by name, including ended ones, through every handle") { session in
      let journal = try await session.open()
      let other = try await session.open()
      try session.expect(try await journal.leases(), equals: [], "no lease at first")
      let save = try await journal.lease("save", for: .random(), lasting: long)
      let given = try await journal.lease("load", for: .random(), lasting: long)
      try await journal.release(given)
      _ = try await journal.lease("Sync", for: .random(), lasting: .zero)
      let sync = try await other.lease("Sync", for: .random(), lasting: long)
      let all = try await other.leases()
      try session.expect(all.map(\.name), equals: ["Sync", "load", "save"], "the names, in order")
      try session.expect([all[0], all[2]], equals: [sync, save], "the leases in force, as they were granted")
      try session.expect(all[1].epoch, equals: given.epoch, "the epoch of a released lease")
      try session.expect(all[1].expires < given.expires, "a released lease to have ended")
    },
    Check("Leases are renewed together if their holders have them; the others are refused, or left to a request of their own") { session in
      guard let journal = try await session.open().capabilities.leases, let other = try await session.open().capabilities.leases else {
        return
      }
      let (holder, rival) = (Origin.random(), Origin.random())
      func request(_ name: String, _ handle: any Journal, by holder: Origin) -> LeaseRequest {
        LeaseRequest(journal: handle, name: name, holder: holder, duration: long)
      }
      let first = try await journal.lease("first", for: holder, lasting: .seconds(60))
      let held = try await other.lease("held", for: rival, lasting: long)
      let released = try await journal.lease("released", for: holder, lasting: long)
      try await journal.release(released)
      _ = try await other.lease("expired", for: rival, lasting: .zero)
      // It has expired, but no other holder has taken it over.
      let late = try await other.lease("late", for: holder, lasting: .microseconds(1))
      let outcomes = try await journal.renew([
        request("first", journal, by: holder), request("held", journal, by: holder), request("released", journal, by: holder),
        request("expired", journal, by: holder), request("unknown", other, by: holder), request("late", other, by: holder),
        request("held", other, by: rival),
      ])
      let texts = outcomes.map { outcome in
        switch outcome {
        case .decided(.success(let lease)): "renewed \(lease)"
        case .decided(.failure(let error)): "\(error.code.rawValue) \(error.lease?.holder == rival)"
        case .undecided: "undecided"
        }
      }
      try session.expect(
        texts,
        equals: [
          "renewed \(first)", "leased true", "undecided", "undecided", "undecided", "renewed \(late)", "renewed \(held)",
        ], "the outcomes, in the order of the requests")
      let all = try await other.leases()
      try session.expect(all.map(\.name), equals: ["expired", "first", "held", "late", "released"], "no lease to be created")
      try session.expect(all[1].expires > first.expires && all[3].expires > late.expires, "the renewed leases to last longer")
      try session.expect(all[4].expires < released.expires, "a released lease to stay released")
      try session.expect(journal.leasePlace != nil, "a journal that may be written to renew leases")
    },
    Check("Of many simultaneous requests for a lease, one is granted") { session in
      let handles = [try await session.open(), try await session.open()]
      let granted = try await withThrowingTaskGroup { group in
        for number in 0..<10 {
          group.addTask { () -> Lease? in
            do { return try await handles[number % 2].lease("sync", for: .random(), lasting: long) } catch let error as JournalError {
              guard error.code == .leased else { throw error }
              return nil
            }
          }
        }
        var granted: [Lease] = []
        for try await lease in group { if let lease { granted.append(lease) } }
        return granted
      }
      try session.expect(granted.count, equals: 1, "the number of grants")
    },
  ]
}

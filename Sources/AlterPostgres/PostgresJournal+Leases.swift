#if Postgres
  public import AlterCore
  public import AlterJournal

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  // Leases: taken, renewed and released. PostgresJournal+Journal.swift has the other requirements of `Journal`.
  extension PostgresJournal {
    /// Grants a lease, or renews it. The lease expires by the server's clock.
    ///
    /// - Throws: ``/AlterJournal/JournalError``: `leased` while another replica holds it; the errors of an append.
    public func lease(_ name: String, for holder: Origin, lasting duration: Duration) async throws(JournalError) -> Lease {
      try checkWritable()
      let length = LeaseRecord.length(of: duration)
      let number = Parameters.Value.number(place.number)
      for _ in 0..<4 {
        let granted = try await write("take the lease '\(name)'") { [statements] lockTimeout in
          [
            Call(
              statements.granting,
              Parameters(number, .text(name), .uuid(holder.uuid), .number(length), .text("on"), .text(lockTimeout.setting)))
          ]
        }
        if granted.rowCount == 1, let epoch = granted.number(0, 0), let expires = granted.number(0, 1) {
          return Lease(name: name, holder: holder, epoch: epoch, expires: expires)
        }
        let held = try await read(statements.lease, Parameters(number, .text(name)), "read the lease '\(name)'")
        if held.rowCount == 1, let other = held.uuid(0, 0), let epoch = held.number(0, 1), let expires = held.number(0, 3) {
          guard epoch < .max else {
            throw .damaged(self.name, "the epoch of the lease '\(name)' is the largest number, so no other replica can take it over")
          }
          throw .leased(self.name, Lease(name: name, holder: Origin(other), epoch: epoch, expires: expires))
        }
      }
      throw .damaged(self.name, "the row of the lease '\(name)' is invalid")
    }

    /// Releases a lease. A lease that was already taken over is left alone.
    public func release(_ lease: Lease) async throws(JournalError) {
      try checkWritable()
      let parameters = Parameters(.number(place.number), .text(lease.name), .number(lease.epoch))
      _ = try await write("release the lease '\(lease.name)'") { [statements] lockTimeout in
        [Call(Statements.lockSetting, Parameters(.text(lockTimeout.setting))), Call(statements.releasing, parameters)]
      }
    }

    /// Returns the leases by name, including expired ones.
    public func leases() async throws(JournalError) -> [Lease] {
      try checkOpen()
      let answer = try await read(statements.leases, Parameters(.number(place.number)), "list the leases")
      var leases: [Lease] = []
      for row in 0..<answer.rowCount {
        guard let name = answer.text(row, 0), let holder = answer.uuid(row, 1), let epoch = answer.number(row, 2),
          let expires = answer.number(row, 3)
        else { throw .damaged(self.name, "a row of its leases is invalid") }
        leases.append(Lease(name: name, holder: Origin(holder), epoch: epoch, expires: expires))
      }
      return leases
    }
  }

  extension PostgresJournal: LeaseRenewing {
    /// The tables, as this process reaches them.
    private struct Tables: Hashable, Sendable {
      let pool: ObjectIdentifier
      let schema: String
    }

    package var leasePlace: (any Hashable & Sendable)? { isReadOnly ? nil : Tables(pool: ObjectIdentifier(pool), schema: schema) }

    /// Renews leases of journals in the same tables with one statement, which waits for no lock.
    package func renew(_ requests: [LeaseRequest]) async throws(JournalError) -> [LeaseRenewal] {
      var renewals = [LeaseRenewal](repeating: .undecided, count: requests.count)
      var (numbers, names, holders, lengths, places): ([Int64], [String], [UUID], [Int64], [Int]) = ([], [], [], [], [])
      for (place, request) in requests.enumerated() {
        guard let journal = request.journal.capabilities.leases as? PostgresJournal else { continue }
        numbers.append(journal.place.number)
        names.append(request.name)
        holders.append(request.holder.uuid)
        lengths.append(LeaseRecord.length(of: request.duration))
        places.append(place)
      }
      let parameters = Parameters(
        .numbers(numbers), .texts(names), .uuids(holders), .numbers(lengths), .text("on"), .text(lockTimeout.setting))
      let result = await pool.explaining(pool.run([Call(statements.renewing, parameters)], in: .writing), in: schema)
      let answer: ServerAnswer
      switch result {
      case .success(let answers): answer = answers[0]
      case .failure(let failure): throw translated(failure, doing: "renew \(requests.count) leases")
      }
      for row in 0..<answer.rowCount {
        guard let number = answer.number(row, 0), number >= 1, number <= places.count, let holder = answer.uuid(row, 1),
          let epoch = answer.number(row, 2), let expires = answer.number(row, 3)
        else { continue }
        let place = places[Int(number) - 1]
        let (request, lease) = (
          requests[place], Lease(name: names[Int(number) - 1], holder: Origin(holder), epoch: epoch, expires: expires)
        )
        renewals[place] = .decided(
          lease.holder == request.holder ? .success(lease) : .failure(.leased(request.journal.name, lease)))
      }
      return renewals
    }
  }
#endif

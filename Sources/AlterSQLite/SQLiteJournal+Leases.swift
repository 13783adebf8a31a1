#if SQLite
  public import AlterCore
  public import AlterJournal

  // Leases: taken, renewed and released. SQLiteJournal+Journal.swift has the other requirements of `Journal`.
  extension SQLiteJournal {
    /// Grants a lease, or renews it, in a transaction under the lock. The lease expires by the machine's wall clock.
    ///
    /// - Throws: ``/AlterJournal/JournalError``: `leased` while another replica holds it; the errors of an append.
    public func lease(_ name: String, for holder: Origin, lasting duration: Duration) async throws(JournalError) -> Lease {
      guard let writer else { throw .readOnly(self.name) }
      return try await waiting { wait throws(JournalError) in
        try writer.lease(name, for: holder, lasting: duration, waiting: wait)
      }
    }

    /// Releases a lease. A lease that was already taken over is left alone.
    public func release(_ lease: Lease) async throws(JournalError) {
      guard let writer else { throw .readOnly(name) }
      try await waiting { wait throws(JournalError) in try writer.release(lease, waiting: wait) }
    }

    /// Returns the leases by name, including expired ones.
    public func leases() async throws(JournalError) -> [Lease] {
      let reader = reader
      return try await reading.run { () throws(JournalError) in try reader.leases() }
    }
  }

  extension SQLiteJournal: LeaseRenewing {
    /// A file that this process may write. The path alone is not enough: handles from before and after a replacement of the file have the
    /// same path, and a lease of the one must not be looked up in the file of the other.
    private struct WritableFile: Hashable, Sendable {
      let path: String
      let device: UInt64
      let inode: UInt64
    }

    package var leasePlace: (any Hashable & Sendable)? {
      writer.map { WritableFile(path: path, device: $0.file.device, inode: $0.file.inode) }
    }

    /// Renews leases of journals of the same file in one transaction, with one sync of the disk.
    package func renew(_ requests: [LeaseRequest]) async throws(JournalError) -> [LeaseRenewal] {
      guard let writer else { throw .readOnly(name) }
      var renewals: [LeaseRow.Renewal] = []
      for request in requests {
        guard let journal = request.journal as? SQLiteJournal, let number = journal.writer?.journal else {
          throw .readOnly(request.journal.name)
        }
        renewals.append(
          LeaseRow.Renewal(
            journal: number, journalName: journal.name, lease: request.name, holder: request.holder, duration: request.duration))
      }
      let outcomes = try await waiting { [renewals] wait throws(JournalError) in try writer.renew(renewals, waiting: wait) }
      for (request, outcome) in zip(requests, outcomes) {
        // The request's own handle keeps the file that shows that its holder is alive.
        guard case .decided(.failure(let error)) = outcome, error.code == .leased, let journal = request.journal as? SQLiteJournal else {
          continue
        }
        journal.writing.enqueue { [writer = journal.writer] in writer?.letGo(request.name, of: request.holder) }
      }
      return outcomes
    }
  }
#endif

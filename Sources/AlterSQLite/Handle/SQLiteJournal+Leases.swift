#if SQLite
  public import AlterCore
  public import AlterJournal

  // Leases: taken, renewed and released. SQLiteJournal+Journal.swift has the other requirements of `Journal`.
  extension SQLiteJournal {
    /// Grants a lease, or renews it, in a transaction under the lock. The lease expires by the machine's wall clock.
    ///
    /// - Throws: ``/AlterJournal/JournalError``: `leased` while another replica holds it; the errors of an append.
    public func lease(_ name: String, for holder: Origin, lasting duration: Duration) async throws(JournalError) -> Lease {
      try await write(for: "lease") { writer, journal throws(JournalError) in
        try writer.lease(name, of: journal, for: holder, lasting: duration)
      }
    }

    /// Releases a lease. A lease that was already taken over is left alone.
    public func release(_ lease: Lease) async throws(JournalError) {
      try await write(for: "lease") { writer, journal throws(JournalError) in try writer.release(lease, of: journal) }
    }

    /// Returns the leases by name, including expired ones.
    public func leases() async throws(JournalError) -> [Lease] {
      try await read { reader, journal throws(JournalError) in try reader.leases(of: journal) }
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
      file.writer == nil ? nil : WritableFile(path: path, device: file.status.device, inode: file.status.inode)
    }

    /// Renews leases of journals of the same file in one transaction, with one sync of the disk.
    package func renew(_ requests: [LeaseRequest]) async throws(JournalError) -> [LeaseRenewal] {
      var renewals: [LeaseRow.Renewal] = []
      for request in requests {
        guard let other = request.journal.capabilities.leases as? SQLiteJournal, other.file.writer != nil else {
          throw .readOnly(request.journal.name)
        }
        renewals.append(
          LeaseRow.Renewal(
            journal: other.journal.number, journalName: other.name, lease: request.name, holder: request.holder,
            duration: request.duration))
      }
      let outcomes = try await write(for: "lease") { [renewals] writer, journal throws(JournalError) in
        try writer.renew(renewals, for: journal)
      }
      for (request, outcome) in zip(requests, outcomes) {
        // The request's own handle keeps the file that shows that its holder is alive.
        guard case .decided(.failure(let error)) = outcome, error.code == .leased,
          let other = request.journal.capabilities.leases as? SQLiteJournal
        else {
          continue
        }
        other.file.writing.enqueue { [holders = other.journal.holders] in holders.letGo(request.name, of: request.holder) }
      }
      return outcomes
    }
  }
#endif

import AlterCore

/// A request to take or renew a lease of a journal.
package struct LeaseRequest: Sendable {
  /// The journal.
  package let journal: any Journal
  /// The name of the lease.
  package let name: String
  /// The replica that requests it.
  package let holder: Origin
  /// The time until the lease expires, by the journal's clock.
  package let duration: Duration

  /// Creates a request.
  package init(journal: any Journal, name: String, holder: Origin, duration: Duration) {
    self.journal = journal
    self.name = name
    self.holder = holder
    self.duration = duration
  }

  /// Sends this request alone.
  package func send() async throws(JournalError) -> Lease { try await journal.lease(name, for: holder, lasting: duration) }
}

/// The outcome of one request when many leases are renewed together.
package enum LeaseRenewal: Sendable {
  /// The lease was renewed, or the request has failed.
  case decided(Result<Lease, JournalError>)
  /// The request must be sent alone: the lease has no row yet, it is locked, or it can be taken over.
  case undecided
}

/// A journal that can renew the leases of all journals of its database or file in one operation.
///
/// The operation renews a lease only if the holder has it and has not released it. It reports a lease that another replica holds, and
/// leaves all other cases to a request of their own.
package protocol LeaseRenewing: Journal {
  /// The database or the file. Journals with equal values can be renewed together; nil if this journal cannot renew leases.
  var leasePlace: (any Hashable & Sendable)? { get }

  /// Renews leases of journals of the same place, with one statement or transaction.
  ///
  /// - Returns: The outcomes, in the order of the requests.
  /// - Throws: ``JournalError`` if nothing was renewed.
  func renew(_ requests: [LeaseRequest]) async throws(JournalError) -> [LeaseRenewal]
}

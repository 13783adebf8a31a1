import AlterCore
package import AlterJournal

/// The server of journals, as the author of the changes that its own stores make. A service sets it.
package final class ServerAuthor: Sendable {
  /// The notes on the server's entries.
  package struct Identity: Sendable {
    /// The principal of the entries, to which their origins are bound.
    package let principal: String
    package let pseudonym: Pseudonym
    /// The largest entry, in bytes: devices have to read it.
    package let bytesPerEntry: Int64

    package init(principal: String, pseudonym: Pseudonym, bytesPerEntry: Int64) {
      (self.principal, self.pseudonym, self.bytesPerEntry) = (principal, pseudonym, bytesPerEntry)
    }
  }

  private let value = Lock<Identity?>(nil)

  /// The identity; nil while no service serves the journals.
  package var identity: Identity? {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}

// A store of a journal that a server decides, in the server's own process.
//
// The store is a decider like the server beside it: it folds the journal to its head, checks the conditions of its changes on exactly that state,
// applies them, and appends them at that position, or reads on and begins again.
extension Store {
  /// The server for which the store may append to a served journal; nil if it can only read one.
  private var author: ServerAuthor.Identity? { options.author?.identity }

  /// Whether the journal takes this store's changes.
  ///
  /// - Returns: False if a server decides the journal, and not in this process.
  /// - Throws: `unavailable` if the operator has not enabled the schema of the changes yet.
  package func isDecider() async throws(JournalError) -> Bool {
    guard let journal = backend?.journal, try await journal.role() == .server else { return true }
    guard author != nil, let journal = journal.capabilities.server else { return false }
    try checkSchema(of: journal, at: try await journal.position())
    core.withLock { $0.isServed = true }
    return true
  }

  /// Whether the store appends to a served journal, as far as it has detected.
  package var isServed: Bool { core.withLock { $0.isServed } }

  /// Applies the entries of the server's devices from now on, whether or not the store is used.
  package func followOthers() async { try? await beginFollowing(cancelled: .cancelledAccess(journalName)) }

  /// The time at which the server received a change; nil for a journal without a server, or if the journal does not have the entry any more.
  ///
  /// - Parameter family: The first attempt of the change.
  package func arrival(of family: EntryID) async throws(JournalError) -> Int64? {
    guard let journal = backend?.journal.capabilities.server, try await journal.role() == .server else { return nil }
    return try await journal.arrival(of: family)
  }

  /// Appends drafts: to a plain journal as its writer, to a served one as its server.
  func append(
    _ drafts: [Entry.Draft], after head: Head, to journal: any Journal, in turn: Turn?, under leases: [Lease]
  ) async throws(JournalError) -> Appended {
    if core.withLock({ $0.isServed }), let author, let journal = journal.capabilities.server {
      return try await append(drafts, after: head, to: journal, by: author, under: leases)
    }
    do throws(JournalError) { return try await journal.append(drafts, after: head, in: turn, under: leases) } catch {
      guard error.code == .readOnly, author != nil, try await journal.role() == .server else { throw error }
      // From now on without turns, which only plain journals have.
      core.withLock { $0.isServed = true }
      throw .conflict(journal.name, at: head.revision, expected: head.revision)
    }
  }

  private func append(
    _ drafts: [Entry.Draft], after head: Head, to journal: any ServerJournal, by author: ServerAuthor.Identity, under leases: [Lease]
  ) async throws(JournalError) -> Appended {
    var questions = ServerQuestions()
    questions.origins = Set(drafts.map(\.id.origin))
    let facts = try await journal.facts(about: questions)
    guard facts.position.head == head else {
      throw .conflict(journal.name, at: facts.position.head.revision, expected: head.revision)
    }
    try checkSchema(of: journal, at: facts.position)
    for draft in drafts {
      // A device has claimed the origin before the first entry of this store. The store takes another one.
      guard let known = facts.origins[draft.id.origin], !known.principal.isEmpty, known.principal != author.principal else { continue }
      throw .originCollision(journal.name, draft.id, at: head.revision)
    }
    let receipt = Receipt(author: author.pseudonym, arrival: now)
    return try await journal.append(
      drafts.map { DecidedDraft($0, receipt: receipt, principal: author.principal) }, at: facts.position, under: leases)
  }

  private func checkSchema(of journal: any ServerJournal, at position: ServerPosition) throws(JournalError) {
    guard let backend, backend.coding.schema > position.schema else { return }
    throw JournalError(
      .unavailable, journal: journal.name,
      message:
        "takes changes of schema \(position.schema), and this process makes those of schema \(backend.coding.schema). They wait until the operator enables it."
    )
  }

  /// The largest draft, in bytes.
  var largestDraft: Int64 {
    let limit = core.withLock { $0.isServed } ? author?.bytesPerEntry : nil
    return min(limit ?? .max, Entry.Draft.largestSize)
  }
}

public import AlterCore

/// An append-only log of entries with compare-and-append: everything durable or remote is one.
///
/// The laws, which `JournalConformance` in AlterTesting checks for every implementation:
///
/// - Entries are numbered 1, 2, 3 … without gaps, never change, and are never removed.
/// - An append is atomic, and succeeds only at the head it presents. Once it has returned, the entries survive what the
///   journal's durability promises, and every reader sees them.
/// - An entry is appended once: drafts that are there already, under the same ids with the same content, are found, not doubled.
public protocol Journal: Sendable {
  /// What errors call it: a path, a key, a URL without its password.
  var name: String { get }

  /// Where the journal ends now.
  ///
  /// - Throws: ``JournalError`` when it can't be read.
  func head() async throws(JournalError) -> Head

  /// Reads entries in order.
  ///
  /// - Parameters:
  ///   - revision: The revision before the first one wanted.
  ///   - limit: How many at most. An implementation may return fewer, so that a page is bounded by bytes as well (the file's and the database's: 4 and 8 MiB,
  ///     and the entry that goes beyond), but none only at the end: fewer than asked for don't tell that it was reached.
  /// - Returns: Consecutive entries as stored. Their checksums are not verified here: ``Head/verify(_:in:)`` does that, where they are used.
  /// - Throws: ``JournalError`` when they can't be read.
  func entries(after revision: Revision, limit: Int) async throws(JournalError) -> [Entry]

  /// Looks an entry up by who made it.
  ///
  /// - Returns: The entry, or nil when the journal has none of that id.
  /// - Throws: ``JournalError`` when it can't be read.
  func entry(_ id: EntryID) async throws(JournalError) -> Entry?

  /// Appends drafts at a head: all of them or none.
  ///
  /// What is there already is looked for first: if the drafts' ids are there with the same content, the call succeeds and tells where.
  ///
  /// - Parameters:
  ///   - drafts: At least one; consecutive sequences of one origin.
  ///   - head: Where the journal is believed to end.
  ///   - turn: The turn that this append belongs to, if the writer took one.
  ///   - leases: The leases that the drafts were made under.
  /// - Returns: Where the drafts are.
  /// - Throws: ``JournalError``: `conflict` when the journal has grown, `diverged` when `head` is not of its history, `originCollision`
  ///   when an id is taken by other content, `staleLease` when a lease has been taken over; after each of these nothing was written.
  ///   `unknownOutcome` when it can't be known.
  func append(_ drafts: [Entry.Draft], after head: Head, in turn: Turn?, under leases: [Lease]) async throws(JournalError) -> Appended

  /// Waits in line until no other writer may append, so that reading, rebasing and appending can't be overtaken.
  ///
  /// Take a turn after a conflict, not before: it costs the others their place. End it soon.
  ///
  /// - Throws: ``JournalError``: `locked` when the wait is too long, `cancelled` when the task was cancelled.
  func takeTurn() async throws(JournalError) -> Turn

  /// Returns as soon as the journal holds an entry after a revision, at once if it does already.
  ///
  /// - Throws: ``JournalError``: `cancelled` when the task was cancelled, `closed` when the journal was.
  func waitForEntry(after revision: Revision) async throws(JournalError)

  /// Takes a lease, or renews it.
  ///
  /// - Parameters:
  ///   - name: What it is a right to.
  ///   - holder: Who asks.
  ///   - duration: How long it lasts, by the journal's clock, from now on: at most ``Lease/longest``.
  /// - Returns: The lease; its epoch is higher than that of every earlier holder.
  /// - Throws: ``JournalError``: `leased` while somebody else has it, `damaged` when its epoch can't be raised any more.
  func lease(_ name: String, for holder: Origin, lasting duration: Duration) async throws(JournalError) -> Lease

  /// Gives a lease back, so that others need not wait for it to run out. One that was taken over already is left alone.
  func release(_ lease: Lease) async throws(JournalError)

  /// The leases that there are: one for each name that was ever asked for, those that have ended too, by name.
  ///
  /// For people who look at a journal. A journal that doesn't keep them apart says that there are none.
  ///
  /// - Throws: ``JournalError`` when they can't be read.
  func leases() async throws(JournalError) -> [Lease]

  /// Keeps a snapshot, in the place of one of the same revision. It is a cache: it may be lost, and nothing depends on it.
  ///
  /// - Throws: ``JournalError`` when it can't be written.
  func keep(_ snapshot: Snapshot) async throws(JournalError)

  /// The snapshots that are kept, newest first.
  ///
  /// - Parameters:
  ///   - revision: The last revision wanted.
  ///   - limit: How many at most.
  /// - Throws: ``JournalError`` when they can't be read.
  func snapshots(upTo revision: Revision, limit: Int) async throws(JournalError) -> [Snapshot.Place]

  /// Reads a snapshot as it is stored. Whoever uses it checks ``Snapshot/isSound``.
  ///
  /// - Parameter revision: The revision of its head.
  /// - Returns: The snapshot, or nil when none of that revision is kept.
  /// - Throws: ``JournalError`` when it can't be read: `damaged` when what is stored is no snapshot any more.
  func snapshot(at revision: Revision) async throws(JournalError) -> Snapshot?

  /// Removes the snapshot of a revision, if there is one.
  ///
  /// - Throws: ``JournalError`` when it can't be removed.
  func removeSnapshot(at revision: Revision) async throws(JournalError)

  /// Checks what the journal is stored in, beside the entries themselves: indexes, pages. A part of ``Journal/verify()``; does nothing unless a
  /// journal has something to check.
  ///
  /// - Throws: ``JournalError`` `damaged`.
  func verifyStorage() async throws(JournalError)

  /// Lets go of files, connections and locks. Calls that wait end with `closed`; so do later ones. Closing twice is harmless.
  func close() async
}

/// Where appended drafts are.
public struct Appended: Sendable, Hashable {
  /// The revision of the first draft.
  public let first: Revision
  /// The head that ends with the last draft. The journal may have grown since.
  public let head: Head

  /// What an append answers.
  public init(first: Revision, head: Head) {
    self.first = first
    self.head = head
  }
}

/// The right to append without being overtaken, until it is ended or let go of.
public final class Turn: Sendable {
  private let onEnd: Lock<(@Sendable () -> Void)?>

  /// A turn that runs the closure when it ends. Journals make them.
  public init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = Lock(onEnd) }

  /// Ends the turn: the next writer in line goes on. Ending twice is harmless.
  public func end() {
    let action = onEnd.withLock { action in
      defer { action = nil }
      return action
    }
    action?()
  }

  deinit { end() }
}

extension Journal {
  /// Appends drafts at a head, under no lease.
  ///
  /// - Parameters:
  ///   - drafts: At least one; consecutive sequences of one origin.
  ///   - head: Where the journal is believed to end.
  ///   - turn: The turn that this append belongs to, if the writer took one.
  /// - Throws: ``JournalError``, as the full form does.
  public func append(_ drafts: [Entry.Draft], after head: Head, in turn: Turn? = nil) async throws(JournalError) -> Appended {
    try await append(drafts, after: head, in: turn, under: [])
  }

  /// Every entry after a revision, then each new one as it comes: none skipped, none repeated, whoever appends it.
  ///
  /// The sequence ends by throwing: `closed`, `cancelled`, or what made reading fail.
  ///
  /// - Parameter revision: The revision before the first one wanted.
  public func tail(after revision: Revision = .zero) -> JournalTail<Self> { JournalTail(journal: self, revision: revision) }

  /// Reads the whole journal and checks every entry against the chain, and the chain against the head; then what it is stored in.
  ///
  /// - Returns: The head that everything leads to.
  /// - Throws: ``JournalError`` with the code `damaged` at the first entry that is wrong or missing.
  /// - Complexity: O(bytes of the journal) in time, one page in memory.
  @discardableResult
  public func verify() async throws(JournalError) -> Head {
    let (head, _) = try await readVerified { _ throws(JournalError) in }
    try await verifyStorage()
    return head
  }

  /// None.
  public func leases() async throws(JournalError) -> [Lease] { [] }

  /// Nothing to check.
  public func verifyStorage() async throws(JournalError) {}

  /// Reads the journal up to its present head in pages, checking every entry, and hands each to the closure in order.
  ///
  /// - Parameters:
  ///   - start: The head to begin after; nil for the beginning of the journal.
  ///   - last: The last revision to read; nil for the present head.
  ///   - limit: How many bytes of entries are enough: the reading ends behind the page with which they reach it, at least one.
  ///   - body: Takes one entry that is known to be unharmed.
  /// - Returns: The head that the last entry leads to, and whether the journal ends there.
  /// - Throws: ``JournalError`` `damaged` at the first entry that is wrong or missing, or what the closure throws.
  /// - Complexity: O(bytes read) in time, one page in memory.
  @discardableResult
  package func readVerified(
    after start: Head? = nil, through last: Revision? = nil, bytes limit: Int64 = .max, _ body: (Entry) throws(JournalError) -> Void
  ) async throws(JournalError) -> (head: Head, isEnd: Bool) {
    let end = try await head()
    var bytes: Int64 = 0
    var position = start ?? Head(empty: end.journal)
    let last = min(last ?? end.revision, end.revision)
    if let start { try checkPlace(start, of: end) }
    var ancestor = start.flatMap { $0.revision > .zero && $0.revision < end.revision ? $0 : nil }
    while (position.revision < last && bytes < limit) || ancestor != nil {
      // The entry at the start vouches for the history, and comes in one reading with those that follow.
      let before = ancestor?.revision.previous ?? position.revision
      var page = try await entries(after: before, limit: min(1_000, max(last - before, 1)))[...]
      if let known = ancestor {
        guard let entry = page.popFirst(), entry.checksum == known.checksum else {
          throw .diverged(name, at: known.revision, head: end.revision)
        }
        ancestor = nil
        // A page may be short; what is missing is told by the next.
        if page.isEmpty { continue }
      }
      guard !page.isEmpty else {
        throw .damaged(
          name, at: position.revision.next, "the entry is missing, although the journal's head says it ends at \(end.revision)")
      }
      for entry in page {
        try position.verify(entry, in: name)
        bytes = bytes.saturatingAdding(entry.size)
        try body(entry)
      }
    }
    if position.revision == end.revision, position.checksum != end.checksum {
      if position == start { throw .diverged(name, at: position.revision, head: end.revision) }
      throw .damaged(name, at: end.revision, "the journal's head does not match its last entry")
    }
    return (position, position.revision == end.revision)
  }

  /// Whether a head that was seen earlier can be of this journal's history, as far as its end tells.
  private func checkPlace(_ start: Head, of end: Head) throws(JournalError) {
    guard start.journal == end.journal, start.revision <= end.revision else {
      throw .diverged(name, at: start.revision, head: end.revision)
    }
  }
}

/// The entries of a journal after a revision, and those to come.
public struct JournalTail<Base: Journal>: AsyncSequence, Sendable {
  let journal: Base
  let revision: Revision

  /// Steps through the entries, a page at a time behind the scenes.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let journal: Base
    var revision: Revision
    var page: ArraySlice<Entry> = []

    /// The next entry, as soon as there is one.
    public mutating func next() async throws(JournalError) -> Entry? { try await next(isolation: nil) }

    /// The next entry, as soon as there is one.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(JournalError) -> Entry? {
      while page.isEmpty {
        try await journal.waitForEntry(after: revision)
        page = try await journal.entries(after: revision, limit: 1_000)[...]
        if page.isEmpty {
          // It grew past the revision, and yet nothing is there: the journal was replaced, or lost rows. Waiting again would spin.
          let head = try await journal.head().revision
          throw head > revision
            ? .damaged(journal.name, at: revision.next, "the entry is missing, although the journal's head says it ends at \(head)")
            : .diverged(journal.name, at: revision, head: head)
        }
      }
      let entry = page.removeFirst()
      revision = entry.revision
      return entry
    }
  }

  /// Begins to step.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(journal: journal, revision: revision) }
}

public import AlterJournal

/// Checks the contract of `Journal` for any implementation.
///
/// The type does not depend on a test library. With Swift Testing, each check becomes a test case:
///
/// ```swift
/// @Test("A journal in my database keeps every promise", arguments: JournalConformance.checks)
/// func conforms(_ check: JournalConformance.Check) async throws {
///   let database = try await freshDatabase()
///   try await JournalConformance { try await MyJournal(in: database) }.run(check)
/// }
/// ```
///
/// The documentation of `Journal` states the contract. The message of a `conflict` must name both revisions: 'is at revision 3, but this append
/// expected 1'. No check sleeps or measures time. A failing check of waiting may hang, so give the
/// tests a time limit.
public struct JournalConformance: Sendable {
  private let open: @Sendable () async throws -> any Journal

  /// Creates checks for a journal.
  ///
  /// - Parameter open: Returns another handle on the same journal at each call, as another process would open it. The journal must be empty
  ///   at first; use a new one for each check. A journal that exists only as one object may return that object each time.
  public init(open: @escaping @Sendable () async throws -> any Journal) { self.open = open }

  /// One promise of the contract, with its check.
  public struct Check: Sendable, CustomStringConvertible {
    /// The promise, as a sentence.
    package let name: String
    let body: @Sendable (ConformanceSession) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (ConformanceSession) async throws -> Void) {
      self.name = name
      self.body = body
    }

    /// The promise, as a sentence.
    public var description: String { name }
  }

  /// The checks of a journal with all members of the protocol.
  public static let checks: [Check] = required + turns + leases + snapshots + together

  /// The checks of the simplest journal, which leaves turns, leases and snapshots to the defaults.
  public static let required: [Check] = numbering + appending + reading + waiting + following

  /// Runs one check on the journal, and closes all handles afterwards.
  ///
  /// - Throws: An error that describes the violation, if the journal violates the contract; an unexpected error of the journal.
  public func run(_ check: Check) async throws {
    let session = ConformanceSession(check: check.name, open: open)
    do {
      try await check.body(session)
    } catch {
      await session.closeAll()
      throw error
    }
    await session.closeAll()
  }
}

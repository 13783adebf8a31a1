public import AlterJournal

/// What every journal promises, as checks that any implementation can be put through.
///
/// It knows no test library. With Swift Testing each check becomes a case of its own:
///
/// ```swift
/// @Test("A journal in my database keeps every promise", arguments: JournalConformance.checks)
/// func conforms(_ check: JournalConformance.Check) async throws {
///   let database = try await freshDatabase()
///   try await JournalConformance { try await MyJournal(in: database) }.run(check)
/// }
/// ```
///
/// The promises are those written at `Journal`. Nothing here sleeps or measures time: a check of waiting that fails may hang, so give the
/// tests a time limit.
public struct JournalConformance: Sendable {
  private let open: @Sendable () async throws -> any Journal

  /// A journal to check.
  ///
  /// - Parameter open: Gives another handle on one and the same journal at each call, as another process would open it. The journal
  ///   must be empty at first, and is used up by one check. A journal that only exists as one object may return that object each time.
  public init(open: @escaping @Sendable () async throws -> any Journal) { self.open = open }

  /// One promise, and how it is checked.
  public struct Check: Sendable, CustomStringConvertible {
    /// The promise, as a sentence.
    public let name: String
    let body: @Sendable (ConformanceSession) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (ConformanceSession) async throws -> Void) {
      self.name = name
      self.body = body
    }

    /// The ``name``.
    public var description: String { name }
  }

  /// Every check.
  public static let checks: [Check] = numbering + appending + reading + turns + waiting + leases + snapshots + together

  /// Puts the journal through one check, and closes every handle afterwards.
  ///
  /// - Throws: ``ConformanceFailure``, or what the journal throws where it should not.
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

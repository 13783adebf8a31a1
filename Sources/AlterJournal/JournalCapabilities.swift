/// The capabilities of a journal beyond ``Journal``: compaction, appends of several stores at once, renewal of many leases, and its part in sync.
///
/// Alter's own journals have capabilities. A type that wraps one of them keeps them by returning those of the journal that it wraps:
///
/// ```swift
/// struct LoggingJournal: Journal {
///   let base: SQLiteJournal
///   var capabilities: JournalCapabilities { base.capabilities.withoutGroups }
///   // and the requirements of Journal, each forwarded to `base`
/// }
/// ```
///
/// A store then calls them on the wrapped journal. Without groups, each append still passes through the wrapper.
public struct JournalCapabilities: Sendable {
  private let journal: any Journal
  private var hasGroups = true

  /// Creates the capabilities that the type of a journal has: the default of ``Journal/capabilities``.
  ///
  /// - Parameter journal: The journal.
  package init(of journal: any Journal) { self.journal = journal }

  /// The same capabilities, but for appends of several stores at once.
  public var withoutGroups: JournalCapabilities {
    var capabilities = self
    capabilities.hasGroups = false
    return capabilities
  }

  /// Gives up the oldest entries; nil if it can't.
  package var compaction: (any CompactableJournal)? { journal as? any CompactableJournal }
  /// Knows the ids of entries below its floor; nil if it does not.
  package var compacted: (any CompactedJournal)? { journal as? any CompactedJournal }
  /// Reads as it grants a turn, and appends for several stores at once; nil if it does not.
  package var groups: (any TurnReadingJournal)? { hasGroups ? journal as? any TurnReadingJournal : nil }
  /// Renews many leases at once; nil if it does not.
  package var leases: (any LeaseRenewing)? { journal as? any LeaseRenewing }
  /// Knows the free space of its file; nil if it does not.
  package var space: (any FileSpaceJournal)? { journal as? any FileSpaceJournal }
  /// Can be a device's file; nil if it can't.
  package var device: (any DeviceJournal)? { journal as? any DeviceJournal }
  /// Can be a server's journal; nil if it can't.
  package var server: (any ServerJournal)? { journal as? any ServerJournal }
}

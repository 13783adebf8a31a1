#if SQLite
  import AlterJournal

  /// A sequence of operations on a journal in its own folder, during which calls may fail. It retries failed operations, as an app would.
  protocol Scenario {
    /// Prepares the folder. No call fails yet.
    init(folder: String) async throws

    /// Performs the operations and remembers the acknowledged ones.
    mutating func play() async

    /// Opens the journal when no call fails any more. Checks that it contains everything that was acknowledged, and only what was
    /// attempted.
    mutating func check() async throws

    /// The errors thrown so far.
    var errors: [JournalError] { get }
  }

  /// A violated guarantee.
  struct Violation: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  /// The scenario with this name.
  func scenario(_ name: String) -> (any Scenario.Type)? {
    switch name {
    case "new": NewJournal.self
    case "old": OldJournal.self
    case "store": StoreScenario.self
    case "device": DeviceScenario.self
    default: nil
    }
  }
#endif

#if SQLite
  import AlterJournal

  /// Something that is done to a journal in a folder of its own, whatever fails meanwhile. It tries again what failed, as an app would.
  protocol Scenario {
    /// Makes what is there before; nothing fails yet.
    init(folder: String) async throws

    /// Does it, and remembers what was acknowledged.
    mutating func play() async

    /// Nothing fails any more: opens what is there, and looks whether all that was acknowledged is there, and nothing else but what was tried.
    mutating func check() async throws

    /// What was thrown.
    var errors: [JournalError] { get }
  }

  /// What should not be.
  struct Violation: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  /// The scenario of a name.
  func scenario(_ name: String) -> (any Scenario.Type)? {
    switch name {
    case "new": NewJournal.self
    case "old": OldJournal.self
    case "store": StoreScenario.self
    default: nil
    }
  }
#endif

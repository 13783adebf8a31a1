import AlterCore
import AlterJournal
import AlterTesting

/// A journal whose turns may end before their time, as those of a server with a timeout.
struct ExpiringTurns: ForwardingJournal {
  let base: any Journal
  /// Told of each turn.
  let onTurn: @Sendable (Turn) -> Void

  func takeTurn() async throws(JournalError) -> Turn {
    let turn = try await base.takeTurn()
    onTurn(turn)
    return turn
  }
}

/// A turn that somebody else holds.
struct HeldTurn {
  private(set) weak var turn: Turn?
}

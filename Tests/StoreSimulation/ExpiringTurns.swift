import AlterCore
import AlterJournal
import AlterTesting

/// A journal whose turns may end early, like those of a server with a timeout.
struct ExpiringTurns: ForwardingJournal {
  let base: any Journal
  /// Called with each turn.
  let onTurn: @Sendable (Turn) -> Void

  func takeTurn() async throws(JournalError) -> Turn {
    let turn = try await base.takeTurn()
    onTurn(turn)
    return turn
  }
}

/// A turn that a store holds.
struct HeldTurn {
  private(set) weak var turn: Turn?
}

/// Whether a replica's first unwritten work is in flight to the journal, or to a device's outbox, as a state machine.
///
/// Everything that happens to a flight is an ``Event``. The events of an earlier flight, which arrive late, change nothing:
///
/// | state | `began` | `mayBeThere`, `shortened` | `landed`, `turnedBack` | `lost` | `overtaken` |
/// |---|---|---|---|---|---|
/// | `idle` | in flight | – | – | – | idle |
/// | `inFlight` | in flight | in flight, another doubt | idle | unknown; idle if the journal can't have it | idle |
/// | `unknown` | in flight | – | – | – | idle |
///
/// A test walks through the table: FlightStateTests.
enum FlightState: Hashable, Sendable {
  /// Nothing is in flight.
  case idle
  /// A flight with a number is under way. The journal may have its first pieces already.
  case inFlight(Int, doubtful: Int)
  /// The outcome of the last flight is unknown: reading will show whether the journal has its pieces.
  case unknown(doubtful: Int)

  enum Event: Hashable, Sendable {
    /// A flight with a number and so many pieces begins.
    case began(Int, pieces: Int)
    /// The journal may have so many pieces of the flight: all after an attempt to append it, none before.
    case mayBeThere(Int, pieces: Int)
    /// The flight has only so many pieces from now on.
    case shortened(Int, to: Int)
    /// The journal has the flight, directly after the known head.
    case landed(Int)
    /// The flight has failed, and the journal will never have it.
    case turnedBack(Int)
    /// The flight has ended at an unknown place, or with an unknown outcome.
    case lost(Int)
    /// Entries were read, or the pending work has changed: no flight with the former content can land any more.
    case overtaken

    /// The number of the flight that the event is about; nil for all.
    fileprivate var number: Int? {
      switch self {
      case .mayBeThere(let number, _), .shortened(let number, _), .landed(let number), .turnedBack(let number), .lost(let number): number
      case .began, .overtaken: nil
      }
    }
  }

  /// The number of the present flight; nil for none.
  var number: Int? { if case .inFlight(let number, _) = self { number } else { nil } }

  /// The number of pieces at the front of the unwritten work that the journal may have.
  var doubtful: Int {
    switch self {
    case .idle: 0
    case .inFlight(_, let doubtful), .unknown(let doubtful): doubtful
    }
  }

  /// Carries out an event.
  ///
  /// - Returns: False, without a change, if the event is about another flight than the present one.
  @discardableResult
  mutating func on(_ event: Event) -> Bool {
    if let about = event.number, about != number { return false }
    switch event {
    case .began(let number, let pieces), .mayBeThere(let number, let pieces), .shortened(let number, let pieces):
      self = .inFlight(number, doubtful: pieces)
    case .lost: self = doubtful == 0 ? .idle : .unknown(doubtful: doubtful)
    case .landed, .turnedBack, .overtaken: self = .idle
    }
    return true
  }
}

import Testing

@testable import AlterStore

@Suite("The state of a flight")
struct FlightStateTests {
  /// The states, in the order of the table's rows.
  private static let states: [FlightState] = [.idle, .inFlight(7, doubtful: 0), .inFlight(7, doubtful: 3), .unknown(doubtful: 3)]

  /// The events, and the state after each of ``states``; nil if the event must change nothing and say so.
  private static let table: [(event: FlightState.Event, next: [FlightState?])] = [
    (.began(8, pieces: 5), Array(repeating: .inFlight(8, doubtful: 5), count: 4)),
    (.mayBeThere(7, pieces: 4), [nil, .inFlight(7, doubtful: 4), .inFlight(7, doubtful: 4), nil]),
    (.mayBeThere(7, pieces: 0), [nil, .inFlight(7, doubtful: 0), .inFlight(7, doubtful: 0), nil]),
    (.shortened(7, to: 2), [nil, .inFlight(7, doubtful: 2), .inFlight(7, doubtful: 2), nil]),
    (.landed(7), [nil, .idle, .idle, nil]),
    (.turnedBack(7), [nil, .idle, .idle, nil]),
    (.lost(7), [nil, .idle, .unknown(doubtful: 3), nil]),
    (.overtaken, Array(repeating: .idle, count: 4)),
    // Events of an earlier flight, which arrive late.
    (.mayBeThere(6, pieces: 4), Array(repeating: nil, count: 4)),
    (.shortened(6, to: 2), Array(repeating: nil, count: 4)),
    (.landed(6), Array(repeating: nil, count: 4)),
    (.turnedBack(6), Array(repeating: nil, count: 4)),
    (.lost(6), Array(repeating: nil, count: 4)),
  ]

  @Test("follows its table: each event in each state", arguments: table.indices, states.indices)
  func cell(_ row: Int, _ column: Int) {
    let (event, next) = Self.table[row]
    var state = Self.states[column]
    #expect(state.on(event) == (next[column] != nil))
    #expect(state == next[column] ?? Self.states[column])
  }

  @Test("has as many doubtful pieces as the journal may have, and a number while a flight is under way")
  func properties() {
    #expect(Self.states.map(\.doubtful) == [0, 0, 3, 3])
    #expect(Self.states.map(\.number) == [nil, 7, 7, nil])
  }
}

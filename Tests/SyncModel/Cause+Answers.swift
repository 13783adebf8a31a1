import AlterCore
import AlterJournal

extension EntryID {
  /// The text of the first acting request of the entry.
  package var requestText: String { RequestID(Stamp(time: 0, origin: origin, sequence: sequence)).description }
}

extension Cause {
  /// Returns the cause of an answer: to an entry, to a request that is older than its run, or to an acting request of the entry.
  package static func answer(to id: EntryID, using random: inout some RandomNumberGenerator) -> Cause {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: Cause(answers: id)
    case 1, 2: Cause(answers: id, feedback: "f", depth: 1)
    case 3: Cause(feedback: "f", depth: 2)
    default: Cause(feedback: "f", request: id.requestText, depth: 1)
    }
  }
}

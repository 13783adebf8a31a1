import Alter
import AlterTesting
import StoreTesting

/// The state of these tests: named numbers, with changes that depend on each other and may be refused.
struct Board: Journaled, Hashable {
  enum Change: Hashable, Codable {
    case put(String, Int)
    case add(String, Int)
    case take(String)
    case note(String)
    case mark
  }
  typealias Failure = Refusal

  private(set) var values: [String: Int] = [:]
  private(set) var notes: [String] = []

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .put(let name, let value):
      guard values[name] == nil else { throw .duplicate("value", name) }
      values[name] = value
    case .add(let name, let value):
      guard let old = values[name] else { throw .missing("value", name) }
      values[name] = old + value
    case .take(let name):
      guard values[name] != nil else { throw .missing("value", name) }
      values[name] = nil
    case .note(let text): notes.append(text)
    case .mark: notes.append("\(stamp.uuid()) \(stamp.time)")
    }
  }
}

extension Board.Change {
  static func random(using generator: inout SeededGenerator) -> Board.Change {
    let name = ["a", "b", "c", "d"].randomElement(using: &generator)!
    switch Int.random(in: 0..<10, using: &generator) {
    case 0..<3: return .put(name, Int.random(in: 0..<100, using: &generator))
    case 3..<5: return .add(name, 1)
    case 5..<6: return .take(name)
    case 6..<7: return .mark
    default: return .note(String(Int.random(in: 0..<1000, using: &generator)))
    }
  }
}

/// The state after some records, by definition: an entry is active unless a later active entry reverts it.
func definedState(of records: [Record<Board>]) -> (state: Board, suppressed: Set<Revision>) {
  var isActive = Array(repeating: true, count: records.count)
  for index in records.indices.reversed() {
    isActive[index] = !records.indices[(index + 1)...].contains { isActive[$0] && records[$0].targets.contains(records[index].id) }
  }
  var state = Board()
  var suppressed: Set<Revision> = []
  for (index, record) in records.enumerated() where isActive[index] {
    switch record.kind {
    case .initial(let new), .reset(let new): state = new
    case .changes(let changes):
      if let next = try? state.alter(changes, at: record.stamp) { state = next } else { suppressed.insert(record.revision) }
    case .undo, .redo: break
    }
  }
  return (state, suppressed)
}

extension Record<Board> {
  static func random(after records: [Record<Board>], using generator: inout SeededGenerator) -> Record<Board> {
    let number = Int64(records.count)
    let targets = (0..<Int.random(in: 1...2, using: &generator)).map { _ in
      // Often a recent record, sometimes any.
      let reach = Bool.random(using: &generator) ? min(5, records.count) : records.count
      return records[records.count - 1 - Int.random(in: 0..<reach, using: &generator)].id
    }
    let kind: Record<Board>.Kind
    switch Int.random(in: 0..<12, using: &generator) {
    case 0: kind = .undo(targets)
    case 1: kind = .redo(targets)
    case 2: kind = Int.random(in: 0..<6, using: &generator) == 0 ? .reset(Board()) : .undo(targets)
    default: kind = .changes((0..<Int.random(in: 1...3, using: &generator)).map { _ in .random(using: &generator) })
    }
    return Record(
      revision: Revision(number + 1), id: EntryID(origin: .test(1), sequence: number + 1), time: number, kind: kind)
  }
}

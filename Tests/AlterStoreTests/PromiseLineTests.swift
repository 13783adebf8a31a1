import AlterTesting
import Testing

@testable import AlterStore

@Suite("Promises in line")
struct PromiseLineTests {
  @Test("are found in any order, each once, as in a dictionary")
  func anyOrder() throws {
    var generator = SeededGenerator(seed: 13)
    for _ in 0..<50 {
      var line = PromiseLine<Int>()
      var model: [Int64: Promise<Int>] = [:]
      var sequence: Int64 = 0
      for _ in 0..<400 {
        if Int.random(in: 0..<5, using: &generator) < 3 {
          // A refused change leaves a gap.
          sequence += Int64.random(in: 1...2, using: &generator)
          let promise = Promise<Int>()
          line.append(promise, for: sequence)
          model[sequence] = promise
        } else {
          // Most often the oldest promise.
          let wanted = Bool.random(using: &generator) ? model.keys.min() ?? 0 : Int64.random(in: 0...sequence + 1, using: &generator)
          let (found, expected) = (line.remove(wanted), model.removeValue(forKey: wanted))
          #expect(found === expected)
        }
      }
      let left = line.removeAll()
      #expect(left.map(\.sequence) == left.map(\.sequence).sorted())
      #expect(Set(left.map { ObjectIdentifier($0.promise) }) == Set(model.values.map(ObjectIdentifier.init)))
      let again = line.removeAll()
      #expect(again.isEmpty)
    }
  }
}

import AlterTesting
import Testing

@testable import AlterStore

@Suite("A queue in chunks")
struct PiecesTests {
  @Test("it behaves as an array, and a copy keeps its elements")
  func model() {
    for seed in 0..<40 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var (queue, model) = (Pieces<Int>(), [Int]())
      var copies: [(Pieces<Int>, [Int])] = []
      for step in 0..<60 {
        switch random.below(8) {
        case 0:
          let number = random.below(model.count + 1)
          queue.removeFirst(number)
          model.removeFirst(number)
        case 1:
          for _ in 0..<random.below(min(model.count, 200) + 1) {
            queue.removeLast()
            model.removeLast()
          }
        case 2: copies.append((queue, model))
        default:
          for _ in 0..<random.below(200) {
            queue.append(step)
            model.append(step)
          }
        }
        #expect(queue.count == model.count && queue.elementsEqual(model), "seed \(seed), step \(step)")
        #expect(queue.pieces.joined().elementsEqual(model) && !queue.pieces.contains(where: \.isEmpty), "seed \(seed), step \(step)")
      }
      for (queue, model) in copies { #expect(queue.elementsEqual(model)) }
    }
  }
}

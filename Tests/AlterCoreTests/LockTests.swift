import AlterCore
import Foundation
import Testing

@Suite("A lock")
struct LockTests {
  @Test("lets one thread at a time touch its value: four threads lose nothing")
  func fourThreads() {
    struct Totals {
      var count = 0
      var seen: [Int: Int] = [:]
    }
    let totals = Lock(Totals())
    let finished = DispatchGroup()
    for thread in 0..<4 {
      finished.enter()
      Thread.detachNewThread {
        for _ in 0..<25_000 {
          totals.withLock { totals in
            totals.count += 1
            totals.seen[thread, default: 0] += 1
          }
        }
        finished.leave()
      }
    }
    finished.wait()
    #expect(totals.withLock { $0.count } == 100_000)
    #expect(totals.withLock { $0.seen } == [0: 25_000, 1: 25_000, 2: 25_000, 3: 25_000])
  }

  @Test("is free again after an error, which keeps its type")
  func errors() {
    enum Trouble: Error { case here }
    let number = Lock(1)
    do throws(Trouble) {
      try number.withLock { number throws(Trouble) in
        number = 2
        throw .here
      }
    } catch {
      #expect(error == .here)
    }
    #expect(number.withLock { $0 } == 2)
  }

  @Test("lets go of its value when it goes")
  func lifetime() {
    final class Thing: Sendable {}
    weak var thing: Thing?
    do {
      let lock = Lock(Thing())
      thing = lock.withLock { $0 }
      #expect(thing != nil)
    }
    #expect(thing == nil)
  }
}

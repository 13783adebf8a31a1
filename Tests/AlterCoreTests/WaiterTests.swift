import AlterCore
import Testing

@Suite("A wait")
struct WaiterTests {
  @Test("ends with the value that comes first, before or after it begins, and tells whoever finishes it")
  func value() async {
    let early = Waiter<Int>()
    #expect(early.finish(1))
    #expect(!early.finish(2))
    #expect(await early.value() == 1)
    let late = Waiter<Int>()
    let task = Task { await late.value() }
    #expect(late.finish(3))
    #expect(await task.value == 3)
    #expect(late.isFinished)
  }

  @Test("ends with its task: a value that comes later reaches nobody")
  func cancelled() async {
    let waiter = Waiter<Int>()
    let task = Task { await waiter.value() }
    task.cancel()
    #expect(await task.value == nil)
    #expect(!waiter.finish(1))
  }
}

import Dispatch

/// Where long work is done: on threads of their own, so that Swift's few threads stay free for what is short.
package struct LongWork: Sendable {
  /// Runs a closure elsewhere. A simulation runs it at once.
  package var start: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// Work on a dispatch queue.
  package static let dispatched = LongWork { work in DispatchQueue.global(qos: .utility).async(execute: work) }

  /// Runs work and waits for it, without taking up one of Swift's threads.
  package func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in start { continuation.resume(returning: work()) } }
  }

  /// Runs work on a value: elsewhere when it is long.
  func run<Value: Sendable, Result: Sendable>(
    ifMore isLong: Bool, on value: inout Value, _ work: @escaping @Sendable (inout Value) -> Result
  ) async -> Result {
    guard isLong else { return work(&value) }
    let (changed, result) = await run { [value] in
      var value = value
      let result = work(&value)
      return (value, result)
    }
    value = changed
    return result
  }
}

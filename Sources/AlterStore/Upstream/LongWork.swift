import Dispatch

/// Runs long work on threads of its own, so that Swift's few threads stay free for short work.
package struct LongWork: Sendable {
  /// Runs a closure on another thread. A simulation runs it at once.
  package var start: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// Creates a way to run work from what runs a closure.
  package init(start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) { self.start = start }

  /// Runs work on a dispatch queue.
  package static let dispatched = LongWork { work in DispatchQueue.global(qos: .utility).async(execute: work) }

  /// Runs work and waits for it, without blocking one of Swift's threads.
  package func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in start { continuation.resume(returning: work()) } }
  }

  /// Runs work on a value: on another thread if it is long, otherwise at once.
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

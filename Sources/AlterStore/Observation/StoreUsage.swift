import AlterCore

/// Counts the sequences, iterators and streams that observe a store without keeping it alive. `Stores` closes no store that has one.
final class StoreUsage: Sendable {
  private let count = Lock(0)

  /// Whether there is none.
  var isEmpty: Bool { count.withLock { $0 == 0 } }

  /// Counts a stream until it is terminated, also by the release of its last copy.
  func register<Element>(_ continuation: AsyncStream<Element>.Continuation) {
    count.withLock { $0 += 1 }
    // Called once. The lock is taken last, so it may be called under the store's lock.
    continuation.onTermination = { @Sendable [self] _ in count.withLock { $0 -= 1 } }
  }

  /// Counts one observer until the last copy of its token is released.
  func token() -> Token { Token(self) }

  /// One observer.
  final class Token: Sendable {
    private let usage: StoreUsage

    fileprivate init(_ usage: StoreUsage) {
      self.usage = usage
      usage.count.withLock { $0 += 1 }
    }

    deinit { usage.count.withLock { $0 -= 1 } }
  }
}

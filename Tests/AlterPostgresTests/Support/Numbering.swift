#if Postgres
  import AlterCore

  /// Counts 0, 1, 2 … for several threads.
  final class Numbering: Sendable {
    private let value = Lock(0)

    func next() -> Int {
      value.withLock { value in
        defer { value += 1 }
        return value
      }
    }
  }
#endif

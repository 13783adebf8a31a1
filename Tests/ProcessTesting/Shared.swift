import AlterCore

/// A value that a test's tasks and threads share.
public final class Shared<Value: Sendable>: Sendable {
  private let lock: Lock<Value>

  /// Creates the value.
  public init(_ value: Value) { lock = Lock(value) }

  /// Reads or changes the value with exclusive access.
  public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result { try lock.withLock(body) }
}

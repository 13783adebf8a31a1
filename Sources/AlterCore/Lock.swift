#if canImport(Darwin)
  public import Darwin
#elseif canImport(Glibc)
  public import Glibc
#elseif canImport(Musl)
  public import Musl
#endif

/// A value that only the holder of a lock can access.
///
/// This type does not use `Synchronization.Mutex`: under contention the thread sanitizer reports false races for it on Linux, and we
/// promise a clean run. Every tool understands a plain pthread mutex (an unfair lock on Apple platforms).
///
/// The value has a memory allocation of its own. The lock already guarantees exclusive access, so the runtime need not check it again.
///
/// `@unchecked Sendable`: the memory behind `value` is read and written only in ``withLock(_:)`` and ``withLock(waiting:_:)``, between lock and
/// unlock, and in `init` and `deinit`, when no other thread can access the lock. The closure's `inout` access cannot escape.
@usableFromInline
package final class Lock<Value>: @unchecked Sendable {
  #if canImport(Darwin)
    @usableFromInline package typealias Primitive = os_unfair_lock
  #else
    @usableFromInline package typealias Primitive = pthread_mutex_t
  #endif
  @usableFromInline package let primitive: UnsafeMutablePointer<Primitive>
  @usableFromInline package let value: UnsafeMutablePointer<Value>
  /// The message if a thread takes the lock twice; nil if no foreign code runs under the lock.
  private let recursion: String?

  /// Creates a lock around a value.
  ///
  /// - Parameters:
  ///   - value: The protected value.
  ///   - recursion: The message, printed before the process ends, if a thread that holds the lock takes it again. Use it for a lock under
  ///     which foreign code is called. On Apple platforms the system prints its own message. Nil for a lock that cannot be taken twice.
  package init(_ value: sending Value, telling recursion: @autoclosure () -> String? = nil) {
    self.recursion = recursion()
    // One piece of memory for both.
    let alignment = max(MemoryLayout<Primitive>.alignment, MemoryLayout<Value>.alignment)
    let offset = (MemoryLayout<Primitive>.size + alignment - 1) / alignment * alignment
    let memory = UnsafeMutableRawPointer.allocate(byteCount: offset + MemoryLayout<Value>.size, alignment: alignment)
    primitive = memory.bindMemory(to: Primitive.self, capacity: 1)
    self.value = (memory + offset).bindMemory(to: Value.self, capacity: 1)
    self.value.initialize(to: value)
    primitive.initialize(to: Primitive())
    #if !canImport(Darwin)
      var attributes = pthread_mutexattr_t()
      pthread_mutexattr_init(&attributes)
      if self.recursion != nil { pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK)) }
      pthread_mutex_init(primitive, &attributes)
      pthread_mutexattr_destroy(&attributes)
    #endif
  }

  deinit {
    #if !canImport(Darwin)
      pthread_mutex_destroy(primitive)
    #endif
    primitive.deinitialize(count: 1)
    value.deinitialize(count: 1)
    UnsafeMutableRawPointer(primitive).deallocate()
  }

  /// Ends the process: this thread already holds the lock.
  @usableFromInline
  func refuse() -> Never { fatalError(recursion ?? "A lock was taken twice.") }

  /// Runs the closure with exclusive access to the value. The lock is not recursive: a nested call ends the process with the message if
  /// there is one, and hangs otherwise.
  @inlinable
  package func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result {
    #if canImport(Darwin)
      os_unfair_lock_lock(primitive)
      defer { os_unfair_lock_unlock(primitive) }
    #else
      if pthread_mutex_lock(primitive) != 0 { refuse() }
      defer { pthread_mutex_unlock(primitive) }
    #endif
    return try body(&value.pointee)
  }

  /// Runs the closure with exclusive access to the value, unless it would have to wait for that and must not.
  ///
  /// - Parameters:
  ///   - isPatient: Whether it may wait. Otherwise the closure does not run while a thread has the lock, this one included.
  ///   - body: The closure.
  /// - Returns: The result of the closure; nil if it did not run.
  package func withLock<Result, Failure: Error>(waiting isPatient: Bool, _ body: (inout Value) throws(Failure) -> Result) throws(Failure)
    -> Result?
  {
    if isPatient { return try withLock(body) }
    #if canImport(Darwin)
      guard os_unfair_lock_trylock(primitive) else { return nil }
      defer { os_unfair_lock_unlock(primitive) }
    #else
      guard pthread_mutex_trylock(primitive) == 0 else { return nil }
      defer { pthread_mutex_unlock(primitive) }
    #endif
    return try body(&value.pointee)
  }
}

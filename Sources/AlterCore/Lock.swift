#if canImport(Darwin)
  public import Darwin
#elseif canImport(Glibc)
  public import Glibc
#elseif canImport(Musl)
  public import Musl
#endif

/// A value that only the holder of a lock can touch.
///
/// Not `Synchronization.Mutex`: under contention the thread sanitizer reports false races for it on Linux, and our promise is a
/// clean run. A plain pthread mutex (an unfair lock on Apple platforms) is understood by every tool.
///
/// The value lies in memory of its own: the lock is what makes an access exclusive, and the runtime need not check that again.
///
/// `@unchecked Sendable`: what `value` points to is read and written only in ``withLock(_:)``, between lock and unlock, and in `init` and `deinit`,
/// where nobody else has the lock yet or any more; the closure's `inout` access can't escape.
@usableFromInline
package final class Lock<Value>: @unchecked Sendable {
  #if canImport(Darwin)
    @usableFromInline package typealias Primitive = os_unfair_lock
  #else
    @usableFromInline package typealias Primitive = pthread_mutex_t
  #endif
  @usableFromInline package let primitive: UnsafeMutablePointer<Primitive>
  @usableFromInline package let value: UnsafeMutablePointer<Value>
  /// What to say when a thread takes it twice; nil where no code of others runs under it.
  private let recursion: String?

  /// A lock around a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - recursion: What to say, before the process ends, when a thread that has the lock takes it again: for a lock under which code of others is called. On
  ///     Apple platforms the system says that itself. Nil for a lock that nobody can take twice.
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

  /// The lock could not be taken: this thread has it.
  @usableFromInline
  func refuse() -> Never { fatalError(recursion ?? "A lock was taken twice.") }

  /// Runs the closure with exclusive access to the value. Not recursive: a second call from inside ends the process with a message if one was given, and
  /// hangs otherwise.
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
}

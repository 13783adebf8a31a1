#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A thread with a given stack size.
enum SmallThread {
  static func run<Result: Sendable>(stackSize: Int, _ body: @escaping @Sendable () -> Result) -> Result? {
    let box = Box<Result>()
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0, pthread_attr_setstacksize(&attributes, stackSize) == 0 else { return nil }
    defer { pthread_attr_destroy(&attributes) }
    let context = Unmanaged.passRetained(Work { box.result = body() })
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let status = pthread_create(
      &thread, &attributes,
      { pointer in
        #if canImport(Darwin)
          Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body()
        #else
          Unmanaged<Work>.fromOpaque(pointer!).takeRetainedValue().body()
        #endif
        return nil
      }, context.toOpaque())
    guard status == 0 else {
      context.release()
      return nil
    }
    #if canImport(Darwin)
      pthread_join(thread!, nil)
    #else
      pthread_join(thread, nil)
    #endif
    return box.result
  }

  private final class Box<Result>: @unchecked Sendable { var result: Result? }

  private final class Work {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }
}

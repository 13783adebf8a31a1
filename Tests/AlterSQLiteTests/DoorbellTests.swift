#if SQLite
  import AlterCore
  import Dispatch
  import Foundation
  import Testing

  @testable import AlterSQLite

  @Suite("The doorbell", .timeLimit(.minutes(5)))
  struct DoorbellTests {
    private let queue = DispatchQueue(label: "test")

    /// Gives what was looked at, as often as it was.
    private func looks() -> (stream: AsyncStream<Void>, look: @Sendable () -> Void) {
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
      return (stream, { continuation.yield() })
    }

    @Test("wakes those who wait when it rings, without any polling")
    func rings() async throws {
      try await TemporaryFolder.use { folder in
        let bell = Doorbell(path: folder.path("bell"))
        let (stream, look) = looks()
        let watch = BellWatch(path: folder.path("bell"), queue: queue, interval: nil, look: look)
        watch.begin()
        var iterator = stream.makeAsyncIterator()
        for revision in 1...3 {
          bell.ring(Revision(Int64(revision)))
          #expect(await iterator.next() != nil)
          #expect(Doorbell.lastRung(at: folder.path("bell")).number == Int64(revision))
        }
        watch.end()
      }
    }

    @Test("that is broken is made up for by looking now and then")
    func polls() async throws {
      let (stream, look) = looks()
      let watch = BellWatch(path: "/nowhere/bell", queue: queue, interval: .milliseconds(1), look: look)
      watch.begin()
      var iterator = stream.makeAsyncIterator()
      for _ in 0..<3 { #expect(await iterator.next() != nil) }
      watch.end()
    }

    @Test("is not listened to while nobody waits, and again when somebody does")
    func idle() async throws {
      try await TemporaryFolder.use { folder in
        let bell = Doorbell(path: folder.path("bell"))
        let counted = Lock(0)
        let (stream, look) = looks()
        let watch = BellWatch(path: folder.path("bell"), queue: queue, interval: nil) {
          counted.withLock { $0 += 1 }
          look()
        }
        watch.begin()
        watch.finish()
        for revision in 1...10 { bell.ring(Revision(Int64(revision))) }
        queue.sync {}
        #expect(counted.withLock { $0 } == 0)
        watch.begin()
        bell.ring(11)
        var iterator = stream.makeAsyncIterator()
        #expect(await iterator.next() != nil)
        watch.end()
      }
    }

    @Test("that never rang, or isn't there, tells of no revision")
    func silent() async throws {
      try await TemporaryFolder.use { folder in
        #expect(Doorbell.lastRung(at: folder.path("bell")) == .zero)
        try folder.write(Data([1, 2, 3]), to: "bell")
        #expect(Doorbell.lastRung(at: folder.path("bell")) == .zero)
        // Where none can be made, ringing does nothing.
        Doorbell(path: folder.path("missing/bell")).ring(1)
      }
    }
  }
#endif

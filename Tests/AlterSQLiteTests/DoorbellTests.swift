#if SQLite
  import AlterCore
  import Dispatch
  import Foundation
  import Testing

  @testable import AlterSQLite

  @Suite("The doorbell", .timeLimit(.minutes(20)))
  struct DoorbellTests {
    private let queue = DispatchQueue(label: "test")

    /// A stream with one element for each call of `look`.
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

    @Test("is not heard by the handle that rings it, but by it when another does, waiting or not")
    func others() async throws {
      try await TemporaryFolder.use { folder in
        let (own, other) = (Doorbell(path: folder.path("bell")), Doorbell(path: folder.path("bell")))
        let counted = Lock(0)
        let (stream, look) = looks()
        let watch = BellWatch(path: folder.path("bell"), queue: queue, interval: nil, tellsOfOthers: { own.tellsOfOthers }) {
          counted.withLock { $0 += 1 }
          look()
        }
        #expect(own.tellsOfOthers)
        // Before the first look there may be something new, afterwards there is not.
        #expect(watch.begin())
        #expect(!watch.begin())
        own.spare(watch)
        var iterator = stream.makeAsyncIterator()
        for revision in 1...10 {
          own.ring(Revision(Int64(2 * revision)))
          #expect(!own.tellsOfOthers)
          other.ring(Revision(Int64(2 * revision + 1)))
          #expect(own.tellsOfOthers)
          #expect(await iterator.next() != nil)
        }
        #expect(counted.withLock { $0 } == 10)
        own.ring(100)
        watch.finish()
        watch.finish()
        #expect(!watch.begin())
        watch.end()
      }
    }

    @Test("that never rang, or isn't there, tells of no revision")
    func silent() async throws {
      try await TemporaryFolder.use { folder in
        #expect(Doorbell.lastRung(at: folder.path("bell")) == .zero)
        try folder.write(Data([1, 2, 3]), to: "bell")
        #expect(Doorbell.lastRung(at: folder.path("bell")) == .zero)
        // If the bell file can't be created, ringing does nothing.
        Doorbell(path: folder.path("missing/bell")).ring(1)
      }
    }
  }
#endif

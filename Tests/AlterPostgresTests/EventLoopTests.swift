#if Postgres
  import AlterCore
  import Foundation
  import Testing

  @testable import AlterPostgres

  @Suite("The loop of connections", .timeLimit(.minutes(20)))
  struct EventLoopTests {
    /// The work done on the loop, in order, and the tasks that wait for its end.
    ///
    /// `@unchecked Sendable`: only the loop uses `done`. The test checks that, with the thread sanitizer.
    private final class Log: @unchecked Sendable {
      private(set) var done: [Int] = []
      private let (ends, end) = AsyncStream.makeStream(of: [Int].self)

      func add(_ number: Int, ending: Bool = false) {
        done.append(number)
        if ending { end.yield(done) }
      }

      /// The work done until the end was announced.
      func atEnd() async -> [Int] { await ends.first { _ in true } ?? [] }
    }

    @Test("does one thing at a time, whoever gives it: on the thread that asks, or soon")
    func oneAtATime() async {
      let (loop, log) = (EventLoop(), Log())
      await withTaskGroup(of: Void.self) { group in
        for part in 0..<8 {
          group.addTask {
            for number in 0..<500 where number.isMultiple(of: 2) == part.isMultiple(of: 2) { loop.perform { log.add(number) } }
            for number in 0..<500 where number.isMultiple(of: 2) != part.isMultiple(of: 2) { loop.async { log.add(number) } }
          }
        }
      }
      loop.async { log.add(-1, ending: true) }
      let done = await log.atEnd()
      #expect(done.count == 4_001 && done.last == -1)
      #expect(Dictionary(grouping: done, by: { $0 }).filter { $0.key >= 0 }.values.allSatisfy { $0.count == 8 })
    }

    @Test("has done what it was given when it has done what came after, also what was given on the loop")
    func order() async {
      let (loop, log) = (EventLoop(), Log())
      loop.async {
        log.add(1)
        loop.async { log.add(3, ending: true) }
        log.add(2)
      }
      #expect(await log.atEnd() == [1, 2, 3])
      loop.async { log.add(4) }
      loop.perform { log.add(5, ending: true) }
      #expect(await log.atEnd() == [1, 2, 3, 4, 5])
    }

    @Test("does what is due in the order of time, and not before")
    func timers() async {
      let (loop, log, start) = (EventLoop(), Log(), ContinuousClock.now)
      // So much later that the others are given in time on a busy machine, too.
      loop.async(after: .seconds(2)) { log.add(3, ending: true) }
      loop.async(after: .milliseconds(10)) { log.add(1) }
      loop.async(after: .milliseconds(10)) { log.add(2) }
      loop.async(after: .seconds(1_000)) { log.add(4) }
      #expect(await log.atEnd() == [1, 2, 3])
      #expect(start.duration(to: .now) >= .seconds(2))
    }

    @Test("hears of a socket for as long as it is watched, from whatever thread it was told to")
    func sockets() async {
      let (loop, log) = (EventLoop(), Log())
      var ends: [Int32] = [0, 0]
      #expect(socketpair(AF_UNIX, testSocketStream, 0, &ends) == 0)
      let (near, far) = (ends[0], ends[1])
      _ = fcntl(near, F_SETFL, O_NONBLOCK)
      // The thread then already waits when the next socket is added.
      loop.async(after: .seconds(1_000)) {}
      loop.perform {
        loop.watch(near) {
          var byte: UInt8 = 0
          if read(near, &byte, 1) == 1 { log.add(Int(byte), ending: true) }
        }
      }
      for byte in UInt8(1)...3 {
        var byte = byte
        #expect(write(far, &byte, 1) == 1)
        #expect(await log.atEnd().last == Int(byte))
      }
      // Only a watcher that asks for writability is notified of it.
      loop.perform { loop.watchWriting(near, true) }
      loop.perform {
        loop.unwatch(near)
        loop.watch(near) {
          log.add(9, ending: true)
          loop.watchWriting(near, false)
          loop.unwatch(near)
        }
        loop.watchWriting(near, true)
      }
      #expect(await log.atEnd().last == 9)
      close(near)
      close(far)
    }
  }

  #if canImport(Darwin)
    private let testSocketStream = SOCK_STREAM
  #else
    private let testSocketStream = Int32(SOCK_STREAM.rawValue)
  #endif
#endif

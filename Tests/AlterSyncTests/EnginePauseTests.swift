import AlterJournal
import AlterSyncCore
import Testing

@Suite("The pauses of the device's engine")
struct EnginePauseTests {
  private static let drafts = Situation(hasUndecided: true, random: 1)
  private static let page = Reply.page(isMore: false, hold: nil)

  /// An engine whose first pull was answered, and that has sent its drafts.
  private func pushing() throws -> Engine {
    var engine = Engine()
    _ = try engine.handle(.start, in: Self.drafts)
    _ = try engine.handle(.lockGranted, in: Self.drafts)
    if engine.phase == .pulling { _ = try engine.handle(.replied(engine.request, Self.page), in: Self.drafts) }
    #expect(engine.phase == .pushing)
    return engine
  }

  private func pause(_ commands: [EngineCommand]) -> Double? {
    for case .setTimer(_, let seconds) in commands { return seconds }
    return nil
  }

  /// The pauses after the same reply to ten requests in a row.
  private func pauses(after reply: Reply) throws -> [Double] {
    var engine = try pushing()
    var (pauses, now): ([Double], Int64) = ([], 0)
    for _ in 0..<10 {
      let situation = Situation(hasUndecided: true, now: now, random: 1)
      let pause = try #require(pause(try engine.handle(.replied(engine.request, reply), in: situation)))
      #expect(engine.phase == .waiting)
      pauses.append(pause)
      now += Int64(pause * 1_000_000)
      _ = try engine.handle(.fired(engine.timer), in: Situation(hasUndecided: true, now: now, random: 1))
    }
    return pauses
  }

  @Test("a server that asks for no pause gets the device's own, which grow; a longer one is kept")
  func busy() throws {
    #expect(try pauses(after: .busy(0)) == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2])
    #expect(try pauses(after: .busy(20)) == Array(repeating: 20, count: 8) + [25.6, 51.2])
    #expect(try pauses(after: .busy(90)) == Array(repeating: 90, count: 10))
  }

  @Test("a busy server gets one draft at a time until it decides one, and then the others")
  func probesBusy() throws {
    var engine = try pushing()
    for second in 1..<4 as Range<Int64> {
      let situation = Situation(hasUndecided: true, now: second * 3_600_000_000, random: 1)
      _ = try engine.handle(.replied(engine.request, .busy(0)), in: situation)
      #expect(try engine.handle(.fired(engine.timer), in: situation).contains(.send(engine.request, .probe)))
    }
    // A connection that breaks decides nothing.
    _ = try engine.handle(.failed(engine.request), in: Self.drafts)
    #expect(try engine.handle(.nudged, in: Self.drafts).contains(.send(engine.request, .probe)))
    #expect(try engine.handle(.replied(engine.request, Self.page), in: Self.drafts).contains(.send(engine.request, .push)))
    // A pull that is answered decides nothing, either.
    let pulled = Situation(hasUndecided: false, random: 1)
    _ = try engine.handle(.replied(engine.request, .busy(0)), in: pulled)
    #expect(try engine.handle(.fired(engine.timer), in: pulled).contains(.send(engine.request, .pull)))
    #expect(try engine.handle(.replied(engine.request, Self.page), in: Self.drafts).contains(.send(engine.request, .probe)))
  }

  @Test("a hold is probed with one draft, after pauses that grow", arguments: [SyncHold.Code.schema, .policy, .budget])
  func holds(code: SyncHold.Code) throws {
    func hold(_ seconds: Int) -> Reply { .page(isMore: false, hold: SyncHold(code, at: EntryID(1, 1), seconds: seconds)) }
    #expect(try pauses(after: hold(10)) == [10, 20, 40, 60, 60, 60, 60, 60, 60, 60])
    #expect(try pauses(after: hold(0)).prefix(4) == [0.1, 0.2, 0.4, 0.8])
    #expect(try pauses(after: hold(600)) == Array(repeating: 600, count: 10))
    var engine = try pushing()
    for second in 0..<3 as Range<Int64> {
      let situation = Situation(hasUndecided: true, now: second * 3_600_000_000, random: 1)
      _ = try engine.handle(.replied(engine.request, hold(10)), in: situation)
      #expect(try engine.handle(.fired(engine.timer), in: situation).contains(.send(engine.request, .probe)))
    }
    // A nudge is a probe, too; pages that come meanwhile end no hold. When the draft is decided, the others follow.
    _ = try engine.handle(.replied(engine.request, hold(10)), in: Self.drafts)
    #expect(try engine.handle(.nudged, in: Self.drafts).contains(.send(engine.request, .probe)))
    #expect(try engine.handle(.replied(engine.request, Self.page), in: Self.drafts).contains(.send(engine.request, .push)))
  }

  @Test("a nudge sends a request again that has lasted for ten seconds, but not a fetch")
  func nudge() throws {
    var engine = try pushing()
    let first = engine.request
    #expect(try engine.handle(.nudged, in: Situation(hasUndecided: true, now: 9_999_999)).isEmpty)
    let commands = try engine.handle(.nudged, in: Situation(hasUndecided: true, now: 10_000_000))
    #expect(commands.contains(.cancel(first)) && commands.contains(.send(first + 1, .push)))
    #expect(try engine.handle(.replied(first, Self.page), in: Self.drafts).isEmpty)
    // A server that takes longer than that is heard at last.
    #expect(try engine.handle(.nudged, in: Situation(hasUndecided: true, now: 60_000_000)).isEmpty)
    _ = try engine.handle(.replied(engine.request, .gone), in: Self.drafts)
    #expect(engine.phase == .fetching)
    #expect(try engine.handle(.nudged, in: Situation(hasUndecided: true, now: 900_000_000)).isEmpty)
  }
}

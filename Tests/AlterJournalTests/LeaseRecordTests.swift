import AlterCore
import AlterJournal
import Testing

@Suite("A lease as stored", .timeLimit(.minutes(20)))
struct LeaseRecordTests {
  private static let now: Int64 = 1_800_000_000_000_000
  private let holder = Origin.random()
  private let rival = Origin.random()

  private func record(epoch: Int64 = 3, granted: Int64 = now, expires: Int64) -> LeaseRecord {
    LeaseRecord(holder: holder, epoch: epoch, granted: granted, expires: expires)
  }

  @Test("is in force for a day at most after it was granted, whatever time it says", arguments: [now, 0, .min, .max])
  func endless(_ granted: Int64) {
    let record = record(granted: granted, expires: .max)
    let isInForce = granted == Self.now
    #expect(record.isValid(at: Self.now) == isInForce)
    #expect((LeaseRecord.granting(record, to: rival, for: .seconds(1), at: Self.now) == nil) == isInForce)
    #expect(record.lease("sync").expires == (granted == .max ? .max : granted + LeaseRecord.longest))
    let dayLater = LeaseRecord.granting(record, to: rival, for: .seconds(1), at: Self.now + LeaseRecord.longest)
    #expect(dayLater?.holder == rival)
    #expect(dayLater?.epoch == 4)
  }

  @Test("is granted for a day at most", arguments: [Duration.seconds(86_401), .seconds(Int64.max), .seconds(-1), .zero])
  func length(_ duration: Duration) throws {
    let record = try #require(LeaseRecord.granting(nil, to: holder, for: duration, at: Self.now))
    #expect(record.expires == (duration > .zero ? Self.now + LeaseRecord.longest : Self.now))
  }

  @Test("of the last epoch that there is can't be taken over: that is damage once it has run out, and its holder can renew it")
  func lastEpoch() {
    for expires in [Int64.min, 0, Self.now] {
      let record = record(epoch: .max, expires: expires)
      #expect(LeaseRecord.granting(record, to: rival, for: .seconds(1), at: Self.now) == nil)
      #expect(record.refusal(of: "sync", at: Self.now, in: "todo").code == .damaged)
      #expect(LeaseRecord.granting(record, to: holder, for: .seconds(1), at: Self.now)?.epoch == .max)
    }
    #expect(record(epoch: .max, expires: Self.now + 1).refusal(of: "sync", at: Self.now, in: "todo").code == .leased)
  }
}

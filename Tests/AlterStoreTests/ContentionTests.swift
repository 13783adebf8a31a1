import Testing

@testable import AlterStore

@Suite("Contention") struct ContentionTests {
  @Test("begins with a conflict, and ends after four turns in a row that missed nothing")
  func calm() {
    var contention = Contention()
    let now = ContinuousClock.now
    #expect(!contention.isHigh && !contention.isFresh(now: now))
    contention.lost()
    for missed in [false, false, false, true, false, false, false] {
      contention.tookTurn(missed: missed, now: now)
      #expect(contention.isHigh)
    }
    contention.tookTurn(missed: false, now: now)
    #expect(!contention.isHigh && !contention.isFresh(now: now))
  }

  @Test("is fresh for 50 milliseconds after a turn, and not before the first one")
  func fresh() {
    var contention = Contention()
    let now = ContinuousClock.now
    contention.lost()
    #expect(!contention.isFresh(now: now))
    contention.tookTurn(missed: true, now: now)
    #expect(contention.isFresh(now: now) && contention.isFresh(now: now + .milliseconds(49)))
    #expect(!contention.isFresh(now: now + .milliseconds(50)))
  }
}

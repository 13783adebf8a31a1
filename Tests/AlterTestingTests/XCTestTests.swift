import Alter
import AlterTesting
import XCTest

/// Checks the test store in XCTest.
final class TestStoreInXCTest: XCTestCase {
  private let clock = TestClock()
  private var failures: [(text: String, line: Int)] = []
  private var isFailing = false

  func testAnEffectIsReceived() async {
    let store = TestStore(Desk(), feedbacks: [.save], in: World(clock: clock.clock), clock: clock)
    store.send(.put(1, Desk.Item(name: "a"))) { $0.items[1] = Desk.Item(name: "a") }
    await store.receive(.saved(1)) { $0.items[1]?.isSaved = true }
    await store.finish()
  }

  #if !canImport(ObjectiveC)
    /// XCTest reports each failure here.
    override func recordFailure(withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool) {
      if isFailing {
        failures.append((description, lineNumber))
      } else {
        super.recordFailure(withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
      }
    }

    func testAFailureIsToldWhereTheCallStands() async {
      let store = TestStore(Desk())
      isFailing = true
      let line = #line + 1
      store.send(.progress(1))
      isFailing = false
      XCTAssertEqual(failures.map(\.line), [line])
      XCTAssert(failures.first?.text.contains(".progress(1) changes the state") == true, "\(failures)")
      await store.finish()
    }
  #endif
}

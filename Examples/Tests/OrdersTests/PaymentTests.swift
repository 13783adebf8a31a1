import Alter
import AlterTesting
import Foundation
import OrdersCore
import ProcessTesting
import Testing

@Suite("The payment of an order", .timeLimit(.minutes(30)))
struct PaymentTests {
  // MARK: - The state

  @Test("a second payment is refused while one is open, unclear or made; an answer without its request is refused")
  func state() throws {
    let (first, second) = (Stamp(time: 1, origin: .random(), sequence: 1), Stamp(time: 2, origin: .random(), sequence: 2))
    let placed = try Shop().alter(.place(Order("1", "bread")))
    let wanted = try placed.alter([.payment("1", .pay(cents: 500))], at: first)
    let id = RequestID(first)
    #expect(wanted.orders[id: "1"]?.payment.request?.id == id)
    let unclear = try wanted.alter(.payment("1", .unclear(id)))
    let paid = try wanted.alter(.payment("1", .charging(id)), .payment("1", .paid(id)))
    for state in [wanted, unclear, paid] {
      #expect(throws: Refusal.self) { try state.alter([.payment("1", .pay(cents: 500))], at: second) }
    }
    // The same request again, and so the same key.
    #expect(try unclear.alter(.payment("1", .checkAgain)).orders[id: "1"]?.payment.request?.id == id)
    for change in [Payment.Change.charging(id), .paid(id), .declined(id, "no"), .unclear(id)] {
      #expect(throws: Refusal.self) { try placed.alter(.payment("1", change)) }
      #expect(throws: Refusal.self) { try paid.alter(.payment("1", change)) }
    }
    #expect(throws: Refusal.self) { try wanted.alter(.payment("1", .paid(RequestID(second)))) }
  }

  // MARK: - With processes that die

  /// A folder with a till and a bank.
  private struct Place {
    let folder: Folder
    init() throws { folder = try Folder() }

    func till(_ arguments: String..., dies step: String? = nil) throws -> LineProcess {
      let arguments = arguments + (step.map { ["--die", $0] } ?? [])
      return try LineProcess([Product.path("till"), folder.path("shop.db"), folder.path("bank")] + arguments, environment: [:])
    }

    /// The lines of the bank's books with a word.
    func books(_ word: String) -> [String] {
      let text = (try? folder.bytes("bank")).map { String(decoding: $0, as: UTF8.self) } ?? ""
      return text.split(separator: "\n").map(String.init).filter { $0.hasPrefix(word) }
    }
  }

  @Test(
    "is charged once, wherever the process dies: before the charge, after it, and before the answer is written",
    arguments: ["before", "after", "answer"])
  func killed(step: String) throws {
    for round in 1...Effort.count(short: 10, full: 200) {
      let place = try Place()
      #expect(try place.till("pay", "1", "500", dies: step).child.wait() == 128 + SIGKILL, "round \(round)")
      // It may die more than once.
      if round % 3 == 0 { _ = try place.till("work", dies: step).child.wait() }
      let work = try place.till("work")
      #expect(work.readLines() == ["1 paid"], "round \(round)")
      #expect(place.books("charged").count == 1, "round \(round)")
      let keys = Set((place.books("charged") + place.books("again")).map { $0.split(separator: " ")[1] })
      #expect(keys.count == 1, "round \(round): \(keys)")
    }
  }

  @Test("is counted by the report, a query over the orders and their payments")
  func report() async throws {
    let store = Store(Shop())
    #expect(try await store.report() == [])
    for number in 1...5 { try store.change(.place(Order("\(number)", "bread"))) }
    for (number, cents) in [("1", 500), ("2", 250), ("3", 100)] { try store.change(.payment(number, .pay(cents: cents))) }
    let request = try #require(store.state.orders[id: "3"]?.payment.request?.id)
    try store.change(.payment("3", .charging(request)), .payment("3", .paid(request)))
    let mail = try #require(store.state.orders[id: "3"]?.mail?.id)
    try await store.change(.receipt(mail, of: "3")).durable()
    #expect(
      try await store.report().map(\.description) == [
        "none: 2 orders, 0 receipts, 0 cents open", "wanted: 2 orders, 0 receipts, 750 cents open",
        "paid: 1 orders, 1 receipts, 0 cents open",
      ])
    try await store.undo()
    #expect(try await store.report().last?.receipts == 0)
    await store.close()

    let place = try Place()
    #expect(try place.till("pay", "1", "500").readLines() == ["1 paid"])
    #expect(try place.till("report").readLines() == ["paid: 1 orders, 0 receipts, 0 cents open"])
  }

  @Test("is charged once by two processes, one of which dies")
  func twoProcesses() throws {
    for round in 1...Effort.count(short: 10, full: 200) {
      let place = try Place()
      let dying = try place.till("pay", "1", "500", dies: ["before", "after", "answer"][round % 3])
      let others = try [place.till("work"), place.till("work")]
      // Another process may have performed the request before it could die.
      #expect([0, 128 + SIGKILL].contains(dying.child.wait()), "round \(round)")
      // One may have ended before the payment came.
      for other in others { #expect(other.child.wait() == 0, "round \(round)") }
      #expect(try place.till("work").readLines() == ["1 paid"], "round \(round)")
      #expect(place.books("charged").count == 1, "round \(round)")
    }
  }

  @Test(
    "that a dying process undoes, and redoes, is charged once or never, as the list shows: alone, and beside another process",
    arguments: [false, true])
  func undone(besideAnother: Bool) throws {
    var words: Set<String> = []
    for round in 1...Effort.count(short: 12, full: 200) {
      let place = try Place()
      // At a step of the payment, or in the undo and the redo themselves.
      let step = besideAnother ? ["before", "after", "answer", nil][round % 4] : nil
      func run(_ process: LineProcess, printing word: String) throws {
        let other = besideAnother ? try place.till("work") : nil
        #expect(process.readLine() == word, "round \(round)")
        if step == nil { process.child.end() }
        // The other process may have performed the request before this one could die, or the undo has come first.
        #expect([0, 128 + SIGKILL].contains(process.child.wait()), "round \(round)")
        if let other { #expect(other.child.wait() == 0, "round \(round)") }
      }
      try run(try place.till("take-back", "1", "500", dies: step), printing: "undoing")
      let first = try #require(try place.till("work").readLines().first)
      words.insert(first)
      #expect(place.books("charged").count == (first == "1 paid" ? 1 : 0), "round \(round), \(first)")
      try run(try place.till("redo", dies: step), printing: "redoing")
      // Now the redo is made, or was made before.
      #expect(try place.till("redo").readLines() == ["redoing", "1 paid"], "round \(round)")
      #expect(place.books("charged").count == 1, "round \(round)")
    }
    #expect(words.isSubset(of: ["1 paid", "1 none"]))
  }
}

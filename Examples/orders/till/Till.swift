// A till with a bank that is a file: it shows that a payment is charged once, wherever a process dies.
//
//   till FILE BANK pay ORDER CENTS    places the order, pays it, and ends when the bank has answered
//   till FILE BANK take-back ORDER CENTS    pays, and undoes it at once
//   till FILE BANK redo               redoes the last undo, and ends when the bank has answered
//   till FILE BANK work               ends when the bank has answered all payments
//   till FILE BANK report             counts the orders by their payments
//
// With `--die before`, `after` or `answer` the process kills itself: before the bank charges the sum, after it, or when the answer is visible.

import Alter
import AlterSQLite
import Console
import Foundation
import OrdersCore

@main struct Till {
  static func main() async throws {
    var words = Array(CommandLine.arguments.dropFirst())
    var death: Death?
    if let place = words.firstIndex(of: "--die"), place + 1 < words.count {
      death = Death(rawValue: words[place + 1])
      words.removeSubrange(place...place + 1)
    }
    guard words.count >= 3 else { fail("usage: till FILE BANK pay|take-back|redo|work|report [ORDER CENTS] [--die before|after|answer]") }
    do { try await run(words, death) } catch { fail("till: \(error)") }
  }

  private static func run(_ words: [String], _ death: Death?) async throws {
    let shop = try await Store.open(Shop(), in: SQLiteJournal(at: words[0]))
    if words[2] == "report" {
      for line in try await shop.report() { say("\(line)") }
      await shop.close()
      return
    }
    let bank = Bank(path: words[1], death: death)
    try shop.run([.payments], in: World(charge: { try bank.charge($0, key: $1) }))
    switch words[2] {
    case "pay", "take-back":
      guard words.count == 5, let cents = Int(words[4]) else { fail("till: name an order and a sum in cents") }
      if shop.state.orders[id: words[3]] == nil { try await shop.change(.place(Order(words[3], "bread"))).durable() }
      try await shop.change(.payment(words[3], .pay(cents: cents))).durable()
      guard words[2] == "take-back" else { break }
      say("undoing")
      // An undo that comes too late is refused.
      _ = try? await shop.undo()
    case "redo":
      say("redoing")
      // After a redo of a process that has died, there is nothing to redo.
      _ = try? await shop.redo()
    default: break
    }
    for await open in shop.values(of: { $0.orders.count { $0.payment.request != nil } }) where open == 0 { break }
    if death == .answer { die() }
    await shop.close()
    for order in shop.state.orders { say("\(order.id) \(order.payment.word)") }
  }
}

/// The moment at which the process kills itself.
enum Death: String { case before, after, answer }

/// Ends the process as a failure of the machine does.
func die() -> Never {
  kill(getpid(), SIGKILL)
  while true {}
}

/// A bank whose books are a file: a line `charged KEY CENTS` for each charge, and a line `again KEY` for each repeated one.
struct Bank {
  let path: String
  let death: Death?

  /// Charges a sum once for each key. A later call under the key has the answer of the first one.
  func charge(_ charge: Charge, key: String) throws -> World.Verdict {
    if death == .before { die() }
    let file = open(path, O_RDWR | O_CREAT | O_APPEND, 0o600)
    guard file >= 0, flock(file, LOCK_EX) == 0 else { throw CocoaError(.fileReadUnknown) }
    let books = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    let known = String(decoding: try books.readToEnd() ?? Data(), as: UTF8.self).split(separator: "\n")
    let isKnown = known.contains { $0.hasPrefix("charged \(key) ") }
    try books.write(contentsOf: Data((isKnown ? "again \(key)\n" : "charged \(key) \(charge.cents)\n").utf8))
    if death == .after { die() }
    return .accepted
  }
}

#if Macros
  import Alter
  import Foundation
  import ProcessTesting
  import Testing

  @testable import expenses

  @Suite("The expenses of a group") struct ExpensesTests {
    private func group() throws -> Group { try Group().alter(.join("Ada"), .join("Ben"), .join("Cy")) }

    @Test("are split evenly, to the cent")
    func balances() throws {
      let group = try group().alter(
        .add(.expense(Expense(id: 1, payer: "Ada", cents: 1_000, purpose: "tea"))), .add(.expense(Expense(id: 2, payer: "Cy", cents: 1))))
      // 1,001 cents are shares of 334, 334 and 333.
      #expect(group.balances.map(\.cents) == [666, -334, -332])
      #expect(group.balances.reduce(0) { $0 + $1.cents } == 0)
      #expect(try group.alter(.settle).balances.allSatisfy { $0.cents == 0 })
    }

    @Test("refuse a stranger, nothing, and a second member of one name")
    func refusals() throws {
      let group = try group()
      #expect(throws: Refusal.missing("member", "Di")) { try group.alter(.add(.expense(Expense(id: 1, payer: "Di", cents: 5)))) }
      #expect(throws: Refusal.self) { try group.alter(.add(.expense(Expense(id: 1, payer: "Ada", cents: 0)))) }
      #expect(throws: Refusal.duplicate("member", "Ada")) { try group.alter(.join("Ada")) }
      #expect(throws: Refusal.self) { try group.alter(.settle) }
    }

    @Test("are kept, and a settlement is undone by another process")
    func tour() throws {
      let folder = try Folder()
      func run(_ words: String...) throws -> String {
        try ChildProcess.run([Product.path("expenses")] + words, environment: Example.environment, in: folder.path, mergesErrors: true)
          .output
      }
      #expect(try run("join", "Ada") == "Ada 0\n")
      #expect(try run("join", "Ben") == "Ada 0\nBen 0\n")
      #expect(try run("pay", "Ben", "900", "dinner") == "Ada -450\nBen 450\n")
      #expect(try run("settle") == "Ada 0\nBen 0\n")
      #expect(try run("undo") == "Ada -450\nBen 450\n")
      #expect(
        try run("log").split(separator: "\n").dropFirst().prefix(4) == [
          #"2 .join("Ada")"#, #"3 .join("Ben")"#, #"4 .add(.expense(id: 1, cents: 900, payer: "Ben", purpose: "dinner"))"#, "5 .settle",
        ])
      #expect(try run("pay", "Di", "1").hasPrefix("The change was refused: There is no member 'Di'."))
    }
  }
#endif

#if Macros
  import Alter
  import AlterJournal
  import Foundation
  import Testing

  @Suite("A private setter in a public model")
  struct PrivateSetterTests {
    @Alterable package struct Account: Hashable {
      package let owner: String
      package private(set) var balance: Int = 0
      @Stamped package private(set) var altered: Date?

      @Wire package enum OwnChange: Hashable { case deposit(Int) }

      mutating func apply(_ change: OwnChange, at stamp: Stamp) throws(Refusal) {
        switch change {
        case .deposit(let amount):
          guard amount > 0 else { throw .custom("nothing") }
          balance += amount
        }
      }
    }

    @Alterable struct Inside: Hashable {
      private(set) var balance: Int = 0
    }

    @Test("makes no public change: only changes of its own set the property, which is stored")
    func noChange() throws {
      var account = Account(owner: "Ann")
      try account.apply(Account.Change.deposit(5), at: .none)
      try account.apply(.owner("Bob"), at: .none)
      #expect(account.balance == 5 && account.owner == "Bob")
      #expect(throws: Refusal.custom("nothing")) { try account.apply(Account.Change.deposit(0), at: .none) }
      // A case that is missing here, or one too many, does not compile.
      let names = [Account.Change.owner("Cid"), .deposit(1)].map { change in
        switch change {
        case .owner: "owner"
        case .deposit: "deposit"
        }
      }
      #expect(names == ["owner", "deposit"])
      #expect(try JournalCoding.decode(Account.self, from: JournalCoding.encode(account)) == account)
    }

    @Test("is a change in a model that is not public")
    func inside() {
      var inside = Inside()
      inside.apply(.balance(3), at: .none)
      #expect(inside.balance == 3)
    }
  }
#endif

// The expenses of a group, split evenly: models with the macro, a change of their own, and a rule around the generated changes.

#if Macros
  import Alter
  import AlterSQLite

  @Alterable struct Expense: Identifiable, Hashable {
    let id: Int
    let payer: String
    let cents: Int
    @Default("") let purpose: String
  }

  @Alterable struct Group: Hashable {
    @Fixed private(set) var members: [String] = []
    @Each("expense") private(set) var expenses: IdentityArray<Expense>

    /// These cases become cases of the generated `Change`.
    @Wire enum OwnChange: Hashable { case join(String), settle }

    mutating func apply(_ change: OwnChange, at stamp: Stamp) throws(Refusal) {
      switch change {
      case .join(let name):
        guard !name.isEmpty, !members.contains(name) else { throw .duplicate("member", name) }
        members.append(name)
      case .settle:
        guard !expenses.isEmpty else { throw .custom("There is nothing to settle.") }
        expenses = []
      }
    }

    /// Only a member can pay. All other changes are as generated.
    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      if case .add(.expense(let expense)) = change {
        guard members.contains(expense.payer) else { throw .missing("member", expense.payer) }
        guard expense.cents > 0 else { throw .custom("An expense is a positive number of cents.") }
      }
      try applyGenerated(change, at: stamp)
    }

    /// The balance of each member in cents: the member's payments minus an even share. The balances add up to 0.
    var balances: [(name: String, cents: Int)] {
      let total = expenses.reduce(0) { $0 + $1.cents }
      return members.enumerated().map { place, name in
        let paid = expenses.reduce(0) { $0 + ($1.payer == name ? $1.cents : 0) }
        // The first members pay the remaining cents.
        let share = total / members.count + (place < total % members.count ? 1 : 0)
        return (name, paid - share)
      }
    }
  }

  @main struct Expenses {
    static func main() async throws {
      let store = try await Store.open(Group(), in: SQLiteJournal(at: "expenses.alter"))
      var words = CommandLine.arguments.dropFirst().makeIterator()
      let (verb, name, amount, purpose) = (words.next() ?? "help", words.next() ?? "", words.next() ?? "", words.next() ?? "")
      do {
        switch verb {
        case "join": try await store.change(.join(name)).durable()
        case "pay":
          let expense = Expense(id: (store.state.expenses.last?.id ?? 0) + 1, payer: name, cents: Int(amount) ?? 0, purpose: purpose)
          // Refused if another process has added an expense under this number.
          try await store.change(.add(.expense(expense))).durable()
        case "settle": try await store.change(.settle).durable()
        case "undo": try await store.undo()
        case "log": for record in try await store.entries(in: 1...store.revision) { print(record.revision, record.summary()) }
        default: print("expenses join NAME | pay NAME CENTS [PURPOSE] | settle | undo | log")
        }
      } catch { print(error) }
      for balance in store.state.balances { print("\(balance.name) \(balance.cents)") }
      await store.close()
    }
  }
#else
  @main struct Expenses {
    static func main() { print("expenses is written with macros: build it with the trait Macros.") }
  }
#endif

#if Macros
  import Alter
  import AlterCore
  import AlterJournal
  import AlterTesting
  import Foundation

  /// The phase of an order.
  @Alterable enum Phase: Hashable {
    case placed
    case paying(Requested<Int>)
    case paid
    case shipped
    case cancelled

    @Wire enum OwnChange: Hashable {
      @Refused(in: Phase.paying, Phase.paid, Phase.shipped, Phase.cancelled) case pay(Int)
      @Refused(in: Phase.placed, Phase.paid, Phase.shipped, Phase.cancelled) case settle(id: RequestID, isPaid: Bool)
      @Refused(in: Phase.placed, Phase.paying, Phase.shipped, Phase.cancelled) case ship
      @Refused(in: Phase.paying, Phase.paid, Phase.shipped, Phase.cancelled) case cancel
    }

    mutating func apply(_ step: Step, at stamp: Stamp) throws(Refusal) {
      switch step {
      case .placed(.pay(let amount)): self = .paying(Requested(amount, stamp))
      case .placed(.cancel): self = .cancelled
      case .paying(let request, .settle(id: let id, isPaid: let isPaid)):
        guard request.id == id else { throw .custom("another payment is open") }
        self = isPaid ? .paid : .placed
      case .paid(.ship): self = .shipped
      }
    }

    var request: Requested<Int>? { if case .paying(let request) = self { request } else { nil } }
  }

  /// An order of one item.
  struct Order: Identifiable, Hashable, Codable, Sendable {
    let id: Int
    let account: Int
    let item: Int
    var phase = Phase.placed
  }

  /// The contents of an order book, and the rules about them. Each build of the app has them in its own state.
  struct Contents: Hashable, Codable, Sendable {
    enum Change: Hashable, Codable, Sendable {
      case deposit(account: Int, amount: Int)
      case supply(item: Int, count: Int)
      case place(order: Int, account: Int, item: Int)
      case pay(order: Int)
      case settled(order: Int, id: RequestID, isPaid: Bool)
      case ship(order: Int)
      case cancel(order: Int)
      case name(text: String)
      case audited(count: Int)
    }

    /// The number of entries that an undo may be about.
    static let undoWindow = 12

    var accounts: [Int: Int] = [:]
    var stock: [Int: Int] = [:]
    var orders = IdentityArray<Order>()
    var name = ""
    var audited = 0

    var shipped: Int { orders.count { $0.phase == .shipped } }

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      switch change {
      case .deposit(let account, let amount): accounts[account, default: 0] += amount
      case .supply(let item, let count): stock[item, default: 0] += count
      case .place(let id, let account, let item):
        guard let rest = stock[item], rest > 0 else { throw .custom("nothing of \(item) is left") }
        guard accounts[account] != nil else { throw .missing("account", account) }
        try orders.add(Order(id: id, account: account, item: item), at: orders.count)
        stock[item] = rest - 1
      case .pay(let id):
        let order = try order(id)
        guard accounts[order.account, default: 0] >= order.item * 10 else { throw .custom("the account has too little") }
        try make(.pay(order.item * 10), of: order, at: stamp)
      case .settled(let id, let request, let isPaid):
        let order = try order(id)
        try make(.settle(id: request, isPaid: isPaid), of: order, at: stamp)
        if isPaid { accounts[order.account, default: 0] -= order.item * 10 }
      case .ship(let id): try make(.ship, of: order(id), at: stamp)
      case .cancel(let id):
        let order = try order(id)
        try make(.cancel, of: order, at: stamp)
        stock[order.item, default: 0] += 1
      case .name(let text): name = text
      case .audited(let count): audited = count
      }
    }

    private func order(_ id: Int) throws(Refusal) -> Order {
      guard let order = orders[id: id] else { throw .missing("order", id) }
      return order
    }

    private mutating func make(_ change: Phase.Change, of order: Order, at stamp: Stamp) throws(Refusal) {
      var order = order
      try order.phase.apply(change, at: stamp)
      try orders.update(order)
    }
  }

  extension Contents.Change {
    /// A change that the policy of a server denies.
    static let forbidden = Contents.Change.name(text: "forbidden")
    /// A change that always requires a forbidden one.
    static let dependent = Contents.Change.deposit(account: 9, amount: 1)
  }

  extension Contents {
    /// Returns a change that may make sense here.
    ///
    /// - Parameters:
    ///   - last: The number of the last new order.
    ///   - random: The source of the choices.
    func randomChange(_ last: inout Int, using random: inout SeededGenerator) -> Change {
      let order = orders.isEmpty || random.oneIn(8) ? random.below(5) : random.pick(Array(orders.suffix(6))).id
      switch random.below(13) {
      case 0, 1: return .deposit(account: 1 + random.below(2), amount: random.below(60))
      case 2: return .supply(item: 1 + random.below(2), count: random.below(4))
      case 3...5:
        last += 1
        return .place(order: random.oneIn(8) ? order : last, account: 1 + random.below(2), item: 1 + random.below(2))
      case 6, 7: return .pay(order: order)
      case 8, 9: return .ship(order: order)
      case 10: return .cancel(order: order)
      default: return .name(text: random.pick(["red", "green", "grean", "grean"]))
      }
    }
  }

  /// A build of the app.
  protocol Build: Journaled, Equatable where Failure == Refusal {
    init(_ contents: Contents)
    var contents: Contents { get }
    static func wrap(_ change: Contents.Change) -> Change
    static func unwrap(_ change: Change) -> Contents.Change
  }

  /// Schema 1: written by hand. A change is an object in an object.
  struct Build1: Build {
    struct Change: Hashable, Codable, Sendable { let change: Contents.Change }

    private(set) var book: Contents

    init(_ contents: Contents) { book = contents }

    var contents: Contents { book }

    static func wrap(_ change: Contents.Change) -> Change { Change(change: change) }
    static func unwrap(_ change: Change) -> Contents.Change { change.change }

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) { try book.apply(change.change, at: stamp) }

    static let toSchema2 = Migration(
      from: 1, to: 2, state: { $0.renaming("book", to: "contents") }, change: { [$0["change"] ?? $0] })
  }

  /// Schema 2: written by hand.
  struct Build2: Build {
    typealias Change = Contents.Change

    static let schema = StateSchema(version: 2, migrations: [Build1.toSchema2], snapshotsFrom: 1)
    private(set) var contents: Contents

    init(_ contents: Contents) { self.contents = contents }

    static func wrap(_ change: Contents.Change) -> Change { change }
    static func unwrap(_ change: Change) -> Contents.Change { change }

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) { try contents.apply(change, at: stamp) }
  }

  /// Schema 3: made by the macro.
  @Alterable struct Build3: Equatable {
    @Fixed private(set) var contents: Contents

    @Wire enum OwnChange: Hashable { case book(Contents.Change) }

    static let schema = StateSchema(
      version: 3, migrations: [Build1.toSchema2, Migration(from: 2, to: 3, change: { [["book": $0]] })], snapshotsFrom: 1)

    mutating func apply(_ change: OwnChange, at stamp: Stamp) throws(Refusal) {
      switch change {
      case .book(let change): try contents.apply(change, at: stamp)
      }
    }
  }

  extension Build3: Build {
    init(_ contents: Contents) { self.init(contents: contents) }

    static func wrap(_ change: Contents.Change) -> Change { .book(change) }
    static func unwrap(_ change: Change) -> Contents.Change {
      switch change {
      case .book(let change): change
      }
    }
  }

  /// A bank, which remembers keys. Its answers are those of a seed, and it fails now and then.
  final class Bank: Sendable {
    struct Failure: Error {}

    private struct State {
      var random: SeededGenerator
      var answers: [String: Bool] = [:]
      var isHealthy = true
    }

    private let state: Lock<State>
    /// The folder with a file for each key that was charged, for several processes; nil for a bank in memory.
    private let folder: String?

    init(seed: UInt64, folder: String? = nil) { (state, self.folder) = (Lock(State(random: SeededGenerator(seed: seed))), folder) }

    /// The answer to a key; nil if it was not charged.
    func answer(to key: String) -> Bool? {
      guard let file = file(of: key) else { return state.withLock { $0.answers[key] } }
      return FileManager.default.fileExists(atPath: file) ? Self.answer(of: key) : nil
    }

    /// Charges an amount.
    func charge(_ key: String) throws -> Bool {
      try state.withLock { state in
        if !state.isHealthy, state.random.oneIn(3) { throw Failure() }
        var answer = state.answers[key] ?? !state.random.oneIn(4)
        if let file = file(of: key) {
          answer = Self.answer(of: key)
          guard FileManager.default.createFile(atPath: file, contents: Data()) else { throw Failure() }
        }
        state.answers[key] = answer
        // Charged, and the answer is lost.
        if !state.isHealthy, state.random.oneIn(3) { throw Failure() }
        return answer
      }
    }

    func set(isHealthy: Bool) { state.withLock { $0.isHealthy = isHealthy } }

    private func file(of key: String) -> String? { folder.map { "\($0)/\(key.replacing("/", with: "_"))" } }

    /// The answer of a bank that several processes use.
    private static func answer(of key: String) -> Bool { key.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % 4 != 0 }
  }

  extension Feedback where State: Build, Environment == Bank {
    private struct Payment: Acting {
      let order: Int
      let request: Requested<Int>
      var id: RequestID { request.id }
    }

    /// Pays: an effect that acts.
    static var pay: Feedback {
      Feedback("pay", each: { $0.contents.orders }, request: { order in order.phase.request.map { Payment(order: order.id, request: $0) } })
      {
        payment, bank in
        let isPaid = try bank.charge(payment.id.key("pay"))
        return State.wrap(.settled(order: payment.order, id: payment.id, isPaid: isPaid))
      }
    }

    /// Corrects a name, in the process that shows it: a local effect.
    static var correct: Feedback {
      Feedback("correct", of: { $0.contents.name }, when: { $0.contents.name == "grean" }) { _, _ in State.wrap(.name(text: "green")) }
        .local
    }

    /// Counts the shipped orders: a durable effect that reads.
    static var audit: Feedback {
      Feedback("audit", of: { $0.contents.shipped }, when: { $0.contents.audited != $0.contents.shipped }) { count, _ in
        State.wrap(.audited(count: count))
      }
    }
  }
#endif

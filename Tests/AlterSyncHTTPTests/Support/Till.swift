#if SyncServer
  import Alter
  import AlterCore
  import AlterJournal

  /// A payment that a device asks for and the server makes, a document that the server stores, and a search of each device.
  struct Till: Journaled, Hashable {
    enum Change: Hashable, Codable {
      case pay(Int), charging(RequestID), paid(RequestID)
      case write(Int), stored(Int), note(String)
    }
    typealias Failure = Refusal

    private(set) var payment: Requested<Int>?
    private(set) var charging: RequestID?
    private(set) var paid: [RequestID] = []
    private(set) var document = 0
    private(set) var stored = 0
    private(set) var notes: [String] = []

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      switch change {
      case .pay(let amount):
        guard payment == nil else { throw .custom("a payment is open") }
        payment = Requested(amount, stamp)
      case .charging(let id):
        guard payment?.id == id else { throw .custom("no such payment") }
        charging = id
      case .paid(let id):
        guard payment?.id == id else { throw .custom("no such payment") }
        (payment, charging) = (nil, nil)
        paid.append(id)
      case .write(let document): self.document = document
      case .stored(let document): stored = document
      case .note(let text): notes.append(text)
      }
    }
  }

  /// A bank that counts the charges by key. A test can make its calls wait.
  final class Bank: Sendable {
    struct Call: Sendable, Hashable { let key: String, amount: Int }

    private let made = Lock<[Call]>([])
    private let gate = Lock<(isShut: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))
    private let count: (stream: AsyncStream<Int>, continuation: AsyncStream<Int>.Continuation) = AsyncStream.makeStream()

    var calls: [Call] { made.withLock { $0 } }

    func charge(_ amount: Int, key: String) async {
      let number = made.withLock { made in
        made.append(Call(key: key, amount: amount))
        return made.count
      }
      count.continuation.yield(number)
      await withCheckedContinuation { continuation in
        let isOpen = gate.withLock { gate in
          if gate.isShut { gate.waiting.append(continuation) }
          return !gate.isShut
        }
        if isOpen { continuation.resume() }
      }
    }

    func waitForCalls(_ number: Int) async { for await known in count.stream where known >= number { return } }

    func shut() { gate.withLock { $0.isShut = true } }

    func open() {
      let waiting = gate.withLock { gate in
        defer { gate = (false, []) }
        return gate.waiting
      }
      waiting.forEach { $0.resume() }
    }
  }

  extension Feedback<Till, Bank> {
    /// Pays, and tells the journal before.
    static var charge: Feedback {
      Feedback("charge", request: \.payment) { payment, bank, effect in
        try await effect.send(.charging(payment.id))
        await bank.charge(payment.value, key: payment.id.key("charge"))
        return .paid(payment.id)
      }
    }

    /// Stores the document.
    static var store: Feedback {
      Feedback("store", of: \.document, when: { $0.document != $0.stored }) { document, _ in .stored(document) }
    }
  }
#endif

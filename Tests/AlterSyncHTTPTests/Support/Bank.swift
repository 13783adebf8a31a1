#if SyncServer
  import Alter
  import AlterCore
  import TillModel

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
    static var charge: Feedback { charge { bank, amount, key in await bank.charge(amount, key: key) } }

    /// Stores the document.
    static var store: Feedback {
      Feedback("store", of: \.document, when: { $0.document != $0.stored }) { document, _ in .stored(document) }
    }
  }
#endif

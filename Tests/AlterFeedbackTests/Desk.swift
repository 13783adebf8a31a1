import Alter
import AlterCore
import AlterTesting

/// The state of these tests: letters to send, a search, and a few numbers.
struct Desk: Journaled, Hashable {
  struct Letter: Identifiable, Hashable, Codable {
    let id: Int
    var text = ""
    var isUrgent = false
    var progress = 0
    var isSent = false
  }

  enum Change: Hashable, Codable {
    case search(String?), found(String)
    case letter(Letter), text(Int, String), progress(Int, Int), sent(Int), remove(Int)
    case count(Int), failed(String), begin, done(String)
  }
  typealias Failure = Refusal

  private(set) var search: String?
  private(set) var found: [String] = []
  private(set) var letters = IdentityArray<Letter>()
  private(set) var count = 0
  private(set) var failures: [String] = []
  private(set) var isWanted = false
  private(set) var results: [String] = []

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .search(let text): search = text
    case .found(let text):
      found.append(text)
      search = nil
    case .letter(let letter): letters.add(letter)
    case .text(let id, let text): try with(id) { $0.text = text }
    case .progress(let id, let progress): try with(id) { $0.progress = progress }
    case .sent(let id): try with(id) { $0.isSent = true }
    case .remove(let id): try letters.remove(id: id)
    case .count(let count):
      guard count < 1_000 else { throw .custom("the count would be \(count)") }
      self.count = count
    case .failed(let why): failures.append(why)
    case .begin: isWanted = true
    case .done(let result):
      isWanted = false
      results.append(result)
    }
  }

  private mutating func with(_ id: Int, _ body: (inout Letter) -> Void) throws(Refusal) {
    guard letters.modify(id: id, body) != nil else { throw .missing("letter", id) }
  }
}

/// A service in which effects wait until the test answers them. It records their calls.
final class Service: Sendable {
  /// One call of the service.
  struct Call: Sendable {
    let request: String
    let key: IdempotencyKey?
    let epoch: Int64?
    fileprivate let answer: CheckedContinuation<String, Never>?
  }

  private struct State {
    var calls: [Call] = []
    var cancelled: [String] = []
    var watchers: [(condition: @Sendable ([Call], [String]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Lock(State())

  var requests: [String] { state.withLock { $0.calls.map(\.request) } }
  var calls: [Call] { state.withLock { $0.calls } }
  /// The requests of cancelled tasks.
  var cancelled: [String] { state.withLock { $0.cancelled } }

  /// Records a request and returns when the test answers it. Ignores cancellation, like an effect that does not handle it.
  func ask(_ request: String, key: IdempotencyKey? = nil, epoch: Int64? = nil) async -> String {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        note { $0.calls.append(Call(request: request, key: key, epoch: epoch, answer: continuation)) }
      }
    } onCancel: {
      note { $0.cancelled.append(request) }
    }
  }

  /// Records a request that is answered at once.
  func tell(_ request: String, key: IdempotencyKey? = nil) {
    note { $0.calls.append(Call(request: request, key: key, epoch: nil, answer: nil)) }
  }

  /// Answers a call.
  func answer(_ call: Int, _ text: String = "answer") { state.withLock { $0.calls[call].answer }?.resume(returning: text) }

  func waitForCalls(_ count: Int) async { await wait { calls, _ in calls.count >= count } }
  func waitForCancellations(_ count: Int) async { await wait { _, cancelled in cancelled.count >= count } }

  private func wait(until condition: @escaping @Sendable ([Call], [String]) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isMet = state.withLock { state in
        if condition(state.calls, state.cancelled) { return true }
        state.watchers.append((condition, continuation))
        return false
      }
      if isMet { continuation.resume() }
    }
  }

  private func note(_ change: (inout State) -> Void) {
    let met: [CheckedContinuation<Void, Never>] = state.withLock { state in
      change(&state)
      let (calls, cancelled) = (state.calls, state.cancelled)
      let met = state.watchers.filter { $0.condition(calls, cancelled) }.map(\.continuation)
      state.watchers.removeAll { $0.condition(calls, cancelled) }
      return met
    }
    met.forEach { $0.resume() }
  }
}

extension Store where State == Desk {
  /// Waits until the state meets a condition.
  func wait(until condition: @escaping @Sendable (Desk) -> Bool) async {
    for await isMet in values(of: condition) where isMet { return }
  }
}

extension FeedbackLoop {
  /// The phases of all effects, in the order of their requests.
  var phases: [EffectStatus.Phase] { effects.map(\.phase) }

  /// Waits until the effects meet a condition. The state shows an answer before the loop has taken note of it.
  func wait(until condition: ([EffectStatus]) -> Bool) async { while !condition(effects) { await Task.yield() } }
}

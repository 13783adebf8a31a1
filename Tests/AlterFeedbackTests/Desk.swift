import Alter
import AlterCore
import AlterTesting

/// The state of these tests: letters to send, a search, a payment, a document to store, and a few numbers.
struct Desk: Journaled, Hashable {
  struct Letter: Identifiable, Hashable, Codable {
    let id: Int
    var text = ""
    var isUrgent = false
    var progress = 0
    var isSent = false
    var mail: Requested<String>?
  }

  enum Change: Hashable, Codable {
    case search(String?), found(String)
    case letter(Letter), text(Int, String), progress(Int, Int), sent(Int), remove(Int)
    case count(Int), failed(String), begin, done(String)
    case pay(Int), charging(RequestID), paid(RequestID, String), unclear(RequestID), checkAgain, payNamed(String)
    case mail(Int), mailed(Int, RequestID)
    case write(Int), stored(Int)
  }
  typealias Failure = Refusal

  private(set) var search: String?
  private(set) var found: [String] = []
  private(set) var letters = IdentityArray<Letter>()
  private(set) var count = 0
  private(set) var failures: [String] = []
  private(set) var isWanted = false
  private(set) var results: [String] = []
  private(set) var payment: Requested<Int>?
  private(set) var unclear: Requested<Int>?
  private(set) var charging: RequestID?
  private(set) var paid: [String] = []
  private(set) var document = 0
  private(set) var stored = 0

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .search(let text): search = text
    case .found(let text):
      found.append(text)
      search = nil
    case .letter(let letter): letters.put(letter)
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
    case .pay(let amount):
      guard payment == nil, unclear == nil else { throw .custom("a payment is open") }
      payment = Requested(amount, stamp)
    case .payNamed(let name): payment = Requested(1, id: RequestID(named: name))
    case .charging(let id): charging = id
    case .paid(let id, let text):
      try endPayment(id)
      paid.append(text)
    case .unclear(let id):
      unclear = payment
      try endPayment(id)
    case .checkAgain: (payment, unclear) = (unclear, nil)
    case .mail(let id): try with(id) { $0.mail = Requested($0.text, stamp) }
    case .mailed(let id, let request):
      guard letters[id: id]?.mail?.id == request else { throw .custom("no such mail") }
      try with(id) { ($0.mail, $0.isSent) = (nil, true) }
    case .write(let version): document = version
    case .stored(let version): stored = version
    }
  }

  private mutating func endPayment(_ id: RequestID) throws(Refusal) {
    guard payment?.id == id else { throw .custom("no such payment") }
    (payment, charging) = (nil, nil)
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
    let key: String?
    let epoch: Int64?
    fileprivate var answer: CheckedContinuation<String, any Error>?
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
  func ask(_ request: String, key: String? = nil, epoch: Int64? = nil) async throws -> String {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        note { $0.calls.append(Call(request: request, key: key, epoch: epoch, answer: continuation)) }
      }
    } onCancel: {
      note { $0.cancelled.append(request) }
    }
  }

  /// Records a request that is answered at once.
  func tell(_ request: String, key: String? = nil) {
    note { $0.calls.append(Call(request: request, key: key, epoch: nil, answer: nil)) }
  }

  /// Answers a call.
  func answer(_ call: Int, _ text: String = "answer") { take(call)?.resume(returning: text) }

  private func take(_ call: Int) -> CheckedContinuation<String, any Error>? {
    state.withLock { state in
      defer { state.calls[call].answer = nil }
      return state.calls[call].answer
    }
  }

  /// Lets a call throw an error.
  func fail(_ call: Int, _ error: any Error = Timeout()) { take(call)?.resume(throwing: error) }

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

extension Store {
  /// Waits until the state meets a condition.
  func wait(until condition: @escaping @Sendable (State) -> Bool) async {
    for await isMet in values(of: condition) where isMet { return }
  }

  /// The next problem.
  func nextProblem() async -> String? {
    for await problem in problems { return problem.description }
    return nil
  }
}

/// The error of a service that does not answer in time.
struct Timeout: Error, Hashable {}

extension Store where State == Desk {
  /// The names of the phases of all requests, in the order of their appearance.
  var phases: [String] { effects.map(\.phase.description) }

  /// Waits until the requests meet a condition. The state shows an answer before the run has taken note of it.
  func waitForEffects(until condition: ([EffectStatus]) -> Bool) async { while !condition(effects) { await Task.yield() } }

  /// Waits until each state was examined, and nothing is to do.
  func rest() async { await waitForEffects(until: \.isEmpty) }
}

extension Feedback<Desk, Service> {
  static var search: Feedback {
    Feedback("search", request: \.search) { text, service in .found(try await service.ask(text)) }
  }

  static var save: Feedback {
    Feedback("save", of: { _ in 0 }, when: \.isWanted) { _, service, effect in
      .done(try await service.ask("save", epoch: effect.epoch))
    }
  }

  /// Pays, without a note before the call of the service.
  static var charge: Feedback {
    Feedback("charge", request: \.payment) { payment, service, effect in
      .paid(payment.id, try await service.ask("\(payment.value)", key: payment.id.key("charge"), epoch: effect.epoch))
    }
  }

  /// Pays, with a note before, and a status for an unknown outcome.
  static var carefulCharge: Feedback {
    Feedback("charge", request: \.payment) { payment, service, effect in
      try await effect.send(.charging(payment.id))
      return .paid(payment.id, try await service.ask("\(payment.value)", key: payment.id.key("charge"), epoch: effect.epoch))
    } unclear: { payment, _ in
      .unclear(payment.id)
    }
  }
}

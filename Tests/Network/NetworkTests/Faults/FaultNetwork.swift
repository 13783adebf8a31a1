import Foundation
import NIOConcurrencyHelpers
import ProcessTesting

/// The network between devices and two servers: it cuts, delays, drops and truncates requests and answers while the weather is bad, and tells
/// a test when a message is on the way.
final class FaultNetwork: Sendable {
  /// A moment of an exchange, in which its message is not delivered.
  enum Moment: Sendable, CaseIterable {
    /// The request has arrived, and nothing of it is forwarded.
    case requested
    /// A part of the request is forwarded.
    case halfRequested
    /// The whole request is forwarded, and nothing of the answer has been read.
    case forwarded
    /// A part of the answer is forwarded.
    case halfAnswered
  }

  /// A fault of the bad weather.
  enum Fault: String, Sendable, CaseIterable {
    case droppedRequest, truncatedRequest, delayedRequest, droppedAnswer, truncatedAnswer, cutStream
  }

  /// An answer that a server has given.
  struct Answered: Sendable {
    let line: Int
    /// The number of the request, in the order of their arrival.
    let number: Int
    let status: Int
  }

  private struct Trap: Sendable {
    let line: Int?
    let moment: Moment
    /// Receives the number of the server that has the request.
    let action: @Sendable (Int) -> Void
    /// The number of requests in flight.
    let done: Waiter<Int>
  }

  private struct Contents {
    var ports: [Int?] = [nil, nil]
    var isRough = false
    var trap: Trap?
    var last = 0
    var inFlight = 0
    var answers: [Answered] = []
    var waits: [(condition: @Sendable ([Answered]) -> Bool, waiter: Waiter<Void>)] = []
    var faults: [Fault: Int] = [:]
  }

  private let contents = NIOLockedValueBox(Contents())

  // MARK: For the test

  /// Sets the port of a server; nil while it does not run.
  func setServer(_ index: Int, port: Int?) { contents.withLockedValue { $0.ports[index] = port } }

  /// Whether the weather is bad.
  func setRough(_ isRough: Bool) { contents.withLockedValue { $0.isRough = isRough } }

  /// The number of the last request.
  var last: Int { contents.withLockedValue { $0.last } }

  /// The number of each kind of fault so far.
  var faults: [Fault: Int] { contents.withLockedValue { $0.faults } }

  /// The answers to requests with numbers above one.
  func answers(after number: Int) -> [Answered] { contents.withLockedValue { $0.answers.filter { $0.number > number } } }

  /// Performs an action while the next request of a line, or of any, is at a moment.
  ///
  /// - Returns: The number of requests in flight at this moment.
  func interrupt(
    line: Int? = nil, at moment: Moment, _ action: @escaping @Sendable (_ server: Int) -> Void = { _ in }
  ) async -> Int {
    let done = Waiter<Int>()
    contents.withLockedValue { $0.trap = Trap(line: line, moment: moment, action: action, done: done) }
    return await done.value() ?? 0
  }

  /// Waits until the answers satisfy a condition.
  func wait(until condition: @escaping @Sendable ([Answered]) -> Bool) async {
    let waiter = Waiter<Void>()
    let isDone = contents.withLockedValue { contents in
      if condition(contents.answers) { return true }
      contents.waits.append((condition, waiter))
      return false
    }
    if !isDone { _ = await waiter.value() }
  }

  // MARK: For the lines

  fileprivate func server() -> (index: Int, port: Int)? {
    contents.withLockedValue { contents in
      contents.ports.enumerated().compactMap { index, port in port.map { (index, $0) } }.randomElement()
    }
  }

  fileprivate func begin() -> Int {
    contents.withLockedValue { contents in
      contents.inFlight += 1
      contents.last += 1
      return contents.last
    }
  }

  fileprivate func end() { contents.withLockedValue { $0.inFlight -= 1 } }

  fileprivate func record(_ answered: Answered) {
    let waiters = contents.withLockedValue { contents in
      contents.answers.append(answered)
      let met = contents.waits.filter { $0.condition(contents.answers) }.map(\.waiter)
      contents.waits.removeAll { wait in met.contains { $0 === wait.waiter } }
      return met
    }
    for waiter in waiters { waiter.finish(()) }
  }

  fileprivate func fault(ofStream isStream: Bool) -> Fault? {
    contents.withLockedValue { contents in
      guard contents.isRough, Int.random(in: 0..<100) < (isStream ? 4 : 20) else { return nil }
      let fault = isStream ? .cutStream : Fault.allCases.filter { $0 != .cutStream }[Int.random(in: 0..<5)]
      contents.faults[fault, default: 0] += 1
      return fault
    }
  }

  fileprivate func pass(_ moment: Moment, of line: Int, to server: Int) {
    let sprung: (Trap, Int)? = contents.withLockedValue { contents in
      guard let trap = contents.trap, trap.moment == moment, trap.line == nil || trap.line == line else { return nil }
      contents.trap = nil
      return (trap, contents.inFlight)
    }
    guard let (trap, inFlight) = sprung else { return }
    // Somewhere in the work of the server, or just before.
    if moment == .forwarded { usleep(.random(in: 0...20_000)) }
    trap.action(server)
    trap.done.finish(inFlight)
  }
}

/// A value for which one task waits, and which any thread delivers.
private final class Waiter<Value: Sendable>: Sendable {
  private let (values, delivery) = AsyncStream.makeStream(of: Value.self)

  func finish(_ value: Value) {
    delivery.yield(value)
    delivery.finish()
  }

  /// - Returns: nil if the task was cancelled.
  func value() async -> Value? {
    for await value in values { return value }
    return nil
  }
}

/// A device's line to the servers. Each connection goes to one of them.
final class FaultLine: Sendable {
  private let number: Int
  private let network: FaultNetwork
  private let listener: LocalSocket
  /// The port for the device.
  let port: Int

  private struct Contents {
    var isOpen = true
    var last = 0
    var sockets: [Int: [LocalSocket]] = [:]
  }

  private let contents = NIOLockedValueBox(Contents())

  init(_ number: Int, of network: FaultNetwork) throws {
    self.number = number
    self.network = network
    (listener, port) = try LocalSocket.listen()
    Thread.detachNewThread { [listener, weak self] in
      while let client = listener.accept() {
        guard let self else { return }
        Thread.detachNewThread { self.handle(client) }
      }
    }
  }

  deinit { listener.hangUp() }

  /// Cuts all connections, and takes no further ones until it is opened again.
  func setOpen(_ isOpen: Bool) {
    let sockets = contents.withLockedValue { contents in
      contents.isOpen = isOpen
      return isOpen ? [] : contents.sockets.values.flatMap { $0 }
    }
    for socket in sockets { socket.hangUp() }
  }

  private func handle(_ client: LocalSocket) {
    defer { client.hangUp() }
    guard let (index, port) = network.server(), let server = try? LocalSocket.connect(toPort: port) else { return }
    defer { server.hangUp() }
    let id: Int? = contents.withLockedValue { contents in
      guard contents.isOpen else { return nil }
      contents.last += 1
      contents.sockets[contents.last] = [client, server]
      return contents.last
    }
    guard let id else { return }
    defer { contents.withLockedValue { $0.sockets[id] = nil } }
    var (requests, answers) = (MessageReader(client), MessageReader(server))
    while let head = requests.head(), let body = requests.body(of: head) {
      if head.line.contains("/sync/live") {
        guard server.write(head.bytes + body) else { return }
        guard stream(&answers, to: client) else { return }
      } else {
        let isWhole = exchange(head.bytes + body, client, server, index, &answers)
        guard isWhole else { return }
      }
    }
  }

  /// Forwards a request and its answer.
  ///
  /// - Returns: Whether the connections can be used again.
  private func exchange(
    _ request: [UInt8], _ client: LocalSocket, _ server: LocalSocket, _ index: Int, _ answers: inout MessageReader
  ) -> Bool {
    let exchange = network.begin()
    defer { network.end() }
    let fault = network.fault(ofStream: false)
    network.pass(.requested, of: number, to: index)
    if fault == .droppedRequest { return false }
    if fault == .delayedRequest { usleep(.random(in: 0...200_000)) }
    let half = Int.random(in: 0...request.count)
    server.write(request[..<half])
    network.pass(.halfRequested, of: number, to: index)
    if fault == .truncatedRequest { return false }
    server.write(request[half...])
    network.pass(.forwarded, of: number, to: index)
    guard let head = answers.head(), let body = answers.body(of: head) else { return false }
    let status = head.line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    let answer = head.bytes + body
    defer { network.record(FaultNetwork.Answered(line: number, number: exchange, status: status)) }
    if fault == .droppedAnswer { return false }
    let part = Int.random(in: 0...answer.count)
    guard client.write(answer[..<part]) else { return false }
    network.pass(.halfAnswered, of: number, to: index)
    if fault == .truncatedAnswer { return false }
    return client.write(answer[part...])
  }

  /// Forwards a stream until it is cut.
  ///
  /// - Returns: Whether the answer was no stream, and the connections can be used again.
  private func stream(_ answers: inout MessageReader, to client: LocalSocket) -> Bool {
    guard let head = answers.head(), client.write(head.bytes) else { return false }
    guard head.isChunked else {
      guard let body = answers.body(of: head) else { return false }
      return client.write(body)
    }
    while let (bytes, isLast) = answers.chunk() {
      if network.fault(ofStream: true) != nil {
        client.write(bytes[..<Int.random(in: 0..<bytes.count)])
        return false
      }
      guard client.write(bytes) else { return false }
      if isLast { return true }
    }
    return false
  }
}

/// The line between the servers and their database, which can be cut in the middle of messages.
final class DatabaseLine: Sendable {
  private let listener: LocalSocket
  private let sockets = NIOLockedValueBox<[ObjectIdentifier: LocalSocket]>([:])

  /// - Parameters:
  ///   - path: The path of the socket to listen at.
  ///   - database: The path of the database's socket.
  init(at path: String, to database: String) throws {
    listener = try LocalSocket.listen(at: path)
    Thread.detachNewThread { [listener, weak self] in
      while let client = listener.accept() {
        guard let self else { return }
        guard let server = try? LocalSocket.connect(to: database) else {
          client.hangUp()
          continue
        }
        self.sockets.withLockedValue { $0[ObjectIdentifier(client)] = client }
        Thread.detachNewThread { self.pump(from: client, to: server) }
        Thread.detachNewThread {
          self.pump(from: server, to: client)
          _ = self.sockets.withLockedValue { $0.removeValue(forKey: ObjectIdentifier(client)) }
        }
      }
    }
  }

  deinit { listener.hangUp() }

  private func pump(from source: LocalSocket, to target: LocalSocket) {
    while let bytes = source.read(), target.write(bytes) {}
    source.hangUp()
    target.hangUp()
  }

  /// Cuts all connections.
  func cut() { for socket in sockets.withLockedValue({ Array($0.values) }) { socket.hangUp() } }
}

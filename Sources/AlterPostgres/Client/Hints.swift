#if Postgres
  import AlterCore
  import AlterJournal

  /// Notifies other processes of the appends of this one.
  ///
  /// Hints are collected for some milliseconds and sent on a reading connection after the commit: a transaction with a notification takes a
  /// server-wide lock when it commits, and in the append itself it would make all writers wait for each other.
  ///
  /// `@unchecked Sendable`: used on ``loop`` only.
  final class Hints: @unchecked Sendable {
    private let loop: EventLoop
    private let readers: Lane
    private let pause: Duration
    private var revisions: [Int64: Revision] = [:]
    /// The times of the last hints of other processes about journals that are followed here.
    private var heard: [Int64: ContinuousClock.Instant] = [:]
    /// The hints of the last message.
    private var sent: [Int64: Revision] = [:]
    /// Whether a timer is running that sends the hints.
    private var isGathering = false

    /// The time for which hints are collected.
    private static let gathering = Duration.milliseconds(5)
    /// The time after another process's hint about a journal in which that process, or a third one, will probably send the next one.
    private static let contending = Duration.milliseconds(20)
    /// The number of hints in one message. `NOTIFY` accepts less than 8,000 bytes, and a hint has at most 40.
    private static let perMessage = 190

    /// Creates an object that sends hints on a lane, and sends them again after a pause if the server refuses them.
    init(loop: EventLoop, readers: Lane, pause: Duration) {
      self.loop = loop
      self.readers = readers
      self.pause = pause
    }

    /// Notifies other processes soon that a journal has grown.
    func add(_ number: Int64, at revision: Revision) {
      revisions[number] = max(revisions[number] ?? .zero, revision)
      guard !isGathering else { return }
      // Many processes that append to one journal need not all notify; see `hear`. The random time makes one of them the first.
      guard let time = heard[number], ContinuousClock.now - time < Self.contending else { return send() }
      gather(for: Self.gathering + .microseconds(Int.random(in: 0...10_000)))
    }

    /// Notes a hint of another process, which all listening processes have received. If it names a later append than this process is about
    /// to name, this process need not send its own: the listeners read the head after the later append was committed.
    func hear(_ number: Int64, at revision: Revision) {
      guard sent[number] != revision else { return }
      if heard.count > 100 { heard = [:] }
      heard[number] = .now
      if let own = revisions[number], own <= revision { revisions[number] = nil }
    }

    private func gather(for pause: Duration) {
      isGathering = true
      loop.async(after: pause) { [self] in
        isGathering = false
        send()
      }
    }

    private func send() {
      guard !revisions.isEmpty else { return }
      gather(for: Self.gathering)
      let all = Array(revisions)
      sent = revisions
      revisions = [:]
      for start in stride(from: 0, to: all.count, by: Self.perMessage) {
        let part = all[start..<min(start + Self.perMessage, all.count)]
        let payload = part.map { "\($0.key):\($0.value.number)" }.joined(separator: " ")
        readers.submit(
          Request([Call(Statements.hint, Parameters(.text(payload)))]) { [self] result in
            // After a lost connection followers read the heads by themselves. A refusing server, whose queue of notifications may be full,
            // may have refused the announcement, too.
            guard case .failure(.refused) = result else { return }
            loop.async(after: pause) { for (number, revision) in part { self.add(number, at: revision) } }
          })
      }
    }
  }
#endif

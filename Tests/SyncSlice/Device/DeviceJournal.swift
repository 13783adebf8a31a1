import AlterCore
import AlterJournal
import AlterStore
import AlterSyncCore
import Foundation
import SliceTodo

/// A synced journal over HTTP: the device's file, its engine, and the shell that carries the engine's commands out.
final class DeviceJournal: Sendable {
  /// The settings that the user of the device changes while it runs.
  struct Settings {
    var server: URL
    /// The signed-in principal.
    var token: String?
    var isOnline: Bool
  }

  private struct Contents {
    let disk: DeviceLog
    var contents: DeviceContents
    var log: [(news: MirrorNews<AppState>, file: DeviceFile<SyncedList>)] = []
    var settings: Settings
    var engine = Engine()
    var timer: Task<Void, Never>?
    /// Counts the changes of the settings: a request of earlier ones has failed.
    var epoch = 0
    /// Counts the openings and ends of the stream: an earlier one has ended. Requests are forgotten, never cancelled.
    var stream = 0
    var error: JournalError?
  }

  let name: String
  private let contents: Lock<Contents>
  private let count: EventCount<Int64>
  private let report: @Sendable (Link) -> Void

  init(_ url: URL, principal: String, schema: Int, settings: Settings, report: @escaping @Sendable (Link) -> Void) throws {
    name = url.lastPathComponent
    let (disk, file) = try DeviceLog.open(url, principal: principal, schema: schema)
    contents = Lock(Contents(disk: disk, contents: file, settings: settings))
    count = EventCount(journal: name)
    self.report = report
  }

  // MARK: - The device's part

  /// The file as it is now.
  var file: DeviceFile<SyncedList> { contents.withLock { $0.contents.file } }

  /// The last reported status; nil before the start.
  var link: Link? { contents.withLock { $0.engine.link } }

  /// Begins to talk to the server.
  func start() { perform { contents in self.handle(.start, in: &contents) } }

  /// Asks for an exchange now.
  func nudge() { perform { contents in self.handle(.nudged, in: &contents) } }

  /// Changes a setting. Open connections end.
  func set(_ change: (inout Settings) -> Void) {
    perform { contents in
      change(&contents.settings)
      contents.epoch += 1
      contents.stream += 1
      self.handle(.failed(contents.engine.request), in: &contents)
      self.handle(.streamEnded, in: &contents)
      self.handle(.nudged, in: &contents)
    }
  }

  /// Corrects the principal, until the first contact.
  func correct(_ principal: String) { perform { contents in _ = self.transact(.corrected(principal: principal), in: &contents) } }

  private func perform(_ body: (inout Contents) -> Void) {
    let transaction = contents.withLock { contents in
      body(&contents)
      return Int64(contents.log.count)
    }
    count.advance(to: transaction)
  }

  /// Performs a transaction. A disk that fails ends the journal.
  private func transact(_ transaction: Transaction, in contents: inout Contents) -> Reply? {
    do { try contents.disk.append(transaction) } catch {
      contents.error = JournalError(.failed, journal: name, message: "lost its disk: \(error)")
      return nil
    }
    let before = contents.contents.file
    let reply = contents.contents.perform(transaction)
    contents.log.append((MirrorNews(from: before, to: contents.contents.file), contents.contents.file))
    return reply
  }

  // MARK: - The engine's shell

  private func handle(_ event: EngineEvent, in contents: inout Contents) {
    let file = contents.contents.file
    let situation = Situation(
      hasUndecided: file.outbox.hasUndecided, awaitsEntries: !file.outbox.isEmpty && !file.outbox.hasUndecided,
      isOutdated: file.isOutdated, isLocked: contents.settings.token.map { file.isLocked(for: Principal($0)) } ?? false,
      now: WallClock.now, random: .random(in: 0...1))
    // An event of a timer, a request or a stream may be late: the engine is closed already.
    guard let commands = try? contents.engine.handle(event, in: situation) else { return }
    for command in commands { carryOut(command, in: &contents) }
  }

  private func carryOut(_ command: EngineCommand, in contents: inout Contents) {
    switch command {
    case .takeLock: handle(.lockGranted, in: &contents)
    case .releaseLock, .cancel: break
    case .send(let number, let exchange): send(number, exchange, in: &contents)
    case .setTimer(let number, let seconds):
      contents.timer?.cancel()
      contents.timer = later(.seconds(seconds)) { self.handle(.fired(number), in: &$0) }
    case .cancelTimer: contents.timer?.cancel()
    case .openStream:
      contents.stream += 1
      listen(contents.settings, number: contents.stream)
    case .closeStream: contents.stream += 1
    case .refreshToken:
      let isSignedIn = contents.settings.token != nil
      _ = later(.zero) { self.handle(isSignedIn ? .tokenRefreshed : .refreshFailed, in: &$0) }
    case .report(let link): report(link)
    }
  }

  private func later(_ pause: Duration, _ body: @escaping @Sendable (inout Contents) -> Void) -> Task<Void, Never> {
    Task {
      guard (try? await Task.sleep(for: pause)) != nil, !Task.isCancelled else { return }
      self.perform { body(&$0) }
    }
  }

  private func send(_ number: Int, _ exchange: EngineCommand.Exchange, in contents: inout Contents) {
    let (file, settings) = (contents.contents.file, contents.settings)
    guard settings.isOnline else {
      _ = later(.zero) { self.handle(.failed(number), in: &$0) }
      return
    }
    let body: Request.Body =
      switch exchange {
      case .pull: .pull
      case .push: .push(file.submissions(limits: SyncLimits()))
      case .fetch: .fetch(file.questions)
      }
    let request = Request(
      body, position: file.mirror?.head, floor: file.floor, principal: file.principal, generation: file.generation,
      known: file.newestKnown)
    let client = SliceClient(server: settings.server, token: settings.token)
    let epoch = contents.epoch
    Task {
      let result = try? await client.exchange(request)
      self.perform { contents in
        // A request that was given up has no effect: the mirror may have changed since.
        guard contents.epoch == epoch, contents.engine.request == number else { return }
        switch result {
        case nil: self.handle(.failed(number), in: &contents)
        case .answer(let answer):
          var file = contents.contents.file
          self.handle(.replied(number, file.absorb(answer)), in: &contents)
        case .transaction(let transaction):
          let reply = self.transact(transaction, in: &contents)
          self.handle(reply.map { .replied(number, $0) } ?? .failed(number), in: &contents)
        }
      }
    }
  }

  /// The stream of hints, as requests that wait.
  private func listen(_ settings: Settings, number: Int) {
    let client = SliceClient(server: settings.server, token: settings.token)
    Task {
      var seen = ""
      while let heard = settings.isOnline ? try? await client.live(seen: seen) : nil, contents.withLock({ $0.stream == number }) {
        let isFirst = seen.isEmpty
        seen = heard
        self.perform { contents in
          guard contents.stream == number else { return }
          if isFirst { self.handle(.streamOpened, in: &contents) }
          let file = contents.contents.file
          if heard != SliceClient.name(file.generation, file.mirror?.head) { self.handle(.hinted, in: &contents) }
        }
      }
      self.perform { contents in if contents.stream == number { self.handle(.streamEnded, in: &contents) } }
    }
  }
}

extension DeviceJournal: MirrorJournal {
  typealias State = AppState

  private func tidings(_ news: [MirrorNews<AppState>], _ contents: Contents) -> MirrorTidings<AppState> {
    let refusals = contents.contents.file.refusals.map {
      RefusedChange(
        Record($0.draft), code: $0.code.rawValue, reason: contents.contents.reasons[$0.draft.id], requires: $0.draft.requires)
    }
    return MirrorTidings(news: news, transaction: Int64(contents.log.count), refusals: refusals)
  }

  func open(as origin: Origin) async throws(JournalError) -> MirrorTidings<AppState> {
    perform { contents in _ = self.transact(.opened(origin), in: &contents) }
    return contents.withLock { tidings([MirrorNews(from: nil, to: $0.contents.file)], $0) }
  }

  func tidings(after transaction: Int64) async throws(JournalError) -> MirrorTidings<AppState> {
    contents.withLock { contents in tidings(contents.log.dropFirst(Int(transaction)).map(\.news), contents) }
  }

  func whole(at transaction: Int64) async throws(JournalError) -> MirrorNews<AppState> {
    contents.withLock { contents in
      let (news, file) = contents.log[Int(transaction) - 1]
      var whole = MirrorNews(from: nil, to: file)
      (whole.decided, whole.entering) = (news.decided, news.entering)
      return whole
    }
  }

  func wait(past transaction: Int64) async throws(JournalError) { try await count.wait(past: transaction) }

  func enqueue(
    _ drafts: [MirrorNews<AppState>.Entering], retrying refused: [EntryID: EntryID]
  ) async throws(JournalError) {
    let schema = file.schema
    let wire: [WireDraft]
    do { wire = try drafts.map { WireDraft(try $0.record.draft(requires: $0.requirement, schema: schema)) } } catch {
      throw JournalError(.unencodable, journal: name, message: "can't hold a change: \(error)")
    }
    let pairs = Array(refused)
    perform { contents in
      _ = self.transact(.enqueued(wire, retrying: pairs.map(\.value), as: pairs.map(\.key)), in: &contents)
      self.handle(.drafted, in: &contents)
    }
    if let error = contents.withLock({ $0.error }) { throw error }
  }

  func dismiss(_ ids: [EntryID]) async throws(JournalError) {
    perform { contents in _ = self.transact(.dismissed(ids), in: &contents) }
  }

  func close() async { perform { contents in self.handle(.closed, in: &contents) } }
}

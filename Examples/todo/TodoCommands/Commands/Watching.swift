import Alter
import ArgumentParser
import Dispatch
import TodoCore

/// A running live view: it handles one event after the other, and draws.
struct Watching {
  /// The events of the view.
  private enum Event: Sendable {
    case bytes([UInt8])
    case inputEnded
    case signal(Int32)
    case stateChanged
    case synced(SyncPanel)
    case message(String)
    case settled(EntryID, JournalError?)
    case failed(JournalError)
    /// A change of the user was not made, because the list is elsewhere now.
    case lost
    case minutePassed
  }

  private let store: Store<AppState>
  private let events: AsyncStream<Event>
  private let happen: AsyncStream<Event>.Continuation
  private var model = WatchModel()
  private var keys = KeyReader()
  /// The sync of the list; nil if it is not synced, and before the first report.
  private var sync: SyncPanel?
  /// The changes that are not on disk yet.
  private var pending: [EntryID: Commit<AppState>] = [:]

  /// The descriptor from which signals are read.
  private let signals: Int32

  /// The signals that the view handles.
  static let signals = [SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP]

  init(_ store: Store<AppState>, signals: Int32) {
    self.signals = signals
    self.store = store
    (events, happen) = AsyncStream.makeStream()
  }

  /// Runs until the user quits.
  ///
  /// - Returns: The signal that ended the view; nil if the user quit.
  mutating func run() async throws -> Int32? {
    let sources = listen()
    defer { for source in sources { source.cancel() } }
    let tasks = follow()
    defer { for task in tasks { task.cancel() } }
    draw()
    for await event in events {
      switch event {
      case .bytes(let bytes):
        for key in keys.read(bytes) {
          guard let request = model.press(key, in: store.state, sync: sync, today: Clock.today()) else { continue }
          if try carryOut(request) { return try await finish(nil) }
        }
      case .inputEnded: return try await finish(SIGHUP)
      case .signal(SIGWINCH): break
      case .signal(SIGTSTP): try Terminal.suspend()
      case .signal(let number): return try await finish(number)
      case .stateChanged, .minutePassed:
        // The list has gone to a server, or has come back: the view begins again with the other file.
        if store.state.synced != nil || ListMove.hasHappened { throw ListMove.Moved() }
      case .synced(let panel): follow(panel)
      case .message(let text): model.message = text
      case .settled(let id, let error):
        pending[id] = nil
        if let error { throw error }
      case .failed(let error): throw error
      case .lost:
        ListMove.acknowledge()
        throw ListMove.Moved()
      }
      draw()
    }
    return nil
  }

  /// Waits until the user's changes are on disk.
  private func finish(_ signal: Int32?) async throws -> Int32? {
    for commit in pending.values { try await commit.durable() }
    return signal
  }

  private mutating func draw() {
    let state = store.state
    model.follow(state)
    let size = Terminal.size
    model.pageSize = max(1, size.rows - 3)
    Terminal.draw(
      WatchView.lines(state, model, sync: sync, size: size, today: Clock.today(), time: Clock.moment, style: Console.style))
  }

  /// Adopts a new state of the sync, and says what others have done.
  private mutating func follow(_ panel: SyncPanel) {
    model.follow(panel)
    let newest = panel.history.first { !$0.isUnconfirmed }
    if let before = sync?.history.first(where: { !$0.isUnconfirmed }), let newest, newest.id > before.id, let author = newest.author,
      author != "you", model.message.isEmpty
    {
      model.message = "\(author): \(newest.what)"
    }
    sync = panel
  }

  /// Carries out the request of a key.
  ///
  /// - Returns: Whether the view must end.
  private mutating func carryOut(_ request: WatchModel.Request) throws -> Bool {
    switch request {
    case .quit: return true
    case .suspend: try Terminal.suspend()
    case .redraw: break
    case .change(let changes):
      do throws(ChangeError<Refusal>) {
        let commit = try store.change(changes)
        pending[commit.id] = commit
        model.follow(store.state)
        settle(commit)
      } catch {
        model.message = error.description
      }
    case .undo: takeBack("Undid", redo: false)
    case .redo: takeBack("Redid", redo: true)
    case .retry(let id): retry(id)
    case .dismiss(let id): dismiss(id)
    }
    return false
  }

  private func settle(_ commit: Commit<AppState>) {
    let happen = happen
    Task {
      do throws(CommitError<Refusal>) {
        try await commit.durable()
        happen.yield(.settled(commit.id, nil))
      } catch {
        if ListMove.isCause(of: error) {
          happen.yield(.lost)
        } else if case .failed(let error) = error {
          happen.yield(.settled(commit.id, error))
        } else {
          happen.yield(.message(error.description))
          happen.yield(.settled(commit.id, nil))
        }
      }
    }
  }

  private func takeBack(_ word: String, redo: Bool) {
    let (store, happen) = (store, happen)
    Task {
      var narrator = Narrator()
      narrator.learn(store.state)
      do {
        let undone = try await store.takeBack(redo: redo)
        narrator.learn(store.state)
        guard let record = undone.records.first else { return }
        let note = undone.revision == nil ? " (not yet confirmed)" : ""
        happen.yield(.message("\(word) \(record.revision): \(narrator.tell(record))\(note)"))
      } catch {
        happen.yield(.message("\(error)"))
      }
    }
  }

  private mutating func retry(_ id: EntryID) {
    do throws(RetryError<Refusal>) {
      guard let refused = store.refusals.first(where: { $0.id == id }), let commit = try store.retry(refused) else {
        model.message = "That change is settled already."
        return
      }
      pending[commit.id] = commit
      settle(commit)
      model.message = "Made again; the server decides."
    } catch {
      model.message = "\(error)"
    }
  }

  private func dismiss(_ id: EntryID) {
    let (store, happen) = (store, happen)
    Task {
      do throws(JournalError) {
        try await store.dismiss(store.refusals.filter { $0.id == id })
        happen.yield(.message("Dismissed."))
      } catch {
        happen.yield(.message(error.description))
      }
    }
  }

  // MARK: - Sources of events

  /// Handles keys and signals.
  private func listen() -> [any DispatchSourceProtocol] {
    let happen = happen
    let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .global())
    input.setEventHandler { @Sendable in
      let (bytes, code) = readSome(STDIN_FILENO, upTo: 4_096)
      guard code == 0, !bytes.isEmpty else {
        if code == EAGAIN { return }
        happen.yield(.inputEnded)
        return
      }
      happen.yield(.bytes(bytes))
    }
    input.activate()
    let (signals, source) = (signals, DispatchSource.makeReadSource(fileDescriptor: signals, queue: .global()))
    source.setEventHandler { @Sendable in
      for number in readSome(signals, upTo: 64).bytes { happen.yield(.signal(Int32(number))) }
    }
    source.activate()
    return [input, source]
  }

  /// Follows the store, and the clock, because the current day may change.
  private func follow() -> [Task<Void, Never>] {
    let (store, happen) = (store, happen)
    return [
      Task { for await _ in store.values(of: \.self) { happen.yield(.stateChanged) } },
      Task { for await problem in store.problems { happen.yield(Watching.event(problem)) } },
      Task { await SyncFollower(store)?.run { happen.yield(.synced($0)) } },
      Task { while (try? await Task.sleep(for: .seconds(60))) != nil { happen.yield(.minutePassed) } },
    ]
  }

  private static func event(_ problem: StoreProblem) -> Event {
    if case .failed(let error) = problem { .failed(error) } else { .message(problem.description) }
  }
}

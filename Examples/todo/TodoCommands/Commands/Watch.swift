import Alter
import ArgumentParser
import Dispatch
import Synchronization
import TodoCore
import _AlterTerminal

/// `todo watch`
struct Watch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Show the list, and again whenever it changes, until Ctrl-C.",
    discussion: Help.text(
      "Changes by other processes appear at once. For a synced list, the first lines tell the connection, and how many changes wait or were refused.",
      examples: "todo watch", "todo watch --open --sort due"))

  @OptionGroup var store: StoreLocation
  @OptionGroup(title: "Filters") var filters: Filters

  /// The events since the view began. Only the newest list matters, so several events while a list is shown are one.
  private final class News: Sendable {
    struct State: Sendable {
      var connection: Connection?
      var failure: JournalError?
      var isEnded = false
    }

    private let state = Mutex(State())
    let events: AsyncStream<Void>
    private let happen: AsyncStream<Void>.Continuation

    init() { (events, happen) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    var now: State { state.withLock { $0 } }

    func tell(_ change: @Sendable (inout State) -> Void = { _ in }) {
      state.withLock { change(&$0) }
      happen.yield()
    }
  }

  mutating func run() async throws {
    let (query, settings) = (filters.query(), try Session.settings(store))
    let signals = try SignalPipe.open([SIGINT, SIGTERM, SIGHUP])
    try await Session.change(store, followsOthers: true) { store in
      let news = News()
      let source = DispatchSource.makeReadSource(fileDescriptor: signals, queue: .global())
      source.setEventHandler { @Sendable in
        news.tell { $0.isEnded = true }
        // A reader that reads nothing more must not keep the process: it has nothing to write but its output.
        DispatchQueue.global().asyncAfter(deadline: .now() + 1) { endProcess(.terminated) }
      }
      source.activate()
      let tasks = [
        Task { for await _ in store.values(of: \.self) { news.tell() } },
        Task { for await _ in store.outbox { news.tell() } },
        Task { for await case .failed(let error) in store.problems { news.tell { $0.failure = error } } },
        Task {
          guard settings != nil, let connections = SyncSupport.connections else { return }
          let first = await SyncSupport.first(connections(), isIncluded: { _ in true })
          news.tell { $0.connection = first ?? .elsewhere }
          for await connection in connections() { news.tell { $0.connection = connection } }
        },
        // The day changes, too, and with it what is overdue.
        Task { while (try? await Task.sleep(for: .seconds(60))) != nil { news.tell() } },
      ]
      defer {
        source.cancel()
        for task in tasks { task.cancel() }
      }
      var shown = [String]()
      for await _ in news.events {
        let now = news.now
        if now.isEnded { return }
        if let failure = now.failure { throw failure }
        // The list has gone to a server, or has come back: the command begins again with the other file.
        guard store.state.synced == nil, !ListMove.hasHappened else { throw ListMove.Moved() }
        let marks = SyncMarks(unconfirmed: store.unconfirmed, refusals: store.refusals)
        let list = TodoList(store.state, query, today: Clock.today()).lines(Console.style, marks)
        let sync = settings.map { Sync.lines($0, now.connection ?? .connecting, store).map(\.printable) } ?? []
        let lines = sync + (list.isEmpty ? ["Nothing to do."] : list)
        guard lines != shown else { continue }
        shown = lines
        try Watch.show(lines)
      }
    }
  }

  /// Shows lines: on a terminal in place of the former ones, as many as there is room for, elsewhere below them, after an empty line.
  private static func show(_ lines: [String]) throws(CommandError) {
    guard TextOutput.standard.isTerminal, let rows = TextOutput.standard.size?.rows else { return try Console.print(shown: lines + [""]) }
    let room = max(1, rows - 1)
    let visible = lines.count <= room ? lines : lines.prefix(room - 1) + ["… \(lines.count - room + 1) more: 'todo list'"]
    // From the top, on a clear screen, with lines that are cut off at the right edge.
    try Console.write(Array(("\u{1B}[H\u{1B}[2J\u{1B}[?7l" + visible.joined(separator: "\r\n") + "\u{1B}[?7h\r\n").utf8))
  }
}

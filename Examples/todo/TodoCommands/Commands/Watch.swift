import Alter
import ArgumentParser
import Dispatch
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

  private enum Event: Sendable {
    case changed
    case connection(Connection)
    case failed(JournalError)
    case outputClosed
  }

  mutating func run() async throws {
    let (query, settings) = (filters.query(), try Session.settings(store))
    let signals = try SignalPipe.open([SIGINT, SIGTERM, SIGHUP])
    try await Session.change(store, followsOthers: true) { store in
      // A signal closes the list and ends the process at once, also while the loop below waits for a reader that reads nothing.
      let source = DispatchSource.makeReadSource(fileDescriptor: signals, queue: .global())
      source.setEventHandler { @Sendable in
        guard let number = readSome(signals, upTo: 1).bytes.first else { return }
        Task {
          _ = await store.close(deadline: .seconds(1))
          ListMove.tidy()
          endProcess(CommandError.signal(Int32(number)).status)
        }
      }
      source.activate()
      defer { source.cancel() }
      let (events, happen) = AsyncStream<Event>.makeStream()
      // Occupies a thread until the reader is gone, which a list that does not change would never show. A terminal's end is a signal.
      DispatchQueue.global().async {
        guard !TextOutput.standard.isTerminal else { return }
        var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        while poll(&output, 1, -1) < 0, errno == EINTR {}
        if output.revents & Int16(POLLERR | POLLHUP) != 0 { happen.yield(.outputClosed) }
      }
      let tasks = [
        Task { for await _ in store.values(of: \.self) { happen.yield(.changed) } },
        Task { for await _ in store.outbox { happen.yield(.changed) } },
        Task { for await case .failed(let error) in store.problems { happen.yield(.failed(error)) } },
        Task {
          guard let connections = SyncSupport.connections else { return }
          if await SyncSupport.first(connections(), isIncluded: { _ in true }) == nil { happen.yield(.connection(.elsewhere)) }
          for await connection in connections() { happen.yield(.connection(connection)) }
        },
        // The day changes, too, and with it what is overdue.
        Task { while (try? await Task.sleep(for: .seconds(60))) != nil { happen.yield(.changed) } },
      ]
      defer { for task in tasks { task.cancel() } }
      var connection = Connection.connecting
      var shown = [String]()
      for await event in events {
        switch event {
        case .outputClosed: throw CommandError.outputClosed
        case .failed(let error): throw error
        case .connection(let new): connection = new
        case .changed: break
        }
        // The list has gone to a server, or has come back: the command begins again with the other file.
        guard store.state.synced == nil, !ListMove.hasHappened else { throw ListMove.Moved() }
        let marks = SyncMarks(unconfirmed: store.unconfirmed, refusals: store.refusals)
        let list = TodoList(store.state, query, today: Clock.today()).lines(Console.style, marks)
        let sync = settings.map { Sync.lines($0, connection, store).map(\.printable) } ?? []
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

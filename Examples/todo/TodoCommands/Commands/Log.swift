import Alter
import ArgumentParser
import TodoCore

/// `todo log`
struct Log: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Show every change: its revision, its time, and a description. Undone changes are marked.",
    discussion: Help.text(examples: "todo log", "todo log --json | tail -n 1"))

  @OptionGroup var store: StoreLocation
  @OptionGroup var output: OutputOptions

  mutating func run() async throws {
    try await Session.read(store) { journal in
      guard let journal else { return }
      var records: [Record<AppState>] = []
      var failure: JournalError?
      // The entries before a damaged one are printed, too.
      do throws(JournalError) { try await Store<AppState>.entries(in: journal) { records.append($0) } } catch { failure = error }
      try show(records)
      if let failure { throw failure }
    }
  }

  private func show(_ records: [Record<AppState>]) throws {
    var narrator = Narrator()
    let undone = Record.takenBack(in: records)
    let told = records.map { record in
      // If an undo was undone, the redo says so.
      RecordOutput(record, what: narrator.tell(record), isUndone: record.targets.isEmpty && undone.contains(record.id))
    }
    if output.json { return try Console.printJSON(told) }
    let width = records.last.map { "\($0.revision)".count } ?? 0
    try Console.print(
      shown: told.map { entry in
        let number = "\(entry.record.revision)"
        let line =
          String(repeating: " ", count: width - number.count)
          + "\(number)  \(Clock.text(of: entry.record.stamp))  \(entry.what)\(entry.isUndone ? "  (undone)" : "")"
        return Console.style.show(line, entry.isUndone ? .dim : nil)
      })
  }
}

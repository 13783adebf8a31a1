import Alter
import TodoCore

#if Examples
  import ArgumentParser

  /// `todo log`
  struct Log: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show every change: its revision, when it was made, and what it was. What is undone says so.")

    @OptionGroup var store: StoreLocation

    mutating func run() async throws {
      try await Session.read(store) { journal in
        guard let journal else { return }
        var records: [Record<AppState>] = []
        var failure: JournalError?
        // What comes before a damaged entry is told all the same.
        do throws(JournalError) { try await Store<AppState>.entries(in: journal) { records.append($0) } } catch { failure = error }
        try Console.print(lines(of: records))
        if let failure { throw failure }
      }
    }

    private func lines(of records: [Record<AppState>]) -> [String] {
      var narrator = Narrator()
      let undone = Record.takenBack(in: records)
      let width = records.last.map { "\($0.revision)".count } ?? 0
      return records.map { record in
        let number = "\(record.revision)"
        // Of an undo that is undone, the redo says so already.
        let mark = record.targets.isEmpty && undone.contains(record.id) ? "  (undone)" : ""
        return String(repeating: " ", count: width - number.count)
          + "\(number)  \(Clock.text(of: record.stamp))  \(narrator.tell(record))\(mark)"
      }
    }
  }
#endif

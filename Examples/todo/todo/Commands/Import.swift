import Alter
import TodoCore

#if Examples
  import ArgumentParser

  /// `todo import`
  struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Append a todo.txt file to the list, as one change.",
      discussion: """
        Almost any text is a todo.txt file. A line that is not valid UTF-8, or due on a day that the calendar doesn't have, is reported and \
        left out; the exit status is then \(ExitStatus.badData.rawValue).
        """)

    @OptionGroup var store: StoreLocation

    @Flag(help: "Import nothing if any line is malformed.")
    var strict = false

    @Argument(help: "The file, or - for the standard input.")
    var file: String

    mutating func run() async throws {
      let input = try InputFile(file)
      // Before the list is opened: a file that can't be read should leave no empty list behind.
      let first = try input.read()
      try await Session.change(store) { store in
        switch try answer(reading: input, from: first, into: store.state) {
        case .imported(let changes, let items, let skipped):
          for problem in skipped { Console.complain("\(input.name): \(problem)") }
          if !changes.isEmpty { try await store.change(changes).durable() }
          try Console.print("Imported \(items == 1 ? "1 item" : "\(items) items").")
          guard skipped.isEmpty else { throw CommandError(.badData, "\(lines(skipped.count)) left out") }
        case .refused(let problems):
          for problem in problems { Console.complain("\(input.name): \(problem)") }
          throw CommandError(.badData, "\(lines(problems.count)) malformed, so nothing was imported")
        case .progress, nil: throw CommandError(.internalError, "the import ended without an answer")
        }
      }
    }

    /// Asks the use case, piece by piece, and returns its last answer.
    private func answer(reading input: InputFile, from first: [UInt8]?, into state: AppState) throws -> ImportUseCase.Response? {
      var answer: ImportUseCase.Response?
      var useCase = ImportUseCase(into: state, strict: strict) { response in
        if case .progress(let lines) = response { Console.progress("\(lines) lines") }
        answer = response
      }
      var piece = first
      while let bytes = piece {
        useCase.request(.read(bytes))
        piece = try input.read()
      }
      Console.progress(nil)
      useCase.request(.finish)
      return answer
    }

    private func lines(_ count: Int) -> String { count == 1 ? "1 line was" : "\(count) lines were" }
  }
#endif

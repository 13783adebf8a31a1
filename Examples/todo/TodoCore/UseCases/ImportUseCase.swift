#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Imports a todo.txt file into a list.
///
/// The caller passes the file in pieces (`.read`), so that it can show progress. The use case keeps its intermediate state to itself. At
/// the end of the file (`.finish`), it responds with all changes, which the store makes as one batch: all or nothing.
///
/// ```swift
/// var useCase = ImportUseCase(into: store.state) { response in … }
/// useCase.request(.read(bytes))
/// useCase.request(.finish)
/// ```
public struct ImportUseCase: UseCase {
  /// The requests of an import.
  public enum Request: Sendable {
    /// Reads the next piece of the file.
    case read([UInt8])
    /// Turns the lines into changes.
    case finish
  }

  /// The responses of an import.
  public enum Response: Sendable {
    /// The number of lines read so far.
    case progress(lines: Int)
    /// The whole file was read. The caller makes these changes. They don't include the malformed lines.
    case imported(changes: [AppState.Change], items: Int, skipped: [TodoTxtReader.Problem])
    /// Nothing is imported, because the import is strict and these lines are malformed.
    case refused([TodoTxtReader.Problem])
  }

  private let state: AppState
  private let isStrict: Bool
  private let newID: () -> UUID
  private let respond: (Response) -> Void
  private var reader = TodoTxtReader()

  /// An import that has read nothing yet.
  ///
  /// - Parameters:
  ///   - state: The list to which the file is appended.
  ///   - strict: Whether one malformed line refuses the whole file.
  ///   - newID: Returns the identity of a new item.
  ///   - respond: Receives the responses before `request` returns.
  public init(
    into state: AppState, strict: Bool = false, newID: @escaping () -> UUID = { UUID() }, respond: @escaping (Response) -> Void
  ) {
    self.state = state
    isStrict = strict
    self.newID = newID
    self.respond = respond
  }

  /// Reads a piece of the file, or turns the lines into changes.
  ///
  /// - Complexity: O(bytes of the piece); `.finish` O(bytes of the file).
  public mutating func request(_ request: Request) {
    switch request {
    case .read(let bytes):
      reader.read(bytes)
      respond(.progress(lines: reader.count))
    case .finish:
      reader.finish()
      if isStrict, !reader.problems.isEmpty {
        respond(.refused(reader.problems))
      } else {
        respond(.imported(changes: changes(), items: reader.lines.count, skipped: reader.problems))
      }
    }
  }

  /// The changes that append the items to the list, as if the file were appended to the list's own file.
  private func changes() -> [AppState.Change] {
    // A byte order mark is legal only at the beginning of a file.
    let isFirst = state.items.isEmpty && state.trailer.isEmpty
    func blank(_ lines: String) -> String { isFirst ? lines : lines.droppingByteOrderMark }
    let above = state.trailer.isEmpty || state.trailer.utf8.last == Byte.newline ? state.trailer : state.trailer + "\n"
    var changes: [AppState.Change] = []
    for (place, line) in reader.lines.enumerated() {
      var source = line.source
      if place == 0 {
        let before = above + blank(source?.before ?? "")
        source = SourceLine(before: before, line: source?.line ?? line.fields.rendered, ending: source?.ending ?? .newline).ifNeeded(
          for: line.fields)
      }
      changes.append(.add(.item(TodoItem(id: newID(), line.fields, source: source))))
    }
    let trailer = reader.lines.isEmpty ? above + blank(reader.blank) : reader.blank
    if !trailer.hasSameBytes(as: state.trailer) { changes.append(.trailer(trailer)) }
    return changes
  }
}

extension String {
  /// The text without a byte order mark at its beginning.
  fileprivate var droppingByteOrderMark: String { unicodeScalars.first == "\u{FEFF}" ? String(unicodeScalars.dropFirst()) : self }
}

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Imports a todo.txt file into a list.
///
/// The file comes in pieces (`.read`), so that progress can be shown; how far it has come is nobody's business but the use case's. When
/// the file is at its end (`.finish`), the whole of it is one list of changes, for the store to make as one: all or nothing.
///
/// ```swift
/// var useCase = ImportUseCase(into: store.state) { response in … }
/// useCase.request(.read(bytes))
/// useCase.request(.finish)
/// ```
public struct ImportUseCase: UseCase {
  /// What it can be asked.
  public enum Request: Sendable {
    /// To read the next piece of the file.
    case read([UInt8])
    /// To make changes of what was read.
    case finish
  }

  /// What it answers.
  public enum Response: Sendable {
    /// How many lines were read so far.
    case progress(lines: Int)
    /// All is read: make these changes. The malformed lines are not among them.
    case imported(changes: [AppState.Change], items: Int, skipped: [TodoTxtReader.Problem])
    /// Nothing is imported, because these lines are malformed and the import is strict.
    case refused([TodoTxtReader.Problem])
  }

  private let state: AppState
  private let isStrict: Bool
  private let newID: () -> UUID
  private let respond: (Response) -> Void
  private var reader = TodoTxtReader()

  /// An import that has read nothing so far.
  ///
  /// - Parameters:
  ///   - state: The list that the file is appended to.
  ///   - strict: Whether one malformed line keeps the whole file out.
  ///   - newID: Gives each item its identity.
  ///   - respond: Takes the answers, before `request` returns.
  public init(
    into state: AppState, strict: Bool = false, newID: @escaping () -> UUID = { UUID() }, respond: @escaping (Response) -> Void
  ) {
    self.state = state
    isStrict = strict
    self.newID = newID
    self.respond = respond
  }

  /// Reads a piece of the file, or makes changes of what was read.
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

  /// The changes that append what was read to the list, as if the file had been appended to the list's own.
  private func changes() -> [AppState.Change] {
    // A byte order mark belongs to the beginning of a file only.
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

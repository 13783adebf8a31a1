public import Alter

/// A list at a moment, with what undo and redo would do then: what all pages are made of, each for what it shows.
public struct ListMoment: Sendable {
  /// The revision.
  public let revision: Revision
  /// The list.
  public let state: AppState
  /// What undo would do.
  public let undo: ListPage.Step
  /// What redo would do.
  public let redo: ListPage.Step
  /// Why nothing can be changed any more; nil when all is well.
  public let problem: String?

  /// A moment.
  ///
  /// - Parameters:
  ///   - revision: The revision.
  ///   - state: The list as the journal has it.
  ///   - undo: What undo would do, or why there is nothing.
  ///   - redo: What redo would do, or why there is nothing.
  ///   - problem: Why nothing can be changed any more.
  public init(
    revision: Revision, state: AppState, undo: Result<UndoPreview<AppState>, UndoError>, redo: Result<UndoPreview<AppState>, UndoError>,
    problem: String? = nil
  ) {
    self.revision = revision
    self.state = state
    self.undo = ListPage.Step(undo) { [state, $0] }
    self.redo = ListPage.Step(redo) { [$0, state] }
    self.problem = problem
  }
}

extension ListPage.Step {
  /// What a preview says, in the words of the log.
  ///
  /// - Parameters:
  ///   - preview: The preview.
  ///   - states: The state that it leads to, and the present one: a narrator names an item as it was before the entry, so that state comes last.
  init(_ preview: Result<UndoPreview<AppState>, UndoError>, _ states: (AppState) -> [AppState]) {
    switch preview {
    case .success(let preview):
      var narrator = Narrator()
      for state in states(preview.state) { narrator.learn(state) }
      let record = preview.records.first
      self.init(of: record?.revision.number, what: record.map { narrator.tell($0) } ?? "")
    case .failure(let error): self.init(of: nil, what: error.description)
    }
  }
}

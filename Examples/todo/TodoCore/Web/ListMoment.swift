public import Alter

/// A list at one moment, with its possible undo and redo. All pages are derived from it.
public struct ListMoment: Sendable {
  /// The revision.
  public let revision: Revision
  /// The list.
  public let state: AppState
  /// The effect of undo.
  public let undo: ListPage.Step
  /// The effect of redo.
  public let redo: ListPage.Step
  /// The reason why the list can't be changed any more; nil if it can.
  public let problem: String?
  /// The sync of the list; nil if it is not synced.
  public let sync: SyncPanel?

  /// A moment.
  ///
  /// - Parameters:
  ///   - revision: The revision.
  ///   - state: The list as the journal has it.
  ///   - undo: The effect of undo, or the reason why it is impossible.
  ///   - redo: The effect of redo, or the reason why it is impossible.
  ///   - problem: The reason why the list can't be changed any more.
  ///   - sync: The sync of the list; nil if it is not synced.
  public init(
    revision: Revision, state: AppState, undo: Result<UndoPreview<AppState>, UndoError>, redo: Result<UndoPreview<AppState>, UndoError>,
    problem: String? = nil, sync: SyncPanel? = nil
  ) {
    self.revision = revision
    self.state = state
    self.undo = ListPage.Step(undo) { [state, $0] }
    self.redo = ListPage.Step(redo) { [$0, state] }
    self.problem = problem
    self.sync = sync
  }
}

extension ListPage.Step {
  /// The description of a preview, in the words of the log.
  ///
  /// - Parameters:
  ///   - preview: The preview.
  ///   - states: The states from which the narrator learns the items' texts, given the state after the undo or redo. The last state counts:
  ///     it must have the texts from before the entry.
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

import Alter
import TodoCore

/// Follows the list, and tells every page that is open.
actor LiveList {
  private let store: Store<AppState>
  private var moment: ListMoment
  private var problem: String?
  private var listeners: [Int: AsyncStream<ListMoment>.Continuation] = [:]
  private var lastListener = 0

  init(_ store: Store<AppState>) {
    self.store = store
    moment = Self.moment(of: store, problem: nil)
  }

  /// Tells every page what happens, until the task is cancelled.
  func follow() async {
    let store = store
    await withTaskGroup { group in
      // Only the newest counts: pages show a state, not its history.
      group.addTask { for await _ in store.revisions { await self.tell() } }
      group.addTask {
        for await problem in store.problems { if case .failed(let error) = problem { await self.fail(error.description) } }
      }
      // A page that hears nothing for long knows that the connection is gone. And a day may begin.
      group.addTask { while (try? await Task.sleep(for: .seconds(15))) != nil { await self.tell() } }
      await group.waitForAll()
    }
  }

  /// The list as it is now.
  var present: ListMoment {
    if moment.revision != store.revision { moment = Self.moment(of: store, problem: problem) }
    return moment
  }

  /// The list as it is now, and then whenever something has happened: not every revision, but always the last.
  func moments() -> AsyncStream<ListMoment> {
    let (stream, continuation) = AsyncStream<ListMoment>.makeStream(bufferingPolicy: .bufferingNewest(1))
    lastListener += 1
    let listener = lastListener
    listeners[listener] = continuation
    continuation.onTermination = { [weak self] _ in Task { await self?.remove(listener) } }
    continuation.yield(present)
    return stream
  }

  private func remove(_ listener: Int) { listeners[listener] = nil }

  private func tell() {
    let moment = present
    for listener in listeners.values { listener.yield(moment) }
  }

  private func fail(_ why: String) {
    problem = why
    moment = Self.moment(of: store, problem: why)
    tell()
  }

  private static func moment(of store: Store<AppState>, problem: String?) -> ListMoment {
    let (state, revision) = store.confirmed
    return ListMoment(
      revision: revision, state: state, undo: Result { () throws(UndoError) in try store.previewUndo() },
      redo: Result { () throws(UndoError) in try store.previewRedo() }, problem: problem)
  }
}

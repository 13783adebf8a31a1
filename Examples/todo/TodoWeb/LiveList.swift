import Alter
import TodoCommands
import TodoCore

/// Follows the list and notifies every open page.
actor LiveList {
  private let store: Store<AppState>
  private var moment: ListMoment
  private var problem: String?
  /// The sync of the list; nil if it is not synced.
  private var sync: SyncPanel?
  private var listeners: [Int: AsyncStream<ListMoment>.Continuation] = [:]
  private var lastListener = 0

  init(_ store: Store<AppState>) {
    self.store = store
    moment = Self.moment(of: store, problem: nil, sync: nil)
  }

  /// Notifies the pages of each event, until the task is cancelled.
  func follow() async {
    let store = store
    // A page offers the undo of a synced list, too, whose history is read when it is needed.
    if SyncSupport.user != nil { try? await store.loadUndoWindow() }
    await withTaskGroup { group in
      group.addTask { await SyncFollower(store)?.run { await self.tell($0) } }
      // Pages show a state, not its history, so only the newest revision matters.
      group.addTask { for await _ in store.revisions { await self.tell() } }
      group.addTask {
        for await problem in store.problems { if case .failed(let error) = problem { await self.fail(error.description) } }
      }
      // A page that receives nothing for a long time assumes that the connection is lost. Also, the current day may change.
      group.addTask { while (try? await Task.sleep(for: .seconds(15))) != nil { await self.tell() } }
      await group.waitForAll()
    }
  }

  /// The current list.
  var present: ListMoment {
    // A synced list also changes without a new revision.
    if sync != nil || moment.revision != store.revision || ListMove.hasHappened {
      moment = Self.moment(of: store, problem: problem, sync: sync)
    }
    return moment
  }

  /// The current list, then the list after each event. Intermediate revisions may be skipped, but never the last one.
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

  private func tell(_ sync: SyncPanel) {
    self.sync = sync
    tell()
  }

  private func fail(_ why: String) {
    problem = why
    moment = Self.moment(of: store, problem: problem, sync: sync)
    tell()
  }

  private static func moment(of store: Store<AppState>, problem: String?, sync: SyncPanel?) -> ListMoment {
    var (state, revision) = store.confirmed
    // A page of a synced list shows and marks changes that are not confirmed.
    if SyncSupport.user != nil { (state, revision) = (store.state, store.revision) }
    return ListMoment(
      revision: revision, state: state, undo: Result { () throws(UndoError) in try store.previewUndo() },
      redo: Result { () throws(UndoError) in try store.previewRedo() }, problem: ListMove.warning(store) ?? problem, sync: sync)
  }
}

import AlterCore
import AlterJournal

// The end of all stores.
extension Stores {
  /// Closes all stores, in use or not, and refuses every later access with `closed`.
  ///
  /// First the keys that wait for a place are refused and the openings are cancelled. Then every store is closed as by
  /// ``Store/close(deadline:)``: its runs of feedbacks end, and its pending changes are written. If the calling task is cancelled, this method
  /// returns at once, and the stores continue to close in the background.
  ///
  /// - Parameter deadline: The time limit, by ``StoreEnvironment/sleep``; nil for none.
  /// - Returns: The changes that are not known to be in their journals, by key and in order; empty if everything was written. They include
  ///   those of stores that have failed earlier and were replaced. A store that is opened with them
  ///   (``Store/open(_:in:resuming:options:)``) writes each of them exactly once.
  @discardableResult
  public func close(deadline: Duration? = nil) async -> [String: [Unwritten<State>]] {
    let done = Promise<[String: [Unwritten<State>]]>()
    Task.detached { done.resolve(await self.shutDown(deadline)) }
    if let leftOver = await done.value() { return leftOver }
    return unwritten
  }

  private func shutDown(_ deadline: Duration?) async -> [String: [Unwritten<State>]] {
    let limit = TimeLimit(deadline, sleep: options.environment.sleep)
    defer { limit.end() }
    let (refused, openings, retry, actions, isOver) = contents.withLock { contents in
      contents.deadline = deadline
      let refused = contents.table.end().compactMap { key in contents.callers.removeValue(forKey: key).map { (key, $0.promise) } }
      let actions = contents.table.closeAll()
      return (refused, Array(contents.openings.values), contents.retry, actions, contents.isOver)
    }
    if isOver { isEmpty.resolve(()) }
    tellMonitor()
    for (key, promise) in refused { promise.resolve(.failure(.closedStores(key.text))) }
    for opening in openings { opening.cancel() }
    retry?.cancel()
    await withTaskGroup(of: Void.self) { group in
      for case .close(let key, let store) in actions {
        group.addTask { self.closed(key, leaving: await store.close(deadline: deadline)) }
      }
    }
    // The stores that were being opened or closed before.
    await limit.run { _ = await self.isEmpty.value() }
    return unwritten
  }

  /// The changes that stores could not write, by the text of their keys.
  private var unwritten: [String: [Unwritten<State>]] {
    // Keys of different bytes may be equal texts.
    contents.withLock { $0.leftOver }.reduce(into: [:]) { $0[$1.key.text, default: []] += $1.value }
  }

  /// Closes the stores that were opened after the end.
  func closeAll(_ contents: inout Contents) {
    let deadline = contents.deadline
    for case .close(let key, let store) in contents.table.closeAll() {
      Task.detached { self.closed(key, leaving: await store.close(deadline: deadline)) }
    }
  }

  /// Records that a store was closed.
  func closed(_ key: StoreKey, leaving leftOver: [Unwritten<State>]) {
    let isOver = contents.withLock { contents in
      if !leftOver.isEmpty { contents.leftOver[key, default: []] += leftOver }
      contents.table.gone(key)
      proceed(&contents)
      return contents.isOver
    }
    tellMonitor()
    if isOver { isEmpty.resolve(()) }
  }
}

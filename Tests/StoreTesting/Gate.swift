internal import AlterCore

/// A gate where tasks wait until it is opened. They ignore cancellation.
package final class Gate: Sendable {
  private let state = Lock<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

  package init() {}

  package func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  package func open() {
    let waiting = state.withLock { state in
      defer { state = (true, []) }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

import AlterCore

@testable import AlterStore

/// A run that a store owns.
final class OwnedRun<State: Alterable>: StoreRun {
  let keepsStore = true
  private let end: @Sendable () async -> Void

  init(_ store: Store<State>, end: @escaping @Sendable () async -> Void = {}) {
    self.end = end
    _ = store.own(self)
  }

  func cancel() {}

  func stop() async { await end() }
}

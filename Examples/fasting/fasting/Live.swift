import Alter
import Console
import FastingCore
import Foundation

/// The live display: keys in, changes to the store, lines out. Four times a second it asks the clock, which the state never does.
struct Live {
  private enum Event: Sendable { case key(Character), changed, tick, ended, storeEnded }

  private let store: Store<FastingState>

  init(_ store: Store<FastingState>) { self.store = store }

  func run() async throws {
    Terminal.enter()
    defer { Terminal.leave() }
    let (events, happen) = AsyncStream<Event>.makeStream()
    let store = store
    let tasks = [
      Task {
        for await _ in store.values(of: \.self) { happen.yield(.changed) }
        happen.yield(.storeEnded)
      },
      Task { while (try? await Task.sleep(for: .milliseconds(250))) != nil { happen.yield(.tick) } },
    ]
    defer { for task in tasks { task.cancel() } }
    Terminal.keys { happen.yield($0.map(Event.key) ?? .ended) }
    var message = ""
    for await event in events {
      switch event {
      case .key("q"), .key("\u{3}"), .ended: return
      case .key(let key): message = try await press(key)
      case .storeEnded:
        // The values end when the journal has failed for good: its status tells why.
        if case .failed(let error) = store.status { message = error.description }
      case .changed, .tick: break
      }
      // What was confirmed, so that whatever is seen outlives the process.
      let state = store.confirmed.state
      Terminal.draw(FastingView(state, at: Date().microseconds).lines + ["", message, FastingView.keys(state.phase)])
    }
  }

  /// Makes the change that a key asks for, and waits until it is on the disk.
  ///
  /// - Returns: What there is to say.
  private func press(_ key: Character) async throws -> String {
    guard let change = FastingView.change(key) else { return "" }
    let commit: Commit<FastingState>
    do throws(ChangeError<Refusal>) { commit = try store.change(change) } catch { return error.description }
    try await commit.durable()
    return ""
  }
}

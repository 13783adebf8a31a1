import Alter
import Console
import FastingCore
import Foundation

/// The live display. It reads keys, changes the store and draws lines. It reads the clock four times a second; the state never reads it.
struct Live {
  private enum Event: Sendable { case key(Character), changed, tick, message(String), ended, storeEnded }

  private let store: Store<FastingState>

  init(_ store: Store<FastingState>) { self.store = store }

  func run() async {
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
      case .key(let key): message = press(key) { happen.yield(.message($0)) }
      case .message(let text): message = text
      case .storeEnded:
        // The stream of values ends when the journal has failed permanently. The status of the store gives the reason.
        if case .failed(let error) = store.status { message = error.description }
      case .changed, .tick: break
      }
      // The display shows only the confirmed state, so that every visible change survives the end of the process.
      let state = store.confirmed.state
      Terminal.draw(FastingView(state, at: Date()).lines + ["", message, FastingView.keys(state.phase)])
    }
  }

  /// Makes the change that a key requests. The display does not wait for the disk, because a slow one would stop the clock and the keys.
  ///
  /// - Parameter onFailure: Called with the reason if the change could not be written.
  /// - Returns: The message to show.
  private func press(_ key: Character, onFailure: @escaping @Sendable (String) -> Void) -> String {
    guard let change = FastingView.change(key, goal: store.state.goal) else { return "" }
    do throws(ChangeError<Refusal>) {
      let commit = try store.change(change)
      Task { do { try await commit.durable() } catch { onFailure("\(error)") } }
      return ""
    } catch {
      return error.description
    }
  }
}

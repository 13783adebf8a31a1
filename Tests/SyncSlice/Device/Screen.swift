import AlterCore
import AlterJournal
import AlterStore
import AlterSyncCore
import Foundation
import SliceTodo

/// The standard output, for several tasks.
final class Console: Sendable {
  private let lock = Lock(())

  /// Prints a line at once.
  func show(_ line: String) { lock.withLock { _ in FileHandle.standardOutput.write(Data((line + "\n").utf8)) } }
}

/// The visible part of a device: events as they happen, and the list on request.
final class Screen: Sendable {
  private let store: Store<AppState>
  private let console: Console
  private let tasks: [Task<Void, Never>]

  init(_ store: Store<AppState>, _ console: Console) {
    (self.store, self.console) = (store, console)
    let transitions = store.transitions
    let watch = store.watch
    tasks = [
      Task {
        for await transition in transitions { if let line = Self.line(transition, in: store) { console.show(line) } }
      },
      Task {
        var (shown, version) = ("", Int64(-1))
        while let present = watch.present() {
          // The version is read first, so that a later change is shown in the next round.
          version = present.version
          let badge = Self.badge(store)
          if badge != shown { console.show(badge) }
          shown = badge
          guard (try? await watch.wait(past: version)) != nil else { return }
        }
      },
    ]
  }

  /// Waits until all events of a closed store are shown.
  func end() async { for task in tasks { await task.value } }

  private static func badge(_ store: Store<AppState>) -> String {
    let hidden = store.unconfirmed.count(where: \.isHidden)
    return "badge: \(store.unconfirmed.count) unconfirmed" + (hidden > 0 ? " (\(hidden) hidden)" : "") + ", \(store.refusals.count) refused"
  }

  private static func line(_ transition: StoreTransition<AppState>, in store: Store<AppState>) -> String? {
    switch transition {
    case .skipped(let revision, _): return "skipped: the list continues at revision \(revision)"
    case .contacted: return "contacted: the server's list has replaced the first one"
    case .restarted: return "restarted: the server's list has replaced this one"
    case .failed(let error): return "failed: \(error)"
    case .dropped(let id, let error):
      guard let refused = store.refusals.first(where: { $0.record.id == id }) else { return "dropped: \(error)" }
      return "refused: \(words(of: refused, in: store))"
    case .confirmed(let record): return "saved \(record.revision): \(words(of: record, in: store))"
    case .pending, .rebased: return nil
    }
  }

  private static func words(of record: Record<AppState>, in store: Store<AppState>) -> String {
    var narrator = Narrator()
    narrator.learn(store.confirmed.state)
    narrator.learn(store.state)
    return narrator.tell(record)
  }

  private static func words(of refused: RefusedChange<AppState>, in store: Store<AppState>) -> String {
    "\(words(of: refused.record, in: store)): \(refused.code)" + (refused.reason.map { " (\($0))" } ?? "")
  }

  /// The description of a refused change.
  func words(of id: EntryID) -> String {
    store.refusals.first { $0.record.id == id }.map { Self.words(of: $0, in: store) } ?? "\(id)"
  }

  /// Shows the refused changes.
  func listRefusals() {
    for (place, refused) in store.refusals.enumerated() { console.show("\(place + 1)  \(Self.words(of: refused, in: store))") }
    console.show("-- \(store.refusals.count) refused")
  }

  /// Shows the list. Items that an unconfirmed change touches are marked.
  func list(_ link: Link?) {
    let (state, unconfirmed) = (store.state, store.unconfirmed)
    let touched = Set(unconfirmed.filter { !$0.isHidden }.flatMap { Self.items(of: $0.record) })
    for (place, item) in state.items.enumerated() {
      let priority = item.priority.map { "(\($0)) " } ?? ""
      console.show("\(place + 1) [\(item.completed ? "x" : " ")] \(priority)\(item.text)\(touched.contains(item.id) ? "  ~" : "")")
    }
    for change in unconfirmed where change.isHidden { console.show("  hidden: \(Self.words(of: change.record, in: store))") }
    console.show("-- \(state.items.count) items; \(link?.text ?? "not started")")
  }

  private static func items(of record: Record<AppState>) -> [UUID] {
    guard case .changes(let changes) = record.kind else { return [] }
    return changes.compactMap { change in
      switch change {
      case .add(.item(let item)): item.id
      case .item(let id, _): id
      default: nil
      }
    }
  }
}

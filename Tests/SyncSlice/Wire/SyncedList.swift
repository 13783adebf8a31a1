import AlterCore
import AlterJournal
import AlterStore
import AlterSyncCore
import Foundation
import SliceTodo

/// The list of `todo` as a server and a device's file hold it.
struct SyncedList: SyncState {
  var list: AppState

  init(initial: Data) { list = (try? JournalCoding.decode(from: initial)) ?? AppState() }

  mutating func apply(_ payload: Data, schema: Int, at stamp: Stamp) throws(PayloadError) {
    guard let changes = Self.changes(payload) else { throw .undecodable }
    do { list = try list.alter(changes, at: stamp) } catch { throw .refused("\(error)") }
  }

  /// The list that an app shows until its first contact with a server.
  static var welcome: SyncedList {
    var list = AppState()
    let item = TodoItem(id: UUID(uuidString: "00000000-0000-0000-0000-000000000001") ?? UUID(), text: "Welcome: this item explains the app")
    if let next = try? list.alter([.add(.item(item))]) { list = next }
    return SyncedList(list)
  }

  init(_ list: AppState) { self.list = list }

  /// The list as the payload of an initial entry.
  var data: Data { (try? JournalCoding.encode(list)) ?? Data() }

  static func changes(_ payload: Data) -> [AppState.Change]? { try? JournalCoding.decode(from: payload) }
}

extension Record<AppState> {
  /// A draft as a record.
  init(_ draft: Draft, at revision: Revision = .zero) {
    let content: Content =
      switch draft.content {
      case .changes(let payload): Content(SyncedList.changes(payload) ?? [])
      case .undo(let target): .undo([target])
      case .redo(let target): .redo([target])
      case .other: Content([])
      }
    self.init(
      revision: revision, id: draft.id, time: draft.time, scope: draft.scope, content: content,
      extra: RecordExtra(cause: draft.answers.map { Cause(answers: $0) }, retries: draft.retries))
  }

  /// The record as a draft.
  func draft(requires: EntryID?, schema: Int) throws -> Draft {
    let content: Draft.Content =
      switch kind {
      case .changes(let changes): .changes(try JournalCoding.encode(changes))
      case .undo(let targets): .undo(targets[0])
      case .redo(let targets): .redo(targets[0])
      case .initial, .reset: .other(.reset, Data())
      }
    return Draft(
      id: id, time: time, scope: scope, schema: schema, content: content, answers: cause?.answers, requires: requires,
      retries: extra?.retries)
  }
}

/// The rules of the shared list: Ann and Bob use it, and only Ann removes items.
struct ListPolicy: LedgerPolicy {
  static let principals = [Principal("ann"), Principal("bob")]

  func mayRead(_ principal: Principal) -> Bool { Self.principals.contains(principal) }
  func mayWrite(_ principal: Principal) -> Bool { Self.principals.contains(principal) }
  func grants(_ scope: UndoScope, to principal: Principal) -> Bool { true }

  func permit(_ principal: Principal, _ draft: Draft, in state: SyncedList, arrival: Int64) -> Permission {
    guard case .changes(let payload) = draft.content, principal.name != "ann" else { return .permitted }
    let removes = SyncedList.changes(payload)?.contains { if case .remove = $0 { true } else { false } } ?? false
    return removes ? .denied("only Ann removes items") : .permitted
  }
}

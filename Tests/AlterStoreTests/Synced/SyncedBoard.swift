import Alter
import AlterStore
import AlterSyncCore
import Foundation
import SyncModel

/// A board as a server and a device's file hold it: changes are a few bytes, so that a simulation makes many steps.
struct SyncedBoard: SyncState {
  var board: Board

  init(initial: Data) { board = Self.initial(initial) }
  init(_ bytes: StateBytes) { board = (try? JournalCoding.decode(from: bytes.payload)) ?? Board() }

  var bytes: StateBytes { StateBytes((try? JournalCoding.encode(board)) ?? Data(), schema: 1) }

  static func initial(_ payload: Data) -> Board {
    var board = Board()
    try? board.apply(.note("initial \(payload.map { String($0) }.joined())"), at: Stamp(time: 0, origin: .none, sequence: 0))
    return board
  }

  mutating func apply(_ payload: Data, schema: Int, at stamp: Stamp) throws(PayloadError) {
    guard let changes = Self.changes(payload) else { throw .undecodable }
    do { board = try board.alter(changes, at: stamp) } catch { throw .refused("\(error)") }
  }

  static func payload(_ changes: [Board.Change]) -> Data {
    func bytes(_ kind: UInt8, _ name: String = "", _ value: Int = 0) -> [UInt8] {
      [kind, name.utf8.first ?? 0, UInt8(value >> 8), UInt8(value & 255)]
    }
    return Data(
      changes.flatMap { change in
        switch change {
        case .put(let name, let value): bytes(0, name, value)
        case .add(let name, let value): bytes(1, name, value)
        case .take(let name): bytes(2, name)
        case .note(let text): bytes(3, "", Int(text) ?? 0)
        case .mark: bytes(4)
        }
      })
  }

  static func changes(_ payload: Data) -> [Board.Change]? {
    let bytes = Array(payload)
    guard bytes.count % 4 == 0 else { return nil }
    return stride(from: 0, to: bytes.count, by: 4).map { place in
      let name = String(UnicodeScalar(bytes[place + 1]))
      let value = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
      return switch bytes[place] {
      case 0: .put(name, value)
      case 1: .add(name, value)
      case 2: .take(name)
      case 3: .note(String(value))
      default: .mark
      }
    }
  }
}

extension Record<Board> {
  /// A draft as a record.
  init(_ draft: SyncDraft, at revision: Revision = .zero) {
    let content: Content =
      switch draft.content {
      case .changes(let payload): Content(SyncedBoard.changes(payload) ?? [])
      case .undo(let target): .undo([target])
      case .redo(let target): .redo([target])
      case .other: Content([])
      }
    self.init(
      revision: revision, id: draft.id, time: draft.time, scope: draft.scope, content: content,
      extra: RecordExtra(cause: draft.cause.isEmpty ? nil : draft.cause, retries: draft.retries))
  }

  /// The record as a draft.
  func draft(requires: EntryID? = nil, schema: Int = 1) -> SyncDraft {
    let content: SyncDraft.Content =
      switch content {
      case .change(let change): .changes(SyncedBoard.payload([change]))
      case .changes(let changes): .changes(SyncedBoard.payload(changes))
      case .undo(let targets): .undo(targets[0])
      case .redo(let targets): .redo(targets[0])
      case .initial, .reset: .other(.reset, Data())
      }
    var cause = cause ?? Cause()
    (cause.requires, cause.retries) = (requires, extra?.retries)
    return SyncDraft(id: id, time: time, scope: scope, schema: schema, content: content, cause: cause)
  }
}

import AlterCore
import AlterJournal
import AlterSyncCore
import Foundation

/// A transaction of a device's file, as a line of its log.
enum Transaction: Codable {
  case created(principal: String, schema: Int)
  case corrected(principal: String)
  case upgraded(schema: Int)
  case opened(Origin)
  case enqueued([WireDraft], retrying: [EntryID], as: [EntryID])
  case dismissed([EntryID])
  case page(WirePage)
  case snapshot(WireSnapshot)
}

/// A device's file, and the reasons of its refusals.
struct DeviceContents {
  private(set) var file: DeviceFile<SyncedList>
  private(set) var reasons: [EntryID: String] = [:]

  init(principal: String, schema: Int) {
    file = DeviceFile(Principal(principal), initial: SyncedList.welcome.data, schema: schema, window: 100)
  }

  /// Performs a transaction.
  ///
  /// - Returns: The engine's event, for an answer.
  @discardableResult
  mutating func perform(_ transaction: Transaction) -> Reply? {
    switch transaction {
    case .created(let principal, let schema): self = DeviceContents(principal: principal, schema: schema)
    case .corrected(let principal): _ = file.correct(Principal(principal))
    case .upgraded(let schema): file.upgrade(to: schema)
    case .opened(let origin): file.open(as: origin)
    case .enqueued(let drafts, let refused, let new):
      let retries = Dictionary(zip(new, refused), uniquingKeysWith: { first, _ in first })
      for draft in drafts.map(\.draft) where !file.outbox.ids.contains(draft.id) && file.mirror?[draft.id] == nil {
        if let old = retries[draft.id], file.retry(old, as: draft.id) != nil { continue }
        file.makeUnchecked(draft)
      }
    case .dismissed(let ids): for id in ids { file.dismiss(id) }
    case .page(let page):
      for reason in page.reasons { reasons[reason.id] = reason.text }
      return file.absorb(.page(page.page(after: file.mirror?.head)))
    case .snapshot(let snapshot): return file.absorb(.snapshot(snapshot.fetched))
    }
    return nil
  }
}

/// The log of a device's file: one line a transaction. A line is on the disk before its transaction has an effect.
struct DeviceLog {
  private let handle: FileHandle

  /// Reads the log of a file.
  ///
  /// - Returns: The contents of the file; nil if it is empty. A process that died while it wrote has left a part of a line, after the size.
  static func read(_ url: URL) throws -> (contents: DeviceContents?, size: Int) {
    let bytes = try Data(contentsOf: url)
    let end = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    var contents: DeviceContents?
    for line in bytes[..<end].split(separator: UInt8(ascii: "\n")) {
      let transaction = try JSONDecoder().decode(Transaction.self, from: line)
      if contents == nil { contents = DeviceContents(principal: "", schema: 1) }
      contents?.perform(transaction)
    }
    return (contents, end)
  }

  /// Opens the log of a principal, or creates it.
  static func open(_ url: URL, principal: String, schema: Int) throws -> (log: DeviceLog, contents: DeviceContents) {
    if !FileManager.default.fileExists(atPath: url.path) { try Data().write(to: url) }
    let (old, size) = try read(url)
    let log = DeviceLog(handle: try FileHandle(forUpdating: url))
    try log.handle.truncate(atOffset: UInt64(size))
    try log.handle.seekToEnd()
    var contents = old ?? DeviceContents(principal: principal, schema: schema)
    if old == nil { try log.append(.created(principal: principal, schema: schema)) }
    if contents.file.schema < schema {
      try log.append(.upgraded(schema: schema))
      contents.perform(.upgraded(schema: schema))
    }
    return (log, contents)
  }

  func append(_ transaction: Transaction) throws {
    try handle.write(contentsOf: JSONEncoder().encode(transaction) + Data("\n".utf8))
    try handle.synchronize()
  }
}

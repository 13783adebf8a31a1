import AlterCore
import AlterJournal
import AlterSyncCore
import Foundation

/// A draft as JSON.
struct WireDraft: Codable {
  private enum Kind: String, Codable { case changes, undo, redo }

  private let kind: Kind
  private let id: EntryID
  private let time: Int64
  private let scope: UndoScope
  private let schema: Int
  private let payload: String?
  private let target: EntryID?
  private let answers: EntryID?
  private let requires: EntryID?
  private let retries: EntryID?

  init(_ draft: Draft) {
    switch draft.content {
    case .changes(let payload): (kind, self.payload) = (.changes, String(decoding: payload, as: UTF8.self))
    case .undo: (kind, payload) = (.undo, nil)
    case .redo: (kind, payload) = (.redo, nil)
    case .other: preconditionFailure("A store makes no other drafts.")
    }
    (id, time, scope, schema, target) = (draft.id, draft.time, draft.scope, draft.schema, draft.target)
    (answers, requires, retries) = (draft.answers, draft.requires, draft.retries)
  }

  /// The draft. An undo without a target is read as a draft without changes.
  var draft: Draft {
    let content: Draft.Content =
      switch (kind, target) {
      case (.undo, let target?): .undo(target)
      case (.redo, let target?): .redo(target)
      default: .changes(Data((payload ?? "[]").utf8))
      }
    return Draft(
      id: id, time: time, scope: scope, schema: schema, content: content, answers: answers, requires: requires, retries: retries)
  }
}

/// A checksum as hexadecimal digits.
struct WireChecksum: Codable {
  let checksum: Checksum

  init(_ checksum: Checksum) { self.checksum = checksum }

  init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard text.utf8.count == 32, let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16) else {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "a checksum has 32 hexadecimal digits"))
    }
    checksum = Checksum(high: high, low: low)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(checksum.description)
  }
}

/// The head of a journal or of a mirror.
struct WireHead: Codable {
  private let journal: JournalID
  private let revision: Revision
  private let checksum: WireChecksum

  init(_ head: Head) { (journal, revision, checksum) = (head.journal, head.revision, WireChecksum(head.checksum)) }

  var head: Head { Head(journal: journal, revision: revision, checksum: checksum.checksum) }
}

/// An entry as JSON.
struct WireEntry: Codable {
  private struct Initial: Codable { let id: EntryID, state: String }
  private struct Refused: Codable { let id: EntryID, hash: WireChecksum, code: String, reason: String? }

  private let initial: Initial?
  private let draft: WireDraft?
  private let refused: Refused?
  private let author: UInt64?
  private let arrival: Int64?
  private let checksum: WireChecksum

  /// - Parameters:
  ///   - entry: The entry.
  ///   - reason: The reason of a refusal, for its author.
  init(_ entry: SyncEntry, reason: String? = nil) {
    var (initial, draft, refused): (Initial?, WireDraft?, Refused?) = (nil, nil, nil)
    switch entry.body {
    case .initial(let id, let state): initial = Initial(id: id, state: String(decoding: state, as: UTF8.self))
    case .draft(let accepted): draft = WireDraft(accepted)
    case .refused(let id, let hash, let code):
      refused = Refused(id: id, hash: WireChecksum(hash), code: code.rawValue, reason: reason)
    }
    (self.initial, self.draft, self.refused) = (initial, draft, refused)
    (author, arrival, checksum) = (entry.receipt?.author.bits, entry.receipt?.arrival, WireChecksum(entry.checksum))
  }

  /// The id and the reason of a refusal that has one.
  var reason: (id: EntryID, text: String)? { refused.flatMap { refused in refused.reason.map { (refused.id, $0) } } }

  /// The entry after a head. If its checksum is not the stated one, it is returned as damaged.
  func entry(after head: Head) -> SyncEntry {
    let body: SyncEntry.Body =
      if let draft {
        .draft(draft.draft)
      } else if let refused {
        .refused(refused.id, hash: refused.hash.checksum, RefusalCode(rawValue: refused.code) ?? .malformed)
      } else {
        .initial(initial?.id ?? EntryID(origin: .none, sequence: 0), Data((initial?.state ?? "").utf8))
      }
    let receipt = author.map { Receipt(author: Pseudonym(bits: $0), arrival: arrival ?? 0) }
    let entry = SyncEntry(body, receipt: receipt, after: head)
    return entry.checksum == checksum.checksum ? entry : entry.damaged()
  }
}

extension [WireEntry] {
  /// The entries after a head.
  func entries(after head: Head) -> [SyncEntry] {
    var head = head
    return map { wire in
      let entry = wire.entry(after: head)
      head = Head(journal: head.journal, revision: entry.revision, checksum: entry.checksum)
      return entry
    }
  }
}

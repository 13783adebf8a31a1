import AlterCore
package import AlterJournal
import AlterStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The timeline.
extension Inspection {
  /// The maximum number of entries in one answer.
  package static let pageLimit = 500

  /// The maximum length of a row's text, in UTF-8 bytes.
  static let textLimit = 500

  /// Returns the entries after a revision, oldest first.
  ///
  /// - Parameters:
  ///   - revision: The revision before the first returned one; 0 for the beginning.
  ///   - limit: The maximum number of entries, at most ``pageLimit``.
  /// - Throws: `JournalError` if they cannot be read.
  /// - Complexity: O(returned entries).
  package func entries(after revision: Int64, limit: Int) async throws -> Rows {
    let head = try await keeper.start().revision.number
    let start = max(keeper.floor, revision)
    guard start < head, limit > 0 else { return Rows(entries: [], revision: head, problem: nil) }
    let (told, problem) = try await rows(start + 1, through: min(head, start.saturatingAdding(Int64(min(limit, Self.pageLimit)))))
    return Rows(entries: told, revision: head, problem: problem)
  }

  /// Returns the entries before a revision, newest first.
  ///
  /// - Parameters:
  ///   - revision: The revision after the first returned one; nil to begin with the newest entry.
  ///   - limit: The maximum number of entries, at most ``pageLimit``.
  /// - Throws: `JournalError` if they cannot be read.
  /// - Complexity: O(returned entries).
  package func entries(before revision: Int64?, limit: Int) async throws -> Rows {
    let head = try await keeper.start().revision.number
    let end = min(head, (revision ?? .max).saturatingAdding(-1))
    let floor = keeper.floor
    guard end > floor, limit > 0 else { return Rows(entries: [], revision: head, problem: nil) }
    let (told, problem) = try await rows(max(floor + 1, end - Int64(min(limit, Self.pageLimit)) + 1), through: end)
    return Rows(entries: told.reversed(), revision: head, problem: problem)
  }

  /// Returns all details of one entry.
  ///
  /// - Parameter revision: The revision, from 1 to the head, and above the floor.
  /// - Throws: `JournalError`: `noSuchRevision`, `damaged`, or another error of the journal.
  package func detail(_ revision: Int64) async throws -> Detail {
    let head = try await keeper.start().revision
    guard revision >= 1, revision <= head.number else { throw JournalError.noSuchRevision(journal.name, Revision(revision), head: head) }
    guard let entry = try await journal.entries(after: Revision(revision - 1), limit: 1).first else {
      throw JournalError.damaged(journal.name, at: Revision(revision), "the entry is missing")
    }
    let row = try await rows([entry], awaitingSuppressed: true)[0]
    let answered = cause(of: entry.draft)?.answers
    let (answers, taker) = try await keeper.look { ($0.answers(to: entry.id), $0.taker(of: entry.id, at: revision, answering: answered)) }
    return Detail(
      row: row, payload: shownPayload(of: entry.draft), causeMetadata: row.cause?.metadata ?? [:], checksum: entry.checksum.description,
      size: entry.size, schema: entry.schema, answers: answers, takesBack: row.targets, takenBackBy: taker, isSuppressed: row.suppressed,
      raw: shownJSON(of: entry).description)
  }

  // MARK: Search

  /// A filter for entries. An entry must satisfy all conditions.
  package struct Query: Sendable, Hashable {
    /// A text in the change, the cause or the origin, compared without case; empty for any entry.
    package var text = ""
    /// The accepted kinds; empty for all.
    package var kinds: Set<Entry.Kind> = []
    /// The beginning of the origin's id; empty for any.
    package var origin = ""
    /// The undo scope; nil for any.
    package var scope: String?
    /// The earliest time, inclusive, in microseconds since 1970 UTC; nil for no bound.
    package var from: Int64?
    /// The latest time, inclusive, in microseconds since 1970 UTC; nil for no bound.
    package var to: Int64?
    /// Whether the entry is undone; nil for both.
    package var undone: Bool?

    /// Creates a filter that accepts every entry.
    package init() {}

    /// Whether the filter accepts every entry.
    package var isEmpty: Bool { self == Query() }

    func matches(_ entry: Entry) -> Bool {
      (kinds.isEmpty || kinds.contains(entry.kind)) && (origin.isEmpty || entry.id.origin.text.hasPrefix(origin.lowercased()))
        && (scope == nil || scope == entry.scope.description) && entry.time >= from ?? .min && entry.time <= to ?? .max
    }
  }

  /// Searches for entries backwards, for a limited time.
  ///
  /// - Parameters:
  ///   - query: The filter.
  ///   - revision: The revision after the first examined one; nil to begin with the newest entry.
  ///   - limit: The maximum number of entries to find, at most ``pageLimit``.
  ///   - duration: The time after which the search stops. It finishes its current page first.
  /// - Returns: The entries that were found, and the position at which to continue.
  /// - Throws: `JournalError` if the journal cannot be read.
  package func search(
    _ query: Query, before revision: Int64? = nil, limit: Int = 100, lasting duration: Duration = .milliseconds(100)
  ) async throws -> Found {
    let head = try await keeper.start().revision.number
    var end = min(head, (revision ?? .max).saturatingAdding(-1))
    let limit = max(1, min(limit, Self.pageLimit))
    let deadline = ContinuousClock.now + duration
    var needle = TextNeedle(query.text)
    var found: [Row] = []
    var searched = 0
    var pageSize: Int64 = 200
    repeat {
      let floor = keeper.floor
      guard end > floor else { return Found(entries: found, next: nil, searched: searched) }
      let first = max(floor + 1, end - pageSize + 1)
      var rows: [Row] = []
      try await journal.eachPage(first, through: end) { page in
        searched += page.entries.count
        let matching = page.entries.filter { entry in
          query.matches(entry) && needle.mayBe(in: entry) && (needle.isEmpty || needle.isFound(in: searchedText(of: entry)))
        }
        rows += try await self.rows(matching)
      }
      rows.reverse()
      if let undone = query.undone { rows.removeAll { $0.undone != undone } }
      if found.count + rows.count >= limit {
        found += rows.prefix(limit - found.count)
        // The next search begins with the entries that exceed the limit of this one.
        let last = found[limit - 1].revision
        searched -= Int(last - first)
        return Found(entries: found, next: last > floor + 1 ? last : nil, searched: searched)
      }
      found += rows
      end = first - 1
      pageSize = min(pageSize * 2, 5_000)
    } while ContinuousClock.now < deadline && !Task.isCancelled
    return Found(entries: found, next: end > keeper.floor ? end + 1 : nil, searched: searched)
  }

  /// The texts of an entry that a search compares.
  private func searchedText(of entry: Entry) -> [String] {
    var texts = [text(of: entry.draft, limit: .max), entry.id.origin.text]
    if let cause = cause(of: entry.draft) {
      if let feedback = cause.feedback { texts.append(feedback) }
      for (key, value) in hiding.apply(to: cause.metadata ?? [:]) { texts += [key, value] }
    }
    return texts
  }

  // MARK: Rows

  /// Converts a range of entries to rows. Only one page of entries is in memory at a time.
  private func rows(_ first: Int64, through last: Int64) async throws -> (rows: [Row], problem: String?) {
    var rows: [Row] = []
    var problem: String?
    try await journal.eachPage(first, through: last) { page in
      rows += try await self.rows(page.entries)
      problem = problem ?? page.problems.first?.message
    }
    return (rows, problem)
  }

  /// Converts entries to rows.
  ///
  /// - Parameter isAwaited: Whether to wait until the refused entries are known. For a long journal without snapshots this takes seconds.
  func rows(_ entries: [Entry], awaitingSuppressed isAwaited: Bool = false) async throws -> [Row] {
    guard !entries.isEmpty else { return [] }
    if isPatient.withLock({ $0 }) { try await keeper.cover(min(entries[0].revision.number, entries[entries.count - 1].revision.number)) }
    let suppressed = await suppressed(isAwaited: isAwaited || isPatient.withLock { $0 })
    let (reasons, principals) = (try await reasons(of: entries), try await principals(of: entries))
    var rows: [Row] = []
    rows.reserveCapacity(entries.count)
    for entry in entries { rows.append(try await row(entry, suppressed, reasons, principals)) }
    return rows
  }

  /// The entries that the state refuses: the last known answer, unless the caller waits for the present one.
  private func suppressed(isAwaited: Bool) async -> Suppressed? {
    guard let types else { return nil }
    if isAwaited {
      guard let now = try? await types.suppressed() else { return known.withLock { $0 } }
      known.withLock { $0 = now }
      return now
    }
    Task { [known] in if let now = try? await types.suppressed() { known.withLock { $0 = now } } }
    return known.withLock { $0 }
  }

  private func row(
    _ entry: Entry, _ suppressed: Suppressed?, _ reasons: [EntryID: String], _ principals: [Origin: String]
  ) async throws -> Row {
    let cause = cause(of: entry.draft)
    let shown = try await shownCause(cause)
    let targets = try await references(to: Self.targets(of: entry.draft))
    let isUndone =
      keeper.peek { $0.taker(of: entry.id, at: entry.revision.number, answering: cause?.answers) != nil } ?? false
    let isSuppressed = suppressed?.contains(entry.revision)
    return Row(
      revision: entry.revision.number, time: entry.time, origin: entry.id.origin.text, sequence: entry.id.sequence, kind: entry.kind,
      scope: entry.scope.description, text: text(of: entry.draft, targets: targets, limit: Self.textLimit),
      changes: Self.changes(in: entry.draft), cause: shown, undone: isUndone, suppressed: isSuppressed,
      targets: targets.compactMap(\.revision),
      receipt: entry.receipt.map {
        Row.ServerNote(author: $0.author.description, arrival: $0.arrival, principal: principals[entry.id.origin])
      },
      refusal: entry.refusal.map { Row.Refusal(code: $0.code, hash: $0.hash.description, reason: reasons[entry.id]) })
  }

  /// The number of changes in a draft; 0 for other kinds.
  static func changes(in draft: Entry.Draft) -> Int {
    draft.kind == .changes ? (try? JSONValue(parsing: draft.payload))?.values?.count ?? 0 : 0
  }

  /// The recorded cause without hidden values, and with revisions instead of ids.
  func shownCause(_ cause: Cause?) async throws -> Row.Cause? {
    guard let cause else { return nil }
    let metadata = hiding.apply(to: cause.metadata ?? [:])
    return Row.Cause(
      answers: try await place(of: cause.answers ?? cause.asking), feedback: cause.feedback, metadata: metadata.isEmpty ? nil : metadata,
      requires: try await reference(to: cause.requires), retries: try await reference(to: cause.retries))
  }

  /// The names of entries, with the revisions of those that the journal has.
  func references(to ids: [EntryID]) async throws -> [Reference] {
    var references: [Reference] = []
    for id in ids { if let reference = try await reference(to: id) { references.append(reference) } }
    return references
  }

  private func reference(to id: EntryID?) async throws -> Reference? {
    guard let id else { return nil }
    return Reference(origin: id.origin.text, sequence: id.sequence, revision: try await place(of: id))
  }

  private func place(of id: EntryID?) async throws -> Int64? {
    guard let id else { return nil }
    if let known = keeper.peek({ $0.revision(of: id) }), let known { return known }
    return try? await journal.entry(id)?.revision.number
  }

  static func targets(of draft: Entry.Draft) -> [EntryID] {
    guard draft.kind == .undo || draft.kind == .redo else { return [] }
    return (try? JournalCoding.decode(Entry.Targets.self, from: draft.payload))?.targets ?? []
  }

  func cause(of draft: Entry.Draft) -> Cause? { draft.cause.flatMap { try? JournalCoding.decode(Cause.self, from: $0) } }

  /// The content of an entry or a draft as text.
  func text(of draft: Entry.Draft, targets: [Reference] = [], limit: Int) -> String {
    switch draft.kind {
    case .undo, .redo:
      "\(draft.kind.rawValue) of " + (targets.isEmpty ? "an entry that was not found" : targets.map(\.description).joined(separator: ", "))
    case .changes:
      (try? JSONValue(parsing: draft.payload)).map {
        ChangeText.changes(hiding.apply(to: $0), of: types?.changes(draft) ?? [], limit: limit)
      } ?? Self.unreadable
    case .initial, .reset:
      (try? JSONValue(parsing: draft.payload)).map { ChangeText.value(hiding.apply(to: $0), limit: limit) } ?? Self.unreadable
    case .refused: (try? JournalCoding.decode(Entry.Refusal.self, from: draft.payload))?.code ?? Self.unreadable
    }
  }

  private static let unreadable = "(not JSON)"

  /// The payload without hidden values.
  func shownPayload(of draft: Entry.Draft) -> JSONValue {
    let value = try? JSONValue(parsing: draft.payload)
    // The targets of an undo or redo, and the verdict of a refusal, are never hidden.
    if draft.kind == .undo || draft.kind == .redo || draft.kind == .refused, let value { return value }
    guard let value else {
      return hiding.isEmpty ? .string(String(decoding: draft.payload, as: UTF8.self)) : .string(Hiding.mark)
    }
    return hiding.apply(to: value)
  }

  /// The state at a floor as in a line of an export, without hidden values.
  func shownJSON(of floor: Snapshot) -> JSONValue {
    guard !hiding.isEmpty, case .object(var members) = ExportLine.object(floor) else { return ExportLine.object(floor) }
    for key in ["payload", "payloadText", "payloadBase64"] { members[key] = nil }
    members["payload"] = shownPayload(
      of: Entry.Draft(kind: .initial, id: EntryID(origin: .none, sequence: 0), time: 0, payload: floor.payload))
    return .object(members)
  }

  /// The entry as in a line of an export, without hidden values.
  func shownJSON(of entry: Entry) -> JSONValue {
    guard !hiding.isEmpty, case .object(var members) = entry.wholeJSON else { return entry.wholeJSON }
    for key in ["payload", "payloadText", "payloadBase64", "cause", "causeText", "causeBase64"] { members[key] = nil }
    members["payload"] = shownPayload(of: entry.draft)
    if var cause = entry.draft.cause.flatMap({ try? JSONValue(parsing: $0) }) {
      if let metadata = cause["metadata"] { cause["metadata"] = hiding.apply(to: metadata) }
      members["cause"] = cause
    }
    return .object(members)
  }
}

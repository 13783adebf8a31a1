import AlterCore
import AlterJournal
import AlterStore
import AlterSyncCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The reading part of a server: places, pages and floors.
extension JournalServer {
  /// Returns the answer to a device that cannot continue from where its mirror is; nil if it can.
  func problem(with request: Request, at position: ServerPosition) async throws(JournalError) -> Answer? {
    // The database was restored from a backup that is older than the device's generation.
    if let generation = request.generation, !position.lineage.knows(generation) { return .diverged(position.lineage) }
    // A new device fetches a snapshot first, if there may be one.
    guard let device = request.position else { return try await mayBegin(after: start(of: position), at: position) ? .gone : nil }
    guard device.revision >= position.floor.revision else { return .gone }
    guard device.revision <= position.head.revision, device.journal == position.head.journal else { return .diverged(position.lineage) }
    guard try await head(at: device.revision, position) == device else { return .diverged(position.lineage) }
    // The journal may have been restored: its undo window may reach below the device's floor.
    return try await isSettled(request.floor, at: position) ? nil : .gone
  }

  /// The revision of the floor of a mirror that begins now. No undo reaches the initial entry, so a whole journal begins after it.
  func start(of position: ServerPosition) -> Revision { max(position.floor.revision, 1) }

  private func head(at revision: Revision, _ position: ServerPosition) async throws(JournalError) -> Head? {
    if revision == position.head.revision { return position.head }
    if revision == position.floor.revision { return position.floor }
    if let head = recent.head(at: position.head.revision, of: position.head.journal), head == position.head,
      let known = recent.head(at: revision, of: head.journal)
    {
      return known
    }
    return try await journal.head(at: revision, of: position.head.journal)
  }

  /// Returns the entries after a device's head, up to a position, with the reasons of the principal's own refusals.
  func page(for request: Request, by principal: Principal, at position: ServerPosition) async throws(JournalError) -> Page {
    var page = Page(position.head.journal, position.lineage)
    page.head = position.head
    let limits = options.limits
    let start = request.position?.revision ?? .zero
    guard start < position.head.revision else { return page }
    if let known = recent.entries(after: start, to: position.head, limits: limits) {
      (page.entries, page.written.lines) = (Array(known.entries), known.lines)
    } else {
      let entries = try await journal.entries(after: start, limit: min(limits.entriesPerPage, position.head.revision - start))
      var bytes: Int64 = 0
      for entry in entries {
        bytes = bytes.saturatingAdding(entry.size)
        guard bytes <= limits.bytesPerPage || page.entries.isEmpty else { break }
        do { page.entries.append(try SyncEntry(entry)) } catch {
          throw .damaged(journal.name, at: entry.revision, "it is not what its kind requires: \(JournalCoding.explain(error))")
        }
      }
      // The next devices ask for the same end.
      if let first = page.entries.first, let last = page.entries.last, last.revision == position.head.revision,
        last.checksum == position.head.checksum,
        first.revision == start.next, let device = request.position, recent.isBehind(position.head)
      {
        recent.add(page.entries, from: device, to: position.head)
      }
    }
    let author = principal.pseudonym(key: options.secret)
    let refused = page.entries.filter { $0.stored.kind == .refused && $0.receipt?.author == author }.map(\.id)
    if !refused.isEmpty { page.reasons = try await journal.reasons(of: refused) }
    return page
  }

  /// Returns a page without verdicts and entries: the journal, its lineage and its head.
  func emptyPage() async throws(JournalError) -> Page {
    let position = try await journal.position()
    var page = Page(position.head.journal, position.lineage)
    page.head = position.head
    return page
  }

  /// Returns the start of a new mirror, and the verdicts on the device's undecided drafts.
  func fetch(_ ids: [EntryID], for request: Request) async throws(JournalError) -> Fetched {
    for _ in 0..<options.attempts {
      let position = try await journal.position()
      guard let lines = try await verdicts(on: ids, at: position), let floor = try await floor(for: request, at: position)
      else { continue }
      return Fetched(position.lineage, floor: floor, lines: lines)
    }
    throw JournalError(
      .unavailable, journal: journal.name, message: "was compacted or restored again and again, so it could not be read. Try again.")
  }

  /// The verdicts on drafts, which are read in parts: a look-up reads whole entries, and a device may ask for all of its own.
  ///
  /// - Returns: nil if the journal has begun another generation, or after another floor, meanwhile. New entries do no harm.
  private func verdicts(on ids: [EntryID], at position: ServerPosition) async throws(JournalError) -> [VerdictLine]? {
    var (lines, rest) = ([VerdictLine](), ids[...])
    while !rest.isEmpty {
      let part = rest.prefix(max(1, options.limits.draftsPerPush))
      rest = rest.dropFirst(part.count)
      var questions = ServerQuestions()
      questions.ids = Set(part)
      let facts = try await journal.facts(about: questions)
      guard facts.position.lineage == position.lineage, facts.position.floor == position.floor else { return nil }
      for id in part {
        guard let known = facts.standings[id] else { continue }
        let standing = Standing(known)
        lines.append(VerdictLine(id: id, hash: standing.hash, verdict: standing.verdict))
      }
    }
    return lines
  }

  /// The newest snapshot at which the device's mirror can begin; otherwise the start of the journal.
  ///
  /// - Returns: nil if the journal begins after another floor meanwhile.
  private func floor(for request: Request, at position: ServerPosition) async throws(JournalError) -> Floor? {
    // After a restart of the journal a device begins at the start: it lists those of its changes as lost that the journal does not have.
    // A device whose own floor is not settled begins again at an earlier one: it would keep its mirror at any later floor.
    if let schemas = request.schemas, request.generation == nil || request.generation == position.lineage.generation {
      let isSettled = if request.generation == nil { true } else { try await isSettled(request.floor, at: position) }
      let limit = isSettled ? Revision(.max) : request.floor
      if let floor = try await newestFloor(in: schemas, below: limit, at: position) { return floor }
    }
    return try await startFloor(at: position)
  }

  private func startFloor(at position: ServerPosition) async throws(JournalError) -> Floor? {
    if position.floor.revision > .zero {
      guard let snapshot = try await journal.snapshot(at: position.floor.revision), snapshot.isSound else {
        guard try await journal.position().floor == position.floor else { return nil }
        throw .damaged(journal.name, at: position.floor.revision, "the state at its floor is missing or damaged")
      }
      return Floor(head: position.floor, state: StateBytes(snapshot.payload, schema: snapshot.schema))
    }
    guard let entry = try await journal.entries(after: .zero, limit: 1).first, entry.kind == .initial else {
      throw JournalError(
        .failed, journal: journal.name, message: "is served, but has no initial state yet. Open a store on it before it is served.")
    }
    return Floor(
      head: Head(journal: position.head.journal, revision: entry.revision, checksum: entry.checksum),
      state: StateBytes(entry.payload, schema: entry.schema))
  }
}

import AlterCore
package import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The part of a journal in sync: its role, and the lists of a device's file.
extension Inspection {
  /// Returns the journal's role in sync, with the lists of a device's file; nil for a journal that only its writers decide.
  ///
  /// Damage of this part is in ``SyncPart/problem``, so that the entries can be inspected.
  ///
  /// - Throws: `JournalError` if the journal cannot be read.
  /// - Complexity: O(drafts of a device's outbox).
  package func syncPart() async throws -> SyncPart? {
    let role: JournalRole
    do throws(JournalError) { role = try await journal.role() } catch {
      guard error.code == .damaged else { throw error }
      return SyncPart(role: .plain, generation: nil, former: 0, accepts: nil, device: nil, problem: error.description)
    }
    do throws(JournalError) {
      switch role {
      case .plain: return nil
      case .server:
        let position = try await journal.capabilities.server?.position()
        return SyncPart(
          role: role, generation: position?.lineage.generation.description, former: position?.lineage.former.count ?? 0,
          accepts: position?.schema, device: nil, problem: nil)
      case .mirror:
        let report = try await journal.capabilities.device?.device()
        return SyncPart(
          role: role, generation: report?.generation?.description, former: report?.former ?? 0, accepts: nil,
          device: report.map(SyncPart.Device.init), problem: nil)
      }
    } catch {
      guard error.code == .damaged else { throw error }
      return SyncPart(role: role, generation: nil, former: 0, accepts: nil, device: nil, problem: error.description)
    }
  }

  /// Returns a page of the drafts in a list of a device's file, in order.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - place: The place after which the page begins; nil for the first page.
  ///   - limit: The maximum number of drafts, at most ``pageLimit``.
  /// - Throws: ``InspectionError`` `notFound` if the journal is no device's copy; `JournalError` if it cannot be read.
  package func drafts(in list: DeviceList, after place: Int64? = nil, limit: Int = pageLimit) async throws -> Drafts {
    let (device, report) = try await device()
    let limit = max(0, min(limit, Self.pageLimit))
    let page = try await device.drafts(in: list, after: place, limit: limit + 1)
    var lines: [DraftLine] = []
    for draft in page.prefix(limit) { lines.append(try await line(draft)) }
    return Drafts(drafts: lines, next: page.count > limit ? lines.last?.place : nil, count: report.counts[list] ?? 0)
  }

  /// Returns a page of the verdicts on own drafts that have no entry in a device's file, by origin and sequence.
  ///
  /// - Parameters:
  ///   - offset: The number of ranges to skip.
  ///   - limit: The maximum number of ranges, at most ``pageLimit``.
  /// - Throws: ``InspectionError`` `notFound` if the journal is no device's copy; `JournalError` if it cannot be read.
  package func verdicts(skipping offset: Int = 0, limit: Int = pageLimit) async throws -> Verdicts {
    let (device, report) = try await device()
    let ranges = try await device.verdicts(skipping: offset, limit: max(0, min(limit, Self.pageLimit)))
    return Verdicts(
      verdicts: ranges.map {
        VerdictLine(
          origin: $0.origin.text, first: $0.sequences.lowerBound, last: $0.sequences.upperBound, verdict: $0.verdict,
          revision: $0.revision?.number)
      }, count: report.verdicts)
  }

  /// The journal as a device's file, with its numbers.
  private func device() async throws -> (journal: any DeviceJournal, report: DeviceReport) {
    guard let device = journal.capabilities.device, let report = try await device.device() else {
      let reason =
        switch try await journal.role() {
        case .server: "a server decides it"
        case .plain, .mirror: "it is not synced"
        }
      throw InspectionError(
        .notFound, "Journal '\(journal.name)' has no outbox: \(reason). Only a device's copy of a server's journal has one.")
    }
    // Undos name entries, whose revisions the index knows.
    try await keeper.start()
    return (device, report)
  }

  private func line(_ item: ListedDraft) async throws -> DraftLine {
    guard let draft = item.draft else {
      return DraftLine(
        place: item.place, origin: "", sequence: 0, time: 0, kind: .changes, scope: "", schema: 0, text: "", changes: 0, cause: nil,
        payload: .null, hash: "", verdict: item.verdict, revision: item.revision?.number, reason: shown(item.reason), problem: item.problem)
    }
    let targets = try await references(to: Self.targets(of: draft))
    return DraftLine(
      place: item.place, origin: draft.id.origin.text, sequence: draft.id.sequence, time: draft.time, kind: draft.kind,
      scope: draft.scope.description, schema: draft.schema, text: text(of: draft, targets: targets, limit: Self.textLimit),
      changes: Self.changes(in: draft), cause: try await shownCause(cause(of: draft)), payload: shownPayload(of: draft),
      hash: draft.hash.description, verdict: item.verdict, revision: item.revision?.number, reason: shown(item.reason),
      problem: item.problem)
  }

  /// The names of the users who have sent entries, if the journal is a server's.
  func principals(of entries: [Entry]) async throws -> [Origin: String] {
    guard let server = journal.capabilities.server, entries.contains(where: { $0.receipt != nil }), try await journal.role() == .server
    else {
      return [:]
    }
    var questions = ServerQuestions()
    questions.origins = Set(entries.lazy.filter { $0.receipt != nil }.map(\.id.origin))
    do throws(JournalError) { return try await server.facts(about: questions).origins.compactMapValues { shown($0.principal) } } catch {
      // A role of the database that may only read entries does not learn the users.
      guard error.code == .unreachable else { throw error }
      return [:]
    }
  }

  /// The server's explanations of the refusals among entries, if the journal has them.
  func reasons(of entries: [Entry]) async throws -> [EntryID: String] {
    let refused = entries.filter { $0.kind == .refused }.map(\.id)
    guard !refused.isEmpty, let server = journal.capabilities.server else { return [:] }
    return try await server.reasons(of: refused).compactMapValues(shown)
  }

  /// A text without keys, which may contain a value that must be hidden.
  private func shown(_ text: String?) -> String? { text.map { hiding.isEmpty ? $0 : Hiding.mark } }
}

extension SyncPart.Device {
  fileprivate init(_ report: DeviceReport) {
    self.init(
      principal: report.principal, drafts: report.counts[.outbox] ?? 0, decided: report.decided, refusals: report.counts[.refusals] ?? 0,
      awaited: report.counts[.awaited] ?? 0, verdicts: report.verdicts, origins: report.origins, transactions: report.moment.transactions)
  }
}

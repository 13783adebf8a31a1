import AlterCore
package import AlterJournal

// The way of one change from the device that made it to all others.
extension Inspection {
  /// The beginning of an origin's id, and the number of a change at that origin: '1f0c9a3e#7'.
  package struct TracedID: Sendable, Hashable {
    /// The first characters of the origin's text, in lower case.
    package let origin: String
    /// The number.
    package let sequence: Int64

    /// Parses an id. Returns nil if the text has another form, or fewer than four digits of the origin.
    package init?(_ text: String) {
      let parts = text.split(separator: "#", omittingEmptySubsequences: false)
      guard parts.count == 2, let sequence = Int64(parts[1]), sequence > 0, (4...36).contains(parts[0].utf8.count),
        parts[0].utf8.allSatisfy({ $0 == UInt8(ascii: "-") || Character(UnicodeScalar($0)).isHexDigit })
      else { return nil }
      (origin, self.sequence) = (parts[0].lowercased(), sequence)
    }
  }

  /// Returns the origins in this journal whose text begins as an id does, and that have a change of its number here: as an entry, or on the
  /// device that made it.
  ///
  /// - Throws: `JournalError` if the journal cannot be read.
  /// - Complexity: O(entries), in pages; O(1) pages for a whole origin.
  package func origins(of id: TracedID) async throws -> Set<Origin> {
    var candidates: Set<Origin> = []
    if let whole = Origin(text: id.origin) {
      candidates = [whole]
    } else {
      try await keeper.cover(1)
      candidates = Set(keeper.peek { $0.origins } ?? [])
      if let device = journal.capabilities.device { candidates.formUnion(try await device.origins()) }
      candidates = candidates.filter { $0.text.hasPrefix(id.origin) }
    }
    var found: Set<Origin> = []
    for origin in candidates where try await trace(EntryID(origin: origin, sequence: id.sequence)).place != .absent { found.insert(origin) }
    return found
  }

  /// Returns the entry, the verdict and the listing of one change in this journal.
  ///
  /// - Throws: `JournalError` if the journal cannot be read.
  /// - Complexity: O(drafts of a device's lists + log(entries)).
  package func trace(_ id: EntryID) async throws -> Trace {
    let head = try await keeper.start()
    let part = try await syncPart()
    var trace = Trace(
      journal: journal.name, id: head.journal.description, role: part?.role ?? .plain, user: part?.device?.principal, isMaker: false,
      place: .absent, retries: [], head: head.revision.number, floor: keeper.floor, problem: part?.problem)
    if let device = journal.capabilities.device, part?.device != nil {
      trace.isMaker = try await device.origins().contains(id.origin)
      for list in DeviceList.allCases { try await look(for: id, in: list, &trace) }
      if trace.place == .absent { try await lookForVerdict(of: id, in: device, &trace) }
    }
    // An entry is nearer to the others than a draft or a verdict is.
    if let entry = try await journal.entry(id) { try await take(entry, &trace) }
    return trace
  }

  private func look(for id: EntryID, in list: DeviceList, _ trace: inout Trace) async throws {
    var place: Int64?
    var number = 0
    repeat {
      let page = try await drafts(in: list, after: place)
      for draft in page.drafts {
        number += 1
        if let first = draft.cause?.retries, first.origin == id.origin.text, first.sequence == id.sequence {
          trace.retries.append(Reference(origin: draft.origin, sequence: draft.sequence, revision: draft.revision))
        }
        guard trace.place == .absent, draft.origin == id.origin.text, draft.sequence == id.sequence else { continue }
        trace.place = Self.place(of: list)
        trace.number = list == .outbox ? number : nil
        trace.verdict = list == .awaited ? "accepted" : draft.verdict
        (trace.revision, trace.reason, trace.time, trace.text) = (draft.revision, draft.reason, draft.time, draft.text)
      }
      place = page.next
    } while place != nil
  }

  private static func place(of list: DeviceList) -> Trace.Place {
    switch list {
    case .outbox: .outbox
    case .refusals: .refusals
    case .awaited: .awaited
    }
  }

  private func lookForVerdict(of id: EntryID, in device: any DeviceJournal, _ trace: inout Trace) async throws {
    if let verdict = try await device.verdict(on: id) {
      (trace.place, trace.verdict, trace.revision) = (.verdict, verdict.verdict, verdict.revision?.number)
      return
    }
  }

  private func take(_ entry: Entry, _ trace: inout Trace) async throws {
    guard let row = try await rows([entry]).first else { return }
    trace.revision = row.revision
    trace.receipt = row.receipt
    if let refusal = row.refusal {
      // The device that made it has the change and the reason in its list.
      if trace.place != .refusals { trace.place = .refusal }
      (trace.verdict, trace.reason) = (refusal.code, trace.reason ?? refusal.reason)
      return
    }
    (trace.place, trace.number) = (.entry, nil)
    trace.verdict = trace.role == .plain ? nil : "accepted"
    (trace.time, trace.text) = (row.time, row.text)
    if row.undone { trace.undoneBy = try await detail(row.revision).takenBackBy }
  }
}

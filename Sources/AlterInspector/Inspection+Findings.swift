import AlterCore
import AlterJournal

// The parts of an undamaged journal that can't be read.
extension Inspection {
  /// The largest number of findings.
  private static let most = 1_000

  /// Reads all entries, the state at the floor and the snapshots. Writers check what they write, but older ones did not, and other programs may not.
  func findings(through head: Head, floor: Int64) async throws -> [Verification.Finding] {
    var findings: [Verification.Finding] = []
    if floor > 0, let state = try await journal.snapshot(at: Revision(floor)), let why = problem(of: state) {
      findings.append(
        .init(
          part: .floor, at: floor,
          problem: """
            The state at the floor, revision \(floor), can't be read: \(why). The entries before it are gone. Restore a backup from before the \
            compaction.
            """))
    }
    guard head.revision.number > floor else { return findings }
    try await journal.readVerified(after: try await journal.floor(), through: head.revision) { entry throws(JournalError) in
      guard findings.count < Self.most, let why = problem(of: entry) else { return }
      let revision = entry.revision
      findings.append(
        .init(
          part: .entry, at: revision.number,
          problem: """
            The entry at revision \(revision) can't be read: \(why). Its checksum matches, so it was written like this. A store opens only from a \
            snapshot after it. Restore a backup from before it; or make a backup, and compact the journal to a snapshot after it (`alter compact`).
            """))
    }
    return findings + (try await snapshotFindings(through: head.revision, floor: floor)).prefix(Self.most - findings.count)
  }

  private func snapshotFindings(through head: Revision, floor: Int64) async throws -> [Verification.Finding] {
    var findings: [Verification.Finding] = []
    var newest = head
    while newest.number > floor {
      let places = try await journal.snapshots(upTo: newest, limit: 64)
      for place in places where place.revision.number > floor {
        guard let snapshot = try await journal.snapshot(at: place.revision), let why = problem(of: snapshot) else { continue }
        findings.append(
          .init(
            part: .snapshot, at: place.revision.number,
            problem: """
              The snapshot at revision \(place.revision) can't be read: \(why). It is only a copy of a state, so nothing is lost, and stores ignore \
              it. The next store that meets it removes it.
              """))
      }
      guard let oldest = places.last else { break }
      newest = oldest.revision.previous
    }
    return findings.reversed()
  }

  private func problem(of entry: Entry) -> String? {
    guard entry.kind != .refused else { return nil }
    do throws(JSONValue.ParsingError) {
      _ = try entry.json()
      if let cause = entry.draft.cause { _ = try JSONValue(parsing: cause) }
    } catch { return "\(error)" }
    if entry.kind == .undo || entry.kind == .redo, entry.draft.targets == nil { return "it does not name the entries that it reverts" }
    return types?.entryProblem(entry)
  }

  private func problem(of snapshot: Snapshot) -> String? {
    guard snapshot.isSound else { return "its checksum does not match its content" }
    do { _ = try JSONValue(parsing: snapshot.payload) } catch { return "\(error)" }
    return types?.snapshotProblem(snapshot)
  }
}

import AlterJournal
import AlterSyncCore

/// The faults of a schedule.
enum Fault: String, Hashable, CaseIterable {
  /// A request or an answer is lost.
  case loss
  /// A request arrives twice.
  case duplication
  /// A device gives a request up that then arrives, after later ones.
  case reordering
  /// A process of a device dies, between two transactions or during one.
  case deviceCrash
  /// A process of the server dies, and with it a decision before its commit.
  case serverCrash
  /// A device's file is copied, and the copy is used in parallel.
  case fileCopy
  /// The database is replaced by an earlier state.
  case restore
  /// The journal is compacted.
  case floor
  /// A device compacts its copy of the journal.
  case deviceFloor
  /// A device's app, or the server's schema, is upgraded before the others.
  case schemaSkew
  // The random schedules alone:
  /// The body of an answer ends early.
  case cutBody
  /// The policy's database is down for a while.
  case policyDown
  /// A principal loses a permission for a while.
  case revocation
  /// A token expires.
  case expiredToken
  /// The server is busy, or answers something else.
  case badAnswer
  /// The stream ends.
  case streamEnd
  /// A virtual machine is cloned with its live origin.
  case liveClone
  /// The app is suspended, or the lock is lost.
  case interruption

  /// The faults of the exhaustive schedules.
  static let small: [Fault] = [
    .loss, .duplication, .reordering, .deviceCrash, .serverCrash, .fileCopy, .restore, .floor, .deviceFloor, .schemaSkew,
  ]
}

/// A phase of the engine and an event.
struct Cell: Hashable, CustomStringConvertible {
  let phase: EnginePhase
  let event: EngineEvent.Kind

  /// The cells that a correct shell can reach.
  static let legal: [Cell] = EnginePhase.allCases.flatMap { phase in
    EngineEvent.Kind.allCases.compactMap { event in
      if case .illegal = EngineTable.cell(phase, event) { nil } else { Cell(phase: phase, event: event) }
    }
  }

  /// The legal cells that the small worlds reach. The others are ruled out there: no small world suspends, closes or nudges an app, loses a
  /// lock, ends a stream or a token, or reports a broken connection (the timeout does); the lock and the stream are there at once, so that a
  /// resting device has no timer; and hints reach resting devices alone.
  static let small: [Cell] = legal.filter { cell in
    switch (cell.phase, cell.event) {
    case (.new, .start), (.standby, .lockGranted), (.waiting, .streamOpened): true
    case (.pulling, let event), (.pushing, let event), (.fetching, let event), (.waiting, let event), (.frozen, let event):
      [.drafted, .replied, .fired].contains(event)
    case (.resting, let event): [.drafted, .replied, .hinted, .streamOpened].contains(event)
    default: false
    }
  }

  var description: String { "\(phase.rawValue) × \(event.rawValue)" }
}

/// The hits of some schedules: a simulation that never meets a fault proves nothing about it.
struct Coverage {
  var faults: [Fault: Int] = [:]
  var cells: [Cell: Int] = [:]
  var refusals: [RefusalCode: Int] = [:]
  var holds: [SyncHold.Code: Int] = [:]

  mutating func merge(_ other: Coverage) {
    faults.merge(other.faults, uniquingKeysWith: +)
    cells.merge(other.cells, uniquingKeysWith: +)
    refusals.merge(other.refusals, uniquingKeysWith: +)
    holds.merge(other.holds, uniquingKeysWith: +)
  }

  /// The coverage as lines.
  var report: String {
    var lines = Fault.allCases.map { "  \($0.rawValue): \(faults[$0] ?? 0)" }
    lines += RefusalCode.allCases.map { "  refused as \($0.rawValue): \(refusals[$0] ?? 0)" }
    lines += holds.map { "  held, \($0.key): \($0.value)" }.sorted()
    for phase in EnginePhase.allCases {
      let hits = EngineEvent.Kind.allCases.map { event -> String in
        if case .illegal = EngineTable.cell(phase, event) { return "\(event.rawValue) –" }
        return "\(event.rawValue) \(cells[Cell(phase: phase, event: event)] ?? 0)"
      }
      lines.append("  \(phase.rawValue): \(hits.joined(separator: ", "))")
    }
    return lines.joined(separator: "\n")
  }
}

/// The hits of a world and of all its copies, which share it.
final class Tally {
  var coverage = Coverage()
}

/// A law of sync that does not hold.
struct LawBroken: Error, CustomStringConvertible {
  /// The number of the law.
  let law: Int
  let reason: String

  init(_ law: Int, _ reason: String) {
    self.law = law
    self.reason = reason
  }

  var description: String { "law \(law): \(reason)" }
}

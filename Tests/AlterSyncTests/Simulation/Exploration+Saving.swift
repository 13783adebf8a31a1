import AlterJournal
import AlterSyncCore
import Foundation

// The progress of an exploration as two files: the worlds from which everything is explored, and the figures.
extension Exploration {
  private struct Figures: Codable {
    var worlds = 0
    var steps = 0
    var drains = 0
    /// Nil until the exploration has ended.
    var schedules: Double?
    var faults: [String: Int] = [:]
    var cells: [String: Int] = [:]
    var refusals: [String: Int] = [:]
  }

  /// The size of a world in the file: its fingerprint, and the number of schedules from it on.
  private static var size: Int { 16 }

  private static func figures(in folder: URL, _ name: String) -> URL { folder.appending(path: name + ".json") }

  private static func progress(in folder: URL, _ name: String) -> URL { folder.appending(path: name + ".worlds") }

  /// Writes the figures, and the progress of an exploration that has not ended.
  func save(as name: String, in folder: URL, schedules total: Double?) throws {
    var figures = Figures(steps: steps, drains: drains, schedules: total)
    figures.faults = Dictionary(uniqueKeysWithValues: coverage.faults.map { ($0.rawValue, $1) })
    figures.cells = Dictionary(uniqueKeysWithValues: coverage.cells.map { ("\($0.phase.rawValue) \($0.event.rawValue)", $1) })
    figures.refusals = Dictionary(uniqueKeysWithValues: coverage.refusals.map { ($0.rawValue, $1) })
    let progress = Self.progress(in: folder, name)
    if total == nil {
      var data = Data(capacity: schedules.count * Self.size)
      for (hash, count) in schedules where count >= 0 {
        withUnsafeBytes(of: (hash.littleEndian, count.bitPattern.littleEndian)) { data.append(contentsOf: $0) }
      }
      figures.worlds = data.count / Self.size
      try data.write(to: progress)
    } else {
      figures.worlds = worlds
      try? FileManager.default.removeItem(at: progress)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(figures).write(to: Self.figures(in: folder, name))
  }

  /// Continues from saved progress, if there is some.
  ///
  /// - Returns: The number of schedules, if the exploration has ended; nil otherwise.
  mutating func resume(_ name: String, in folder: URL) throws -> Double? {
    guard let json = try? Data(contentsOf: Self.figures(in: folder, name)) else { return nil }
    let figures = try JSONDecoder().decode(Figures.self, from: json)
    let data = figures.schedules == nil ? try Data(contentsOf: Self.progress(in: folder, name)) : Data()
    var schedules: [UInt64: Double] = [:]
    schedules.reserveCapacity(data.count / Self.size * 2)
    data.withUnsafeBytes { bytes in
      for offset in stride(from: 0, to: bytes.count, by: Self.size) {
        let hash = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        let count = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
        schedules[hash] = Double(bitPattern: count)
      }
    }
    var coverage = Coverage()
    for fault in Fault.allCases { coverage.faults[fault] = figures.faults[fault.rawValue] }
    for cell in Cell.legal { coverage.cells[cell] = figures.cells["\(cell.phase.rawValue) \(cell.event.rawValue)"] }
    for code in RefusalCode.allCases { coverage.refusals[code] = figures.refusals[code.rawValue] }
    resume(schedules, worlds: figures.worlds, steps: figures.steps, drains: figures.drains, coverage: coverage)
    return figures.schedules
  }
}

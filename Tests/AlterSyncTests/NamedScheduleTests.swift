import AlterSyncCore
import Foundation
import SyncModel
import Testing

@Suite("Schedules that break simpler designs")
struct NamedScheduleTests {
  /// `script/plant-faults` names one schedule: under a planted fault the others may trap.
  private static let chosen = NamedSchedule.all.indices.filter { index in
    ProcessInfo.processInfo.environment["ALTER_SCHEDULE"].map { $0 == NamedSchedule.all[index].name } ?? true
  }

  @Test("hold with all rules, and break a law without the rule against them", arguments: chosen)
  func schedule(_ index: Int) throws {
    let schedule = NamedSchedule.all[index]
    do { try schedule.run(.all) } catch { Issue.record("\(schedule.name): \(error)") }
    guard case .rule(let rule) = schedule.omission else { return }
    do {
      try schedule.run(.all.subtracting(rule))
      Issue.record("\(schedule.name): no law is broken without the rule")
    } catch let broken as LawBroken {
      #expect(broken.law > 0, "\(schedule.name): \(broken)")
    }
  }

  /// `script/plant-faults` plants each, and fails unless a schedule finds it.
  @Test("each rule of the product that they hold against has its patch, and each patch a schedule")
  func patches() throws {
    let named = NamedSchedule.all.compactMap { if case .patch(let name) = $0.omission { name } else { nil } }
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Faults")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".patch") }
    #expect(Set(files) == Set(named.map { "\($0).patch" }))
  }
}

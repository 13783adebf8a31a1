import AlterSyncCore
import Testing

@Suite("Schedules that break simpler designs")
struct NamedScheduleTests {
  @Test("hold with all rules, and break a law without the rule against them", arguments: NamedSchedule.all.indices)
  func schedule(_ index: Int) throws {
    let schedule = NamedSchedule.all[index]
    do { try schedule.run(.all) } catch { Issue.record("\(schedule.name): \(error)") }
    do {
      try schedule.run(.all.subtracting(schedule.rule))
      Issue.record("\(schedule.name): no law is broken without the rule")
    } catch let broken as LawBroken {
      #expect(broken.law > 0, "\(schedule.name): \(broken)")
    }
  }
}

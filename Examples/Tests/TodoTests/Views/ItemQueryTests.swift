import Alter
import Testing
import TodoCore

@Suite("What is asked of a list") struct ItemQueryTests {
  private let today = Day("2026-11-21")
  private let state: AppState

  init() throws {
    state = try list(
      "(B) Pay rent @home due:2026-11-20", "x 2026-11-19 2026-11-01 Buy Käse +shop due:2026-11-01", "Call +home due:2026-11-21",
      "(A) 2026-11-05 write the report @work due:2026-12-24", "2026-11-02 rest"
    ).alter(.tag("@work", .add(id(5))))
  }

  private func numbers(_ set: (inout ItemQuery) throws -> Void) rethrows -> [Int] {
    var query = ItemQuery()
    try set(&query)
    return TodoList(state, query, today: today).rows.map(\.number)
  }

  @Test("is answered with the numbers of the whole list") func all() { #expect(numbers { _ in } == [1, 2, 3, 4, 5]) }

  @Test("may be whether it is done, or overdue: open and due before today") func status() {
    #expect(numbers { $0.status = .open } == [1, 3, 4, 5])
    #expect(numbers { $0.status = .done } == [2])
    #expect(numbers { $0.isOverdue = true } == [1])
  }

  @Test("may be tags, in the text or besides, with their sign or without") func tags() {
    #expect(numbers { $0.tags = ["home"] } == [1, 3])
    #expect(numbers { $0.tags = ["+home"] } == [3])
    #expect(numbers { $0.tags = ["@work"] } == [4, 5])
    #expect(numbers { $0.tags = ["home", "work"] } == [])
  }

  @Test("may be a day before or after which it is due; that day itself is neither") func due() {
    #expect(numbers { $0.dueBefore = today } == [1, 2])
    #expect(numbers { $0.dueAfter = today } == [4])
    #expect(
      numbers {
        $0.dueAfter = Day("2026-11-01"); $0.dueBefore = Day("2026-12-01")
      } == [1, 3])
  }

  @Test("may be words, all of them, whatever the case, in the text and the tags") func words() {
    #expect(numbers { $0.words = ["KÄSE"] } == [2])
    #expect(numbers { $0.words = ["the", "Rep"] } == [4])
    #expect(numbers { $0.words = ["the", "rent"] } == [])
    #expect(numbers { $0.words = ["@work"] } == [4, 5])
  }

  @Test("may be an order, in which what has nothing to be ordered by comes last, and equals stay as they were") func order() {
    #expect(numbers { $0.order = .due } == [2, 1, 3, 4, 5])
    #expect(numbers { $0.order = .priority } == [4, 1, 2, 3, 5])
    #expect(numbers { $0.order = .created } == [2, 5, 4, 1, 3])
    #expect(numbers { $0.order = .text } == [2, 3, 1, 5, 4])
    let later = try? state.alter([.item(id(3), .priority(nil))], at: .seconds(5)).alter([.item(id(1), .priority(nil))], at: .seconds(9))
    var query = ItemQuery()
    query.order = .altered
    #expect(later.map { TodoList($0, query).rows.map(\.number) } == [1, 3, 2, 4, 5])
  }
}

import Alter
import Testing
import TodoCore

@Suite("The log in words") struct NarratorTests {
  private func record(_ revision: Int64, _ kind: Record<AppState>.Kind) -> Record<AppState> {
    Record(revision: Revision(revision), id: entry(revision), time: 0, kind: kind)
  }

  private func entry(_ revision: Int64) -> EntryID { EntryID(origin: Origin(id(9)), sequence: revision) }

  @Test("tells each change by the text of its item") func changes() throws {
    let milk = TodoItem(id: id(1), text: "Milk")
    let cases: [([AppState.Change], String)] = [
      ([.add(.item(milk)), .tag("@home", .add(id(1)))], "added ‘Milk’, tagged @home"),
      ([.item(id(1), .completed(true)), .item(id(1), .finished(Day("2026-12-01")))], "completed ‘Milk’"),
      ([.item(id(1), .completed(false))], "reopened ‘Milk’"), ([.item(id(1), .priority(Priority("A")))], "gave ‘Milk’ the priority A"),
      ([.item(id(1), .priority(nil))], "gave ‘Milk’ no priority"), ([.item(id(1), .due(Day("2026-12-01")))], "‘Milk’ is due 2026-12-01"),
      ([.item(id(1), .due(nil))], "‘Milk’ is due on no particular day"),
      ([.item(id(1), .text("Oat milk"))], "renamed ‘Milk’ to ‘Oat milk’"),
      ([.tag("@home", .remove(id(1)))], "took @home off ‘Oat milk’"), ([.update(.item(milk))], "updated ‘Milk’"),
      ([.remove(.item(id(1)))], "removed ‘Oat milk’"), ([.remove(.item(id(7)))], "removed item 00000000-"),
      ([.add(.entry(Note(id: id(2), text: "Began")))], "noted ‘Began’"), ([.entry(id(2), .text("Begun"))], "rewrote a note as ‘Begun’"),
      ([.remove(.entry(id(2)))], "removed a note"), ([.update(.entry(Note(id: id(2), text: "x")))], "updated the note ‘x’"),
      ([.add(.tag(Tag(id: "+p", items: [id(1)])))], "put the tag +p on 1 item"), ([.update(.tag(Tag(id: "+p")))], "updated the tag +p"),
      ([.remove(.tag("+p"))], "removed the tag +p"),
      ([.move(id(1), to: 2)], "moved ‘Oat milk’ to number 3"),
      ([.move(id(1), to: -9), .move(id(1), to: .max)], "moved ‘Oat milk’ to number 1, moved ‘Oat milk’ to the end"),
      ([.replace(try AppState(.add(.item(milk))))], "replaced the whole list by 1 item"),
      ([.add(.item(milk)), .add(.item(milk)), .trailer("\n")], "added 2 items"), ([.trailer("\n")], "nothing"),
      ((1...6).map { .remove(.tag("+\($0)")) }, "removed the tag +1, removed the tag +2, removed the tag +3 and 3 more changes"),
    ]
    var narrator = Narrator()
    for (changes, words) in cases { #expect(narrator.tell(record(1, .changes(changes))) == words) }
  }

  @Test("tells of an undo and of a redo what they are about") func undo() throws {
    var narrator = Narrator()
    #expect(narrator.tell(record(1, .initial(AppState()))) == "began with an empty list")
    #expect(narrator.tell(record(2, .changes([.add(.item(TodoItem(id: id(1), text: "Milk")))]))) == "added ‘Milk’")
    #expect(narrator.tell(record(3, .undo([entry(2)]))) == "undid 2: added ‘Milk’")
    #expect(narrator.tell(record(4, .redo([entry(3)]))) == "redid 2: added ‘Milk’")
    #expect(narrator.tell(record(5, .undo([entry(77)]))) == "undid an earlier change")
    #expect(narrator.tell(record(6, .reset(try list("One", "Two")))) == "replaced the whole list by 2 items")
    #expect(narrator.tell(record(7, .undo([entry(6)]))) == "undid 6: replaced the whole list by 2 items")
  }
}

import Alter
import AlterSQLite

@main
struct Main {
  static func main() async throws {
    let store = try await Store.open(Shelf(), in: SQLiteJournal(at: "shelf.db"))
    let loop = try store.run([praise], in: World.live)
    let words = CommandLine.arguments.dropFirst() + ["", "", ""]
    let (verb, title, number) = (words[1], words[2], Int(words[3]) ?? 0)
    do {
      switch verb {
      case "add": try store.change(.add(Book(title, pages: number)))
      case "read": try store.change(.book(title, .read(to: number)))
      case "again": try store.change(.book(title, .again))
      case "give": try store.change(.give(title))
      case "undo": try await store.undo()
      case "redo": try await store.redo()
      case "at": print(ShelfView(try await store.state(at: Revision(title) ?? 1)))
      default: print("shelf add TITLE PAGES | read TITLE PAGE | again TITLE | give TITLE | undo | redo | at REVISION")
      }
    } catch { print(error) }
    // All requests of the state are performed before the program ends.
    for await waiting in store.values(of: \.toPraise) where waiting == nil { break }
    await loop.stop()
    print(ShelfView(store.state))
    await store.close()
  }
}

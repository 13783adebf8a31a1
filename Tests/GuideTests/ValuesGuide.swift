import Alter
import Foundation
import Testing

/// The guide "Values and changes".
enum ValuesGuide {
  // snippet: values-note
  struct Note: Identifiable, Hashable, Journaled {
    enum Change: Hashable, Codable { case text(String), pinned(Bool) }

    let id: Int
    private(set) var text: String
    private(set) var isPinned = false

    init(id: Int, text: String) { (self.id, self.text) = (id, text) }

    mutating func apply(_ change: Change, at stamp: Stamp) {
      switch change {
      case .text(let text): self.text = text
      case .pinned(let isPinned): self.isPinned = isPinned
      }
    }
  }
  // end

  // snippet: values-notebook
  struct Notebook: Journaled, Hashable {
    enum Change: Hashable, Codable {
      case write(String)
      case note(Int, Note.Change)
      case archive(Int)
    }

    private(set) var notes: IdentityArray<Note> = []
    private(set) var archive: IdentityArray<Note> = []
    private(set) var nextID = 1

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      switch change {
      case .write(let text):
        guard !text.isEmpty else { throw .custom("A note needs a text.") }
        try notes.add(Note(id: nextID, text: text))
        nextID += 1
      case .note(let id, let change):
        try notes.apply(change, to: id, at: stamp)
      case .archive(let id):
        archive.put(try notes.remove(id: id))
      }
    }
  }
  // end

  // snippet: values-door
  enum Door: Journaled, Hashable {
    case open
    case closed
    case locked(code: Int)

    enum Change: Hashable, Codable { case open, close, lock(code: Int), unlock(code: Int) }

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      switch (self, change) {
      case (.closed, .open), (.open, .open): self = .open
      case (.open, .close), (.closed, .close): self = .closed
      case (.closed, .lock(let code)): self = .locked(code: code)
      case (.locked(let code), .unlock(let tried)) where code == tried: self = .closed
      case (.locked, .unlock): throw .custom("That is not the code.")
      case (.open, .lock): throw .illegal(from: "open", change: "lock")
      case (.locked, .open), (.locked, .close), (.locked, .lock): throw .illegal(from: "locked", change: "\(change)")
      case (.open, .unlock), (.closed, .unlock): break  // nothing to unlock, and nothing wrong with it
      }
    }
  }
  // end

  @Suite("The guide Values and changes")
  struct Tests {
    @Test("shows values and their changes")
    func values() throws {
      // snippet: values-alter
      let note = Note(id: 1, text: "Ask about the lease")
      let pinned = note.alter(.pinned(true), .text("Ask about the lease again"))  // note is as it was
      // end
      #expect(!note.isPinned && pinned.isPinned)

      // snippet: values-path
      let notebook = try Notebook().alter(.write("Milk"), .write("Bread"), .note(2, .pinned(true)))
      // end
      #expect(notebook.notes.map(\.isPinned) == [false, true])
      #expect(throws: Refusal.custom("A note needs a text.")) { try notebook.alter(.write("")) }
      // snippet: values-refused
      #expect(throws: Refusal.missing("Note", 7)) { try notebook.alter(.archive(1), .archive(7)) }  // none or all: note 1 stays, too
      // end
    }

    @Test("shows exclusive states")
    func door() throws {
      #expect(try Door.open.alter(.close, .lock(code: 7), .unlock(code: 7), .open) == .open)
      #expect(throws: Refusal.custom("That is not the code.")) { try Door.locked(code: 7).alter(.unlock(code: 8)) }
    }
  }
}

#if Macros
  extension ValuesGuide {
    // snippet: values-macro
    @Alterable struct Task: Identifiable, Hashable {
      let id: Int
      let title: String  // .title("…")
      @Default(false) let isDone: Bool  // .isDone(true); false where old data says nothing
      let due: Int64?  // .due(nil)
    }

    @Alterable struct Project: Identifiable, Hashable {
      let id: Int
      @Each let tasks: IdentityArray<Task>  // .add(.task(…)), .remove(.task(3)), .task(3, .isDone(true)) …
    }

    @Alterable struct Company: Hashable {
      @Each let projects: IdentityArray<Project>
    }
    // end

    // snippet: values-relative
    @Alterable struct Employee: Identifiable, Hashable {
      let id: Int
      @Changes let salary: Int  // .salary(85_000), .salary(by: 500)
      @Default([]) @Changes let tags: Set<String>  // .tags(["new"]), .tags(adding: "new"), .tags(removing: "new")
      @Default(0) @Changes(.by) let visits: Int  // .visits(by: 1) only
      @Changes("due") let dueDate: Date?  // .due(nil)
    }
    // end

    // snippet: values-noun-first
    @Alterable struct Photo: Identifiable, Hashable {
      let id: Int
      let title: String
      @Stamped(.once) let added: Date?  // the time of the change that adds the photo
      @Stamped let altered: Date?  // the time of the latest change
    }

    @Alterable(.nounFirst) struct Album: Hashable {
      @Each let photos: IdentityArray<Photo>
    }
    // end

    @Suite("The macro in the guide")
    struct MacroTests {
      @Test("writes the changes")
      func company() throws {
        let company = try Company(.add(.project(Project(id: 1, tasks: [Task(id: 3, title: "Plan")]))))
        // snippet: values-deep
        let later = try company.alter(.project(1, .task(3, .isDone(true))))  // three levels deep, in place
        // end
        #expect(later.projects[id: 1]?.tasks[id: 3]?.isDone == true)
      }

      @Test("adds to what another writer has left")
      func relative() async throws {
        let journal = MemoryJournal()
        let app = try await Store.open(Employee(id: 7, salary: 3_000), in: journal)
        let widget = try await Store.open(Employee(id: 7, salary: 3_000), in: journal)
        // snippet: values-relative-use
        let raise = try app.change(.salary(by: 500), .tags(adding: "raised"))
        let bonus = try widget.change(.salary(by: 100))  // made to the salary that the other writer has left
        // end
        try await raise.durable()
        try await bonus.durable()
        for await salary in app.values(of: { $0.salary }) where salary == 3_600 { break }
        for await salary in widget.values(of: { $0.salary }) where salary == 3_600 { break }
        try app.change(.visits(by: 1), .due(nil))
        #expect(app.state.visits == 1 && app.state.tags == ["raised"])
        await app.close()
        await widget.close()
      }

      @Test("accepts changes noun first, and sets a time once")
      func album() async throws {
        let store = try await Store.open(Album(), in: MemoryJournal())
        // snippet: values-noun-first-use
        try store.change(.photo(.add(Photo(id: 1, title: "Harbour"))))  // the same change as .add(.photo(…))
        try store.change(.photo(1, .title("The harbour")))
        // end
        let photo = try #require(store.state.photos.first)
        let (added, altered) = try (#require(photo.added), #require(photo.altered))
        #expect(photo.title == "The harbour" && added <= altered)
        try store.change(.photo(.remove(1)))
        #expect(store.state == Album())
      }
    }
  }
#endif

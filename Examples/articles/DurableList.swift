#if Macros
  import Alter
  import AlterSQLite
  import Foundation

  // The shortest durable list, and the same with an effect: what a beginner meets.

  // lines: durable list
  @Alterable struct Note: Identifiable, Hashable {
    let id: Int
    let text: String
    @Default(false) let completed: Bool
  }

  @Alterable struct Notes: Hashable {
    @Each let notes: IdentityArray<Note>
    let unsaved: String?
  }

  func durableList(in folder: URL) async throws {
    let store = try await Store.open(Notes(), in: .file(folder.path + "/Notes.alter"))
    try store.change(.add(.note(Note(id: 1, text: "Get milk"))))
    try store.change(.note(1, .completed(true)))
    print(store.state.notes.map { "\($0.text)\($0.completed ? " ✓" : "")" })
    try await addEffect(to: store)
    await store.close()
  }
  // end

  // lines: feedback
  struct Server: Sendable { let save: @Sendable (String) async throws -> Void }

  let saving = Feedback<Notes, Server>("save", request: \.unsaved) { text, server in
    try await server.save(text)
    return .unsaved(nil)
  }

  func addEffect(to store: Store<Notes>) async throws {
    try store.run([saving], in: Server { print("saved \($0)") })
    try store.change(.unsaved("Get milk"))
    for await text in store.values(of: \.unsaved) where text == nil { break }
  }
// end
#endif

#if canImport(SwiftUI)
  import Alter
  import AlterSwiftUI
  import SwiftUI
  import TodoCore
  import TodoViewModels

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  /// The notes: a field for a new one, and a field for each.
  struct NotesView: View {
    @ObservedValue<AppState, NotesScreen> private var screen: NotesScreen

    init(store: Store<AppState>) { _screen = ObservedValue(store, NotesScreen.init) }

    var body: some View {
      let actions = NoteActions(through: UserAction($screen, changes: { $0 }))
      List {
        NewTextField("New note", add: actions.add, parse: NoteText.init)
        if let hint = screen.hint { Text(hint) }
        ForEach(screen.rows) { note in NoteRow(note: note, rewrite: actions.rewrite) }
          .editRows(of: $screen, \.entries, delete: { .remove(.entry($0)) })
      }
      .navigationTitle("Notes")
      .refusalAlert(of: $screen)
    }
  }

  /// One note.
  struct NoteRow: View {
    let note: NotesScreen.Row
    let rewrite: UserAction<(id: UUID, text: NoteText)>

    var body: some View {
      VStack(alignment: .leading) {
        ParsedField("Note", text: note.text, action: rewrite.provide { [id = note.id] in (id, $0) }, parse: NoteText.init)
        if let written = note.written { Text(written, style: .relative).font(.caption).foregroundStyle(Color.secondary) }
      }
    }
  }
#endif

public import AlterCore
public import AlterJournal

/// The hot functions of a replay. A program that opens a store creates them in its own module, where they are specialised for the type of the
/// state: unspecialised, the look-ups of generic types take as much time as the changes.
///
/// `@unchecked Sendable`: its functions capture nothing but a type.
@usableFromInline
struct FoldLoop<State: Alterable>: @unchecked Sendable {
  /// ``History/append(run:)``.
  @usableFromInline let run: (inout History<State>, ArraySlice<Record<State>>) -> Int

  /// Reads an entry with changes and without a cause, of the given schema, by the ``/AlterCore/StoredForm`` of the changes; nil for another entry, and for
  /// unusual bytes. Nil if the changes have no stored form.
  @usableFromInline let read: ((Entry, _ schema: Int) -> Record<State>?)?

  @inlinable
  init() {
    run = { $0.append(run: $1) }
    if let form = State.Change.self as? any StoredForm.Type { read = Self.reader(form) } else { read = nil }
  }

  @inlinable
  static func reader<Form: StoredForm>(_ form: Form.Type) -> (Entry, _ schema: Int) -> Record<State>? {
    { entry, schema in
      let draft = entry.draft
      guard draft.kind == .changes, draft.schema == schema, draft.cause == nil,
        let changes = StoredReader.elements(of: Form.self, from: draft.payload)
      else { return nil }
      return Record(
        revision: entry.revision, id: draft.id, time: draft.time, scope: draft.scope, content: Record.Content(changes),
        extra: RecordExtra(cause: nil, size: entry.size))
    }
  }
}

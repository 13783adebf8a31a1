public import AlterCore
public import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The conversion between records and entries, for a state that has a stored form.
struct RecordCoding<State: Alterable>: Sendable {
  /// The functions of a replay.
  let loop: FoldLoop<State>
  /// Encodes a record. Throws the errors of the state's own encoding, and an error if the JSON would be read as another record, or not at all.
  let draft: @Sendable (Record<State>) throws -> Entry.Draft
  /// Decodes an entry; nil for the refusal of a draft, which has no record.
  let record: @Sendable (Entry, _ journal: String) throws(JournalError) -> Record<State>?
  /// Encodes a state as JSON in the present schema, for a snapshot.
  let encode: @Sendable (State) throws -> Data
  /// The same, for a floor: older entries are given up for it, so the JSON is read again and compared in each case.
  let encodeFloor: @Sendable (State) throws -> Data
  /// Decodes the JSON of a snapshot, and converts it from the schema of the snapshot.
  let decode: @Sendable (Data, _ schema: Int) throws -> State
  /// Whether a payload of the present schema has a name that this build does not know: another build has written it.
  let hasUnknownName: @Sendable (Data, Entry.Kind, _ schema: Int) -> Bool
  /// Whether snapshots of a schema version can be decoded.
  let readsSnapshots: @Sendable (_ schema: Int) -> Bool
  /// The present schema version.
  let schema: Int
  /// Returns the fingerprint of the stored form of the state and its changes. The first call for a type takes longer than opening a short journal,
  /// so that only snapshots call it.
  let readForm: @Sendable () -> Int64

  /// The fingerprint of the stored form of the state and its changes.
  var form: Int64 { readForm() }

  /// Returns the drafts of records by the functions of ``loop``; nil for those that ``draft`` must encode.
  ///
  /// - Parameter known: Drafts that were encoded before, by sequence.
  func quickDrafts(of records: ArraySlice<Record<State>>, known: [Int64: Entry.Draft] = [:]) -> [Entry.Draft?] {
    // A debug build reads all JSON again.
    if !JournalCoding.checksAll, let write = loop.write { return write(records, known, schema) }
    return records.map { record in known[record.id.sequence].flatMap { $0.id == record.id ? $0 : nil } }
  }

  /// Whether a fold can start from a snapshot. One of another stored form may lack values: an older build of the app ignores the names that it
  /// does not know.
  func reads(_ place: Snapshot.Place) -> Bool {
    readsSnapshots(place.schema) && (place.schema != schema || place.form == form || place.form == 0)
  }
}

extension RecordCoding where State: Journaled {
  /// The coding of all journals: JSON, by kind, in the state's present schema.
  static var json: RecordCoding { json(by: FoldLoop()) }

  /// The same, by functions that another module may have specialised.
  static func json(by loop: FoldLoop<State>) -> RecordCoding {
    let schema = State.schema
    return RecordCoding(
      loop: loop,
      draft: { record in
        let (kind, payload): (Entry.Kind, Data) =
          switch record.content {
          case .initial(let state): (.initial, try JournalCoding.encodeKept(state))
          case .change(let change): (.changes, try JournalCoding.encodeKept([change]))
          case .changes(let changes): (.changes, try JournalCoding.encodeKept(changes))
          case .reset(let state): (.reset, try JournalCoding.encodeKept(state))
          case .undo: (.undo, try JournalCoding.encode(record.storedTargets))
          case .redo: (.redo, try JournalCoding.encode(record.storedTargets))
          }
        return Entry.Draft(
          kind: kind, id: record.id, time: record.time, scope: record.scope, schema: schema.version, payload: payload,
          cause: try record.cause.map { try JournalCoding.encode($0) })
      },
      record: { entry, journal throws(JournalError) in
        // A debug build also looks for mistakes in the migrations of models.
        if !JournalCoding.checksAll, let read = loop.read, let record = read(entry, schema.version) { return record }
        guard !entry.kind.isSkipped else { return nil }
        guard entry.schema <= schema.version else {
          throw .newerSchema(journal, at: entry.revision, found: entry.schema, known: schema.version)
        }
        do {
          var indices: [Int]?
          var isByRule = false
          let content: Record<State>.Content =
            switch entry.kind {
            case .initial: .initial(try decode(state(entry.payload, of: entry.schema, in: schema), of: entry, in: schema))
            case .changes: Record.Content(try decode(changes(entry, in: schema, indices: &indices), of: entry, in: schema))
            case .reset: .reset(try decode(state(entry.payload, of: entry.schema, in: schema), of: entry, in: schema))
            case .undo: .undo(try targets(of: entry, isByRule: &isByRule))
            case .redo: .redo(try targets(of: entry, isByRule: &isByRule))
            case .refused: .changes([])
            }
          let cause: Cause? = try entry.draft.cause.map { try JournalCoding.decode(from: $0) }
          return Record(
            revision: entry.revision, id: entry.id, time: entry.time, scope: entry.scope, content: content,
            extra: RecordExtra(cause: cause, indices: indices, size: entry.size, retries: cause?.retries, isByRule: isByRule))
        } catch {
          throw JournalError(
            .undecodable, journal: journal, revision: entry.revision,
            message: """
              holds at revision \(entry.revision) a '\(entry.kind.rawValue)' entry that \(State.self) can't read: \
              \(JournalCoding.explain(error)). The stored bytes are unharmed: was it written by another version of the app? \
              A new property needs a default, and another form a migration.
              """)
        }
      },
      encode: { try JournalCoding.encodeKept($0) },
      encodeFloor: { try JournalCoding.encodeKept($0, isAlwaysRead: true) },
      decode: { try JournalCoding.decode(from: state($0, of: $1, in: schema), schema: $1, current: schema.version) },
      hasUnknownName: { payload, kind, version in
        guard version == schema.version else { return false }
        return switch kind {
        case .initial, .reset: StoredCoding.skipsKeys(State.self, from: payload)
        case .changes: StoredCoding.skipsKeys([State.Change].self, from: payload)
        case .undo, .redo, .refused: false
        }
      },
      readsSnapshots: { schema.readsSnapshot(of: $0) },
      schema: schema.version, readForm: { State.form })
  }

  private static func targets(of entry: Entry, isByRule: inout Bool) throws -> [EntryID] {
    let stored: Entry.Targets = try JournalCoding.decode(from: entry.payload)
    isByRule = stored.isByRule
    return stored.targets
  }

  /// Decodes the JSON of an entry after the schema's migrations. The models convert their parts from the entry's schema.
  private static func decode<Value: Decodable>(_ json: Data, of entry: Entry, in schema: StateSchema) throws -> Value {
    try JournalCoding.decode(from: json, schema: entry.schema, current: schema.version)
  }

  /// Returns the JSON of a state, upgraded to the present schema.
  private static func state(_ json: Data, of version: Int, in schema: StateSchema) throws -> Data {
    guard !schema.readsAsIs(version) else { return json }
    return try schema.upgrade(state: JSONValue(parsing: json), from: version).data
  }

  /// Returns the JSON of a batch of changes, upgraded to the present schema.
  private static func changes(_ entry: Entry, in schema: StateSchema, indices: inout [Int]?) throws -> Data {
    guard !schema.readsAsIs(entry.schema) else { return entry.payload }
    guard let old = try JSONValue(parsing: entry.payload).values else {
      throw DecodingError.typeMismatch([JSONValue].self, .init(codingPath: [], debugDescription: "a batch of changes is an array"))
    }
    let upgraded = try schema.upgrade(changes: old, from: entry.schema)
    if upgraded.indices != Array(upgraded.changes.indices) { indices = upgraded.indices }
    return JSONValue.array(upgraded.changes).data
  }
}

extension RecordCoding {
  /// Encodes a journal's first entry.
  ///
  /// - Parameters:
  ///   - state: The initial state.
  ///   - name: The name of the state in an error. The error contains nothing of the state itself, unless the state's own coding puts it
  ///     there.
  ///   - cause: The reason, for the journal.
  ///   - origin: The replica that writes the entry.
  ///   - options: The scope and the clock.
  ///   - journal: The journal, for the error.
  /// - Throws: ``/AlterJournal/JournalError`` `unencodable`.
  func initialDraft(
    _ state: State, called name: String, cause: Cause? = nil, origin: Origin, options: StoreOptions, for journal: any Journal
  ) throws(JournalError) -> Entry.Draft {
    let record = Record<State>(
      revision: 1, id: EntryID(origin: origin, sequence: 1), time: options.environment.now(), scope: options.scope ?? .journal,
      kind: .initial(state), cause: cause)
    do { return try draft(record) } catch {
      // An error of the model's own may contain the value that it could not encode.
      let reason = error is EncodingError ? JournalCoding.explain(error) : "\(type(of: error))"
      throw JournalError(
        .unencodable, journal: journal.name, message: "can't begin with \(name): it can't be written as JSON: \(reason)")
    }
  }
}

extension RecordCoding {
  /// Decodes entries, in order. Refusals have no record.
  ///
  /// More than 64 entries are decoded in up to eight parallel parts, because decoding takes much of the time of a replay.
  ///
  /// - Returns: The records in the parts in which they were decoded.
  /// - Throws: The error of the first entry that cannot be read.
  func records(_ entries: ArraySlice<Entry>, in journal: String) async throws(JournalError) -> [[Record<State>]] {
    let size = max(64, (entries.count + 7) / 8)
    guard entries.count > size else { return [try decode(entries, in: journal).get()] }
    var parts = await withTaskGroup(of: (Int, Result<[Record<State>], JournalError>).self) { group in
      for (number, start) in stride(from: entries.startIndex, to: entries.endIndex, by: size).enumerated() {
        group.addTask { (number, decode(entries[start..<min(start + size, entries.endIndex)], in: journal)) }
      }
      return await group.reduce(into: []) { parts, part in parts.append(part) }
    }
    parts.sort { $0.0 < $1.0 }
    var records: [[Record<State>]] = []
    for part in parts { records.append(try part.1.get()) }
    return records
  }

  private func decode(_ entries: ArraySlice<Entry>, in journal: String) -> Result<[Record<State>], JournalError> {
    var records: [Record<State>] = []
    records.reserveCapacity(entries.count)
    do throws(JournalError) {
      var rest = entries
      while !rest.isEmpty {
        if !JournalCoding.checksAll, let readAll = loop.readAll { rest = rest[readAll(rest, schema, &records)...] }
        guard let entry = rest.popFirst() else { break }
        if let record = try record(entry, journal) { records.append(record) }
      }
    } catch {
      return .failure(error)
    }
    return .success(records)
  }
}

// The bytes of records in a synced journal, which keeps bytes, while its stores speak in records.
extension Record where State: Journaled {
  /// Decodes an entry, or a draft at a provisional revision; nil for the refusal of a draft.
  ///
  /// - Throws: ``/AlterJournal/JournalError``: `newerSchema`, `undecodable`.
  package static func decoding(_ entry: Entry, in journal: String) throws(JournalError) -> Record? {
    try RecordCoding<State>.json.record(entry, journal)
  }

  /// Encodes the record as a device's draft: an undo or a redo names one entry, and its answers follow by rule.
  ///
  /// - Parameter requirement: The change that it requires.
  /// - Throws: The errors of the state's own encoding.
  package func deviceDraft(requires requirement: EntryID?) throws -> Entry.Draft {
    let draft = try RecordCoding<State>.json.draft(self)
    var cause = cause ?? Cause()
    (cause.requires, cause.retries) = (requirement ?? cause.requires, extra?.retries)
    let payload: Data =
      if content.isMark, let target = targets.first { try JournalCoding.encode(Entry.Targets(byRule: target)) } else { draft.payload }
    return Entry.Draft(
      kind: draft.kind, id: draft.id, time: draft.time, scope: draft.scope, schema: draft.schema, payload: payload,
      cause: cause.isEmpty ? nil : try JournalCoding.encode(cause))
  }
}

extension Journaled {
  /// Decodes the JSON of a state, as a floor has it, and converts it from an older schema.
  package static func decoding(_ payload: Data, schema: Int) throws -> Self { try RecordCoding<Self>.json.decode(payload, schema) }
}

/// Refuses a change that is too deep to be stored, on the thread that makes it.
///
/// Only a walk through a value can tell its depth. A store walks through the changes of types whose values may contain others without a limit: those
/// that contain themselves, and those with a form by hand, which may hide it. The macros describe the parts of all other types.
struct DepthCheck<State: Alterable>: Sendable {
  private let check: @Sendable (Record<State>.Content) throws -> Void

  /// Creates the check of a type's changes; nil if none of them can be too deep.
  ///
  /// - Complexity: O(1), but for the first call for a type.
  init?(of type: State.Type = State.self) where State: Journaled {
    let (states, changes) = (StoredFormDescription.canNest(State.self), StoredFormDescription.canNest(State.Change.self))
    guard states || changes else { return nil }
    check = { content in
      switch content {
      // A journal keeps a list of changes.
      case .change(let change): if changes { try StoredCoding.checkDepth(of: change, below: 1) }
      case .changes(let list): if changes { try StoredCoding.checkDepth(of: list, below: 0) }
      case .initial(let state), .reset(let state): if states { try StoredCoding.checkDepth(of: state, below: 0) }
      case .undo, .redo: break
      }
    }
  }

  /// Checks the content of a record.
  ///
  /// - Throws: ``ChangeError`` `unencodable`.
  /// - Complexity: That of encoding it.
  func callAsFunction(_ content: Record<State>.Content, in journal: String) throws(ChangeError<State.Failure>) {
    do { try check(content) } catch {
      throw .unencodable(
        JournalError(
          .unencodable, journal: journal, message: "can't hold the change: it can't be written as JSON: \(JournalCoding.explain(error))"))
    }
  }
}

/// The hot functions of a replay and of the writer. A program that opens a store creates them in its own module, where they are specialised for the type of the
/// state: unspecialised, the look-ups of generic types take as much time as the changes.
///
/// `@unchecked Sendable`: its functions capture nothing but a type.
@usableFromInline
struct FoldLoop<State: Alterable>: @unchecked Sendable {
  /// ``History/append(run:until:)`` to the end.
  @usableFromInline let run: (inout History<State>, ArraySlice<Record<State>>) -> Int

  /// ``History/append(run:until:)``.
  @usableFromInline let scan: (inout History<State>, ArraySlice<Record<State>>, (State) -> Bool) -> Int

  /// Reads an entry with changes and without a cause, of the given schema, by the ``/AlterCore/StoredForm`` of the changes; nil for another entry, and for
  /// unusual bytes. Nil if the changes have no stored form.
  @usableFromInline let read: ((Entry, _ schema: Int) -> Record<State>?)?

  /// Encodes records, of the given schema, unless a draft is known for their id: nil for all but single changes without rare properties that are read
  /// as an equal value for certain. Nil if the changes have no stored form.
  @usableFromInline let write: ((ArraySlice<Record<State>>, _ known: [Int64: Entry.Draft], _ schema: Int) -> [Entry.Draft?])?

  /// Reads entries up to the first one that ``read`` does not read, and appends their records. Returns the index of that entry, or the end.
  @usableFromInline let readAll: ((ArraySlice<Entry>, _ schema: Int, inout [Record<State>]) -> Int)?

  @inlinable
  init() {
    run = { $0.append(run: $1) { _ in false } }
    scan = { $0.append(run: $1, until: $2) }
    if let form = State.Change.self as? any StoredForm.Type {
      (read, readAll) = Self.readers(form)
      write = Self.writer(form)
    } else {
      (read, readAll, write) = (nil, nil, nil)
    }
  }

  @inlinable
  static func writer<Form: StoredForm>(
    _ form: Form.Type
  ) -> (ArraySlice<Record<State>>, _ known: [Int64: Entry.Draft], _ schema: Int) -> [Entry.Draft?] {
    { records, known, schema in
      var drafts: [Entry.Draft?] = []
      drafts.reserveCapacity(records.count)
      for record in records {
        if !known.isEmpty, let draft = known[record.id.sequence], draft.id == record.id {
          drafts.append(draft)
        } else if record.extra == nil, case .change(let change) = record.content,
          let payload = StoredWriter.array(of: unsafeBitCast(change, to: Form.self))
        {
          drafts.append(
            Entry.Draft(kind: .changes, id: record.id, time: record.time, scope: record.scope, schema: schema, payload: payload))
        } else {
          drafts.append(nil)
        }
      }
      return drafts
    }
  }

  @inlinable
  static func readers<Form: StoredForm>(
    _ form: Form.Type
  ) -> ((Entry, _ schema: Int) -> Record<State>?, (ArraySlice<Entry>, _ schema: Int, inout [Record<State>]) -> Int) {
    (
      { entry, schema in withUnsafePointer(to: entry) { Self.read($0, schema, by: Form.self) } },
      { entries, schema, records in
        let count = entries.withUnsafeBufferPointer { all in
          for place in all.indices {
            // The parts are read where they are: a copy of an entry retains five objects.
            guard let record = Self.read(all.baseAddress! + place, schema, by: Form.self) else { return place }
            records.append(record)
          }
          return all.count
        }
        return entries.startIndex + count
      }
    )
  }

  @inlinable @inline(__always)
  static func read<Form: StoredForm>(_ entry: UnsafePointer<Entry>, _ schema: Int, by form: Form.Type) -> Record<State>? {
    guard entry.pointee.draft.kind == .changes, entry.pointee.draft.schema == schema, entry.pointee.draft.cause == nil,
      let changes = StoredReader.elements(of: Form.self, from: entry.pointee.draft.payload)
    else { return nil }
    let size = entry.pointee.size
    return Record(
      revision: entry.pointee.revision, id: entry.pointee.draft.id, time: entry.pointee.draft.time, scope: entry.pointee.draft.scope,
      content: Record.Content(changes), extra: size < RecordExtra.heavy ? nil : RecordExtra(cause: nil, size: size))
  }
}

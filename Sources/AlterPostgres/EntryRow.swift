#if Postgres
  import AlterCore
  import AlterJournal

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The columns of the table of entries, in the order in which rows are read and written. The table, each statement, the binding and the size
  /// of its values follow from these cases.
  enum EntryColumn: Int, CaseIterable {
    case revision, time, origin, sequence, scope, schema, kind, payload, cause, checksum, author, arrival

    /// The type in the table, and the purpose.
    private var definition: (type: String, purpose: String) {
      switch self {
      case .revision: ("bigint NOT NULL", "1, 2, 3 ...")
      case .time: ("bigint NOT NULL", "microseconds since 1970 UTC, by the maker's clock")
      case .origin: ("uuid NOT NULL", "who made it")
      case .sequence: ("bigint NOT NULL", "its number there")
      case .scope: ("bytea NOT NULL", "whose undo takes it back: UTF-8")
      case .schema: ("bigint NOT NULL", "the generation of the payload")
      case .kind: ("text NOT NULL", "initial, changes, reset, undo, redo, refused")
      case .payload: ("bytea NOT NULL", "JSON")
      case .cause: ("bytea", "JSON")
      case .checksum: ("bytea NOT NULL", "of all of it and the entry before")
      case .author: ("bigint", "the pseudonym of the author; NULL without a receipt")
      case .arrival: ("bigint", "microseconds since 1970 UTC, by the server's clock; NULL without a receipt")
      }
    }

    private func value(of entry: Entry) -> Parameters.Value {
      switch self {
      case .revision: .number(entry.revision.number)
      case .time: .number(entry.draft.time)
      case .origin: .uuid(entry.id.origin.uuid)
      case .sequence: .number(entry.id.sequence)
      case .scope: .bytes(Data(entry.draft.scope.rawValue.utf8))
      case .schema: .number(Int64(entry.draft.schema))
      case .kind: .text(entry.draft.kind.rawValue)
      case .payload: .bytes(entry.draft.payload)
      case .cause: .bytes(entry.draft.cause)
      case .checksum: .bytes(entry.checksum.bytes)
      case .author: .number(entry.receipt.map { Int64(bitPattern: $0.author.bits) })
      case .arrival: .number(entry.receipt?.arrival)
      }
    }

    private var name: String { "\(self)" }

    /// The names, for a selection or an insertion.
    static let list = allCases.map(\.name).joined(separator: ", ")
    /// The lines of the table's definition, each with a comma.
    static let definitions = allCases.map { "\($0.name) \($0.definition.type), -- \($0.definition.purpose)" }.joined(separator: "\n  ")

    /// Returns a row with these columns, for a union with entries.
    ///
    /// - Parameter values: The expressions of some columns. The others are NULL.
    static func row(_ values: [EntryColumn: String]) -> String {
      allCases.map { "\(values[$0] ?? "NULL::\($0.definition.type.prefix { $0 != " " })") AS \($0.name)" }.joined(separator: ", ")
    }

    /// Returns the numbers of the parameters that hold the columns, as in '$5, $6'.
    static func places(from first: Int) -> String { allCases.map { "$\(first + $0.rawValue)" }.joined(separator: ", ") }

    /// Adds one parameter for each column: the value of the only entry, or an array with those of several.
    static func add(_ entries: [Entry], asArrays: Bool, to parameters: inout Parameters) {
      for column in allCases {
        if asArrays { parameters.add(array: entries.map(column.value)) } else { parameters.add(column.value(of: entries[0])) }
      }
    }
  }

  /// The rows of the table of entries, and their conversion.
  enum EntryRow {
    /// The problem with a row.
    struct Complaint: Error {
      /// The revision of the entry, if it can be read.
      let revision: Revision?
      let text: String
    }

    /// Reads a row that begins with ``EntryColumn/list``.
    static func entry(_ answer: ServerAnswer, _ row: Int) throws(Complaint) -> Entry {
      let revision = answer.number(row, .revision).map { Revision($0) }
      func complaint(_ text: String) -> Complaint { Complaint(revision: revision, text: text) }
      guard let revision, let time = answer.number(row, .time), let sequence = answer.number(row, .sequence),
        let schema = answer.number(row, .schema)
      else { throw complaint("one of its numbers is invalid") }
      guard let origin = answer.uuid(row, .origin) else { throw complaint("its origin is invalid") }
      guard let kind = answer.text(row, .kind).flatMap(Entry.Kind.init(rawValue:)) else { throw complaint("its kind is unknown") }
      guard let checksum = answer.data(row, .checksum).flatMap(Checksum.init(bytes:)) else { throw complaint("its checksum is invalid") }
      let draft = Entry.Draft(
        kind: kind, id: EntryID(origin: Origin(origin), sequence: sequence), time: time,
        scope: UndoScope(rawValue: answer.text(row, .scope) ?? ""), schema: Int(schema), payload: answer.data(row, .payload) ?? Data(),
        cause: answer.data(row, .cause))
      let receipt: Receipt?
      switch (answer.number(row, .author), answer.number(row, .arrival)) {
      case (let author?, let arrival?): receipt = Receipt(author: Pseudonym(bits: UInt64(bitPattern: author)), arrival: arrival)
      case (nil, nil): receipt = nil
      default: throw complaint("its receipt is invalid")
      }
      return Entry(revision: revision, draft: draft, receipt: receipt, checksum: checksum)
    }

    /// Returns an upper bound for the size in bytes of a statement that appends the drafts.
    static func size(of drafts: [Entry.Draft]) -> Int {
      var size = drafts.count * fixedSize
      for draft in drafts { size += draft.payload.count + (draft.cause?.count ?? 0) + draft.scope.rawValue.utf8.count }
      return size
    }

    /// The bytes for the numbers, the ids and the checksum of an entry, and for the lengths of all values.
    private static let fixedSize = 400
  }

  extension ServerAnswer {
    func number(_ row: Int, _ column: EntryColumn) -> Int64? { number(row, column.rawValue) }
    func uuid(_ row: Int, _ column: EntryColumn) -> UUID? { uuid(row, column.rawValue) }
    func text(_ row: Int, _ column: EntryColumn) -> String? { text(row, column.rawValue) }
    func data(_ row: Int, _ column: EntryColumn) -> Data? { data(row, column.rawValue) }
  }

  extension Parameters {
    /// Creates the first parameters of each append: the journal, its head, and its head afterwards.
    init(moving number: Int64, from head: Head, to end: Head) {
      self.init(
        .number(number), .uuid(head.journal.uuid), .number(head.revision.number), .bytes(head.checksum.bytes),
        .number(end.revision.number), .bytes(end.checksum.bytes))
    }
  }

  extension JournalError {
    static func damaged(_ name: String, _ complaint: EntryRow.Complaint) -> JournalError {
      complaint.revision.map { .damaged(name, at: $0, complaint.text) } ?? .damaged(name, complaint.text)
    }
  }
#endif

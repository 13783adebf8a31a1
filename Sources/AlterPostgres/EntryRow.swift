#if Postgres
  import AlterCore
  import AlterJournal

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The columns of the table of entries, and their conversion.
  enum EntryRow {
    /// The problem with a row.
    struct Complaint: Error {
      /// The revision of the entry, if it can be read.
      let revision: Revision?
      let text: String
    }

    /// Reads one row of ``Statements/entryColumns``.
    static func entry(_ answer: Answer, _ row: Int) throws(Complaint) -> Entry {
      let revision = answer.number(row, 0).map { Revision($0) }
      func complaint(_ text: String) -> Complaint { Complaint(revision: revision, text: text) }
      guard let revision, let time = answer.number(row, 1), let sequence = answer.number(row, 3), let schema = answer.number(row, 5) else {
        throw complaint("one of its numbers is invalid")
      }
      guard let origin = answer.uuid(row, 2) else { throw complaint("its origin is invalid") }
      guard let kind = answer.text(row, 6).flatMap(Entry.Kind.init(rawValue:)) else { throw complaint("its kind is unknown") }
      guard let checksum = answer.data(row, 9).flatMap(Checksum.init(bytes:)) else { throw complaint("its checksum is invalid") }
      let draft = Entry.Draft(
        kind: kind, id: EntryID(origin: Origin(origin), sequence: sequence), time: time,
        scope: UndoScope(rawValue: answer.text(row, 4) ?? ""), schema: Int(schema), payload: answer.data(row, 7) ?? Data(),
        cause: answer.data(row, 8))
      var receipt: Receipt?
      if answer.columnCount > 11 {
        switch (answer.number(row, 10), answer.number(row, 11)) {
        case (let author?, let arrival?): receipt = Receipt(author: Pseudonym(bits: UInt64(bitPattern: author)), arrival: arrival)
        case (nil, nil): break
        default: throw complaint("its receipt is invalid")
        }
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

    /// Adds the parameters of ``Statements/appendingOne`` or ``Statements/appendingMany`` between the head and the settings.
    static func add(_ entries: [Entry], to parameters: inout Parameters) {
      if let entry = entries.first, entries.count == 1 {
        let draft = entry.draft
        for value in [
          .number(draft.time), .uuid(draft.id.origin.uuid), .number(draft.id.sequence), .bytes(Data(draft.scope.rawValue.utf8)),
          .number(Int64(draft.schema)), .text(draft.kind.rawValue), .bytes(draft.payload), .bytes(draft.cause),
          .bytes(entry.checksum.bytes),
        ] as [Parameters.Value] {
          parameters.add(value)
        }
      } else {
        addArrays(entries, to: &parameters)
      }
    }

    /// Adds the parameters of several entries, without their receipts.
    static func addArrays(_ entries: [Entry], to parameters: inout Parameters) {
      let drafts = entries.map(\.draft)
      for value in [
        .numbers(drafts.map(\.time)), .uuids(drafts.map(\.id.origin.uuid)), .numbers(drafts.map(\.id.sequence)),
        .byteArrays(drafts.map { Data($0.scope.rawValue.utf8) }), .numbers(drafts.map { Int64($0.schema) }),
        .texts(drafts.map(\.kind.rawValue)), .byteArrays(drafts.map(\.payload)), .byteArrays(drafts.map(\.cause)),
        .byteArrays(entries.map(\.checksum.bytes)),
      ] as [Parameters.Value] {
        parameters.add(value)
      }
    }
  }

  extension JournalError {
    static func damaged(_ name: String, _ complaint: EntryRow.Complaint) -> JournalError {
      complaint.revision.map { .damaged(name, at: $0, complaint.text) } ?? .damaged(name, complaint.text)
    }
  }
#endif

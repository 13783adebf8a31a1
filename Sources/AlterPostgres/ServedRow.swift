#if Postgres
  import AlterCore
  import AlterJournal

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The rows of a journal that a server decides, and their conversion.
  enum ServedRow {
    /// Reads the rows of ``Statements/facts``.
    ///
    /// - Returns: The facts, and the entries of the found drafts in order of revision.
    static func facts(_ answer: ServerAnswer, name: String) throws(JournalError) -> (facts: ServerFacts, entries: [Entry]) {
      let part = EntryColumn.allCases.count
      guard let row = (0..<answer.rowCount).first(where: { answer.number($0, part) == 0 }) else {
        throw .damaged(name, "the row with its head is missing")
      }
      var facts = ServerFacts(try position(answer, row, name: name))
      var entries: [Entry] = []
      for row in 0..<answer.rowCount {
        switch answer.number(row, part) {
        case 1:
          let entry: Entry
          do throws(EntryRow.Complaint) { entry = try EntryRow.entry(answer, row) } catch { throw .damaged(name, error) }
          guard let standing = entry.standing else { throw .damaged(name, at: entry.revision, "its payload is not a refusal") }
          entries.append(entry)
          facts.standings[entry.id] = standing
        case 2:
          guard let origin = answer.uuid(row, .origin), let last = answer.number(row, .sequence), let principal = answer.text(row, .scope)
          else {
            throw .damaged(name, "the row of an origin is invalid")
          }
          facts.origins[Origin(origin)] = OriginStanding(principal: principal, last: last)
        case 3:
          guard let origin = answer.uuid(row, .origin), let sequence = answer.number(row, .sequence),
            let accepted = answer.uuid(row, EntryColumn.scope.rawValue), let number = answer.number(row, .revision)
          else { throw .damaged(name, "the row of an accepted attempt is invalid") }
          facts.attempts[EntryID(origin: Origin(origin), sequence: sequence)] = EntryID(origin: Origin(accepted), sequence: number)
        case 4:
          guard let origin = answer.uuid(row, .origin), let sequence = answer.number(row, .time), let run = VerdictRow(answer, row) else {
            throw .damaged(name, "a run of its verdicts is invalid")
          }
          facts.standings[EntryID(origin: Origin(origin), sequence: sequence)] = try run.standing(of: sequence, in: name)
        default: break
        }
      }
      entries.sort { $0.revision < $1.revision }
      return (facts, entries)
    }

    private static func position(_ answer: ServerAnswer, _ row: Int, name: String) throws(JournalError) -> ServerPosition {
      guard let generation = answer.number(row, .time) else { throw .notServed(name) }
      guard let id = answer.uuid(row, .origin).map({ JournalID($0) }), let revision = answer.number(row, .revision), revision >= 0,
        let checksum = answer.data(row, .checksum).flatMap(Checksum.init(bytes:)), let schema = answer.number(row, .sequence),
        let floor = answer.number(row, .schema), floor >= 0, floor <= revision, let former = answer.text(row, .kind)
      else { throw .damaged(name, "the row with its head is invalid") }
      let floorChecksum = answer.data(row, .scope).flatMap(Checksum.init(bytes:))
      guard (floor > 0) == (floorChecksum != nil) else { throw .damaged(name, "the row with its floor is invalid") }
      // In PostgreSQL's text form of an array: {-5,7}.
      let generations = former.dropFirst().dropLast().split(separator: ",").compactMap { Int64($0) }
      return ServerPosition(
        head: Head(journal: id, revision: Revision(revision), checksum: checksum),
        lineage: Lineage(
          Generation(UInt64(bitPattern: generation)), former: Set(generations.map { Generation(UInt64(bitPattern: $0)) })),
        floor: floorChecksum.map { Head(journal: id, revision: Revision(floor), checksum: $0) } ?? Head(empty: id),
        schema: Int(clamping: schema))
    }

    /// Decided drafts as the rows that they become.
    struct Appending: Sendable {
      private(set) var entries: [Entry] = []
      private(set) var end: Head
      private var origins: [Origin: OriginStanding] = [:]
      private var attempts: [EntryID: EntryID] = [:]
      private var reasons: [(revision: Int64, text: String)] = []

      /// Creates the rows of at least one draft at a position. One statement cannot change a row twice, so the rows of an origin and of
      /// a first attempt are merged.
      init(_ decided: [DecidedDraft], at position: ServerPosition) {
        end = position.head
        for decided in decided {
          let entry = Entry(decided.draft, receipt: decided.receipt, after: end)
          entries.append(entry)
          end = end.advanced(by: entry)
          bind(entry.id.origin, to: decided.principal, using: entry.id.sequence)
          if let first = decided.retries {
            bind(first.origin, to: decided.principal, using: 0)
            attempts[first] = entry.id
          }
          if let reason = decided.reason { reasons.append((entry.revision.number, reason)) }
        }
      }

      /// Records the principal that uses an origin. The first one keeps it.
      private mutating func bind(_ origin: Origin, to principal: String, using sequence: Int64) {
        origins[origin] = (origins[origin] ?? OriginStanding(principal: principal, last: 0)).used(by: principal, upTo: sequence)
      }

      /// An upper bound for the size in bytes of the statement.
      var size: Int {
        var size = EntryRow.size(of: entries.map(\.draft)) + 100 * (entries.count + attempts.count)
        for reason in reasons { size += reason.text.utf8.count }
        for origin in origins.values { size += 50 + origin.principal.utf8.count }
        return size
      }

      /// Returns the parameters of ``Statements/appendingDecided``.
      func parameters(number: Int64, _ position: ServerPosition, _ commit: String, lockTimeout: String) -> Parameters {
        var parameters = Parameters(moving: number, from: position.head, to: end)
        EntryColumn.add(entries, asArrays: true, to: &parameters)
        let (origins, attempts) = (Array(origins), Array(attempts))
        for value in [
          .number(position.lineage.generation.bits), .numbers(position.lineage.formerBits), .number(Int64(position.schema)),
          .number(position.floor.revision.number),
          .bytes(position.floor.revision == .zero ? nil : position.floor.checksum.bytes),
          .uuids(origins.map(\.key.uuid)), .byteArrays(origins.map { Data($0.value.principal.utf8) }), .numbers(origins.map(\.value.last)),
          .uuids(attempts.map(\.key.origin.uuid)), .numbers(attempts.map(\.key.sequence)),
          .uuids(attempts.map(\.value.origin.uuid)), .numbers(attempts.map(\.value.sequence)),
          .numbers(reasons.map(\.revision)), .byteArrays(reasons.map { Data($0.text.utf8) }),
          .text(commit), .text(lockTimeout),
        ] as [Parameters.Value] {
          parameters.add(value)
        }
        return parameters
      }
    }
  }

  extension Generation {
    /// The number as it is stored.
    var bits: Int64 { Int64(bitPattern: number) }
  }

  extension Lineage {
    /// The former generations as they are stored: ascending, so that equal lineages are equal arrays.
    var formerBits: [Int64] { former.map(\.bits).sorted() }
  }
#endif

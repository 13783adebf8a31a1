import AlterCore

// The decisions of an operator about a synced journal that was restored from a backup.
extension Journal {
  /// Gives up the entries that a restored server's journal lacks: it begins a new generation, and the devices follow it.
  ///
  /// Devices that know entries which the journal does not have stop with the status `restarted`, until the operator has decided. After this
  /// call, each device takes the journal as it is. Its own accepted changes that are missing become refusals with the code `lost`, which
  /// its user can read and make again. Changes that were never decided stay in the outbox.
  ///
  /// Restore with all processes of the server stopped, and decide before they start again.
  ///
  /// - Parameter generation: A random number that no earlier generation has; by default a new one.
  /// - Throws: ``JournalError``; `failed` if no server writes the journal, `conflict` if another process has begun a generation meanwhile.
  public func discardLostEntries(generation: UInt64 = .random(in: 1 ... .max)) async throws(JournalError) {
    let journal = try servedJournal()
    let position = try await journal.position()
    var lineage = position.lineage
    lineage.begin(Generation(generation))
    try await journal.serve(lineage, schema: position.schema, replacing: position.lineage.generation)
  }

  /// Appends the entries that a restored server's journal lacks, from the file of a device, and begins a new generation.
  ///
  /// The devices continue, without a notice for their users. Choose the device with the newest entries; entries that no device has are lost.
  /// The journal must not have taken new changes since the restore: stop all processes of the server before it, and start them after this
  /// call. A call that was interrupted can be repeated, with the same file.
  ///
  /// The entries are verified against the chain, and are byte for byte those that the server has lost. The reasons of refusals are lost for
  /// devices that have not read them yet.
  ///
  /// - Parameters:
  ///   - mirror: The file of a device, or a copy of it.
  ///   - generation: A random number that no earlier generation has; by default a new one.
  ///   - author: Returns the name of the principal behind a pseudonym. The origins of a device whose principal is not known are noted without
  ///     one, and bound by the first principal that uses them.
  /// - Returns: The number of appended entries.
  /// - Throws: ``JournalError``; `diverged` if the file's entries do not follow the journal's last one: the journal has new entries, or the file
  ///   belongs to another journal. `failed` if no server writes the journal, or if the file is no device's.
  /// - Complexity: O(entries of the journal).
  @discardableResult
  public func recover(
    from mirror: any Journal, generation: UInt64 = .random(in: 1 ... .max), author: (Pseudonym) -> String? = { _ in nil }
  ) async throws(JournalError) -> Int {
    let journal = try servedJournal()
    let (first, end, other) = try await recovery(from: mirror)
    var position = first
    var count = 0
    while position.head.revision < end.revision {
      let entries = try await mirror.entries(after: position.head.revision, limit: 500)
      var head = position.head
      var decided: [DecidedDraft] = []
      for entry in entries {
        guard let receipt = entry.receipt else {
          throw JournalError(
            .failed, journal: mirror.name, revision: entry.revision,
            message: "has an entry from before the journal was served, which can't be recovered. Restore a newer backup, or discard.")
        }
        guard Entry(entry.draft, receipt: receipt, after: head).checksum == entry.checksum else {
          throw .damaged(mirror.name, at: entry.revision, "its checksum does not continue the chain. The entries before it were recovered")
        }
        head = head.advanced(by: entry)
        // A refusal is no attempt, and its payload is no cause.
        let cause: Cause? = entry.kind == .refused ? nil : entry.draft.cause.flatMap { try? JournalCoding.decode(from: $0) }
        decided.append(DecidedDraft(entry.draft, receipt: receipt, principal: author(receipt.author) ?? "", retries: cause?.retries))
      }
      guard !decided.isEmpty else { throw .damaged(mirror.name, at: position.head.revision.next, "the entry is missing") }
      _ = try await journal.append(decided, at: position)
      count += decided.count
      position = ServerPosition(head: head, lineage: position.lineage, floor: position.floor, schema: position.schema)
    }
    var lineage = position.lineage
    lineage.learn(other)
    lineage.begin(Generation(generation))
    let schema = try await newestSchema(after: position.floor.revision, through: position.head.revision)
    try await journal.serve(lineage, schema: max(position.schema, schema), replacing: position.lineage.generation)
    return count
  }

  /// Checks that the entries which a restored server's journal lacks can come from the file of a device.
  ///
  /// - Returns: The position of the journal, and the end and the lineage of the device's copy of it.
  /// - Throws: As ``recover(from:generation:author:)``; nothing has changed.
  package func recovery(
    from mirror: any Journal
  ) async throws(JournalError) -> (position: ServerPosition, end: Head, lineage: Lineage) {
    let journal = try servedJournal()
    guard let device = mirror.capabilities.device, let lineage = try await device.lineage() else {
      throw JournalError(.failed, journal: mirror.name, message: "is not a device's copy of a server's journal, or has had no contact yet.")
    }
    let position = try await journal.position()
    let end = try await mirror.head()
    guard end.journal == position.head.journal, end.revision >= position.head.revision,
      try await mirror.head(at: position.head.revision, of: end.journal) == position.head
    else { throw .notRecoverable(name, from: mirror.name, at: position.head.revision) }
    return (position, end, lineage)
  }

  /// The newest schema of the entries. A call that was interrupted may have appended some of them, so all are read.
  private func newestSchema(after start: Revision, through end: Revision) async throws(JournalError) -> Int {
    var (schema, revision) = (0, start)
    while revision < end {
      let entries = try await entries(after: revision, limit: 500)
      guard let last = entries.last else { break }
      schema = entries.reduce(schema) { max($0, $1.draft.schema) }
      revision = last.revision
    }
    return schema
  }

  private func servedJournal() throws(JournalError) -> any ServerJournal {
    guard let journal = capabilities.server else { throw .notServed(name) }
    return journal
  }
}

extension JournalError {
  fileprivate static func notRecoverable(_ name: String, from mirror: String, at revision: Revision) -> JournalError {
    JournalError(
      .diverged, journal: name, revision: revision,
      message: """
        can't be recovered from '\(mirror)': its entries do not follow this journal's last one. Either this journal has taken new changes since it was \
        restored, or the file belongs to another journal. Nothing was changed. Restore the backup again and recover before the server starts, choose \
        another device's file, or discard the lost entries.
        """)
  }
}

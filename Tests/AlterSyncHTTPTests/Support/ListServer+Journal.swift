#if SyncServer
  import AlterJournal
  import AlterStore
  import Foundation

  extension ListServer {
    /// The head of a journal in the database.
    func head(of key: String = "lists/42") async throws -> Head {
      guard let journal = try await stores[key].journal else { throw JournalError.closed(key) }
      return try await journal.head()
    }

    /// The operator's command: begins a new generation of a journal, which continues the generation that devices know.
    ///
    /// - Parameter generation: 16 hexadecimal digits.
    func begin(after generation: String, of key: String = "lists/42") async throws {
      let store = try await stores[key]
      guard let journal = store.journal as? any ServerJournal, let known = Pseudonym(hexadecimal: generation) else {
        throw JournalError(.failed, journal: key, message: "is not served, or '\(generation)' is no generation")
      }
      var lineage = try await journal.position().lineage
      lineage.learn(Lineage(Generation(known.bits)))
      lineage.begin(Generation(.random(in: 1 ... .max)))
      try await journal.serve(lineage, schema: 1)
    }
  }
#endif

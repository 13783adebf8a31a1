#if SyncServer
  import AlterCore
  import AlterJournal
  import AlterStore
  import AlterSyncCore
  import HTTPTypes
  import Hummingbird

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  // The creation of a journal from a device's local one.
  extension SyncService {
    /// Creates a journal. ``checkAccess(to:_:)`` has found that the principal may, or that the journal exists.
    ///
    /// - Returns: 201; 200 if an earlier attempt of the same adoption has created it; 409 if it exists otherwise.
    func adopt(_ call: JournalCall, _ body: Data) async throws -> Response {
      let adoption: SyncMessage.Adoption
      do throws(SyncMessage.Failure) { adoption = try SyncMessage.decodeAdoption(body) } catch {
        let status: HTTPResponse.Status = if case .version = error { .badRequest } else { .unprocessableContent }
        throw SyncRefusal(status, .badEnvelope, "\(error)")
      }
      let enabled = min(options.schema ?? State.schema.version, State.schema.version)
      guard adoption.state.schema <= enabled else {
        throw SyncRefusal(
          .unprocessableContent, .badEnvelope,
          "The state has the schema \(adoption.state.schema), and this server has enabled \(enabled). Update the server, then try again.")
      }
      do { _ = try State.decoding(adoption.state.payload, schema: adoption.state.schema) } catch {
        throw SyncRefusal(.unprocessableContent, .badEnvelope, "The state can't be read: \(JournalCoding.explain(error))")
      }
      let isNew = try await journals.create(call.key, adoption.draft)
      // Serves it from now on.
      try await journals.with(call.key) { _ in }
      guard let isNew else {
        throw SyncRefusal(.conflict, .badEnvelope, "The journal exists already. Open it, or adopt the local one under another key.")
      }
      return response(.page(try await journals.with(call.key) { try await $0.emptyPage() }), status: isNew ? .created : .ok)
    }
  }

  extension ServedJournals {
    /// Writes the initial entry of a journal.
    ///
    /// - Returns: True if the entry was written, false if an earlier attempt has written it; nil if the journal has another initial entry.
    func create(_ key: String, _ draft: Entry.Draft) async throws(JournalError) -> Bool? {
      let journal = try await stores.places.open(key)
      let result: Result<Bool?, JournalError>
      do throws(JournalError) { result = .success(try await Self.create(draft, in: journal)) } catch { result = .failure(error) }
      await journal.close()
      return try result.get()
    }

    private static func create(_ draft: Entry.Draft, in journal: any Journal) async throws(JournalError) -> Bool? {
      let head = try await journal.head()
      if head.revision == .zero {
        do throws(JournalError) {
          _ = try await journal.append([draft], after: head)
          return true
        } catch {
          // Another request, or another process, was first.
          guard error.code == .conflict || error.code == .readOnly else { throw error }
        }
      }
      // The id names the journal and the revision of the state. The bytes may differ: the order of a set is not that of the first attempt.
      do throws(JournalError) { return try await journal.entries(after: .zero, limit: 1).first?.id == draft.id ? false : nil } catch {
        // A compaction has removed the entry, and knows its id.
        guard error.code == .noSuchRevision else { throw error }
        return try await journal.compactedRevisions(of: [draft.id])[draft.id] == 1 ? false : nil
      }
    }
  }
#endif

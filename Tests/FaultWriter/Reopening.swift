#if SQLite
  import AlterJournal

  /// A user of one handle, who tries each call up to three times, as an app would, and opens the file again after a permanent error.
  protocol Reopening {
    associatedtype Handle: Sendable

    /// The open handle.
    var handle: Handle? { get set }
    /// The errors thrown so far.
    var errors: [JournalError] { get set }

    /// Opens the file.
    func open() async throws(JournalError) -> Handle
    func close(_ handle: Handle) async
  }

  extension Reopening {
    /// Calls a handle.
    ///
    /// - Returns: nil if three attempts have failed.
    @discardableResult
    mutating func attempt<Answer>(_ work: (Handle) async throws(JournalError) -> Answer) async -> Answer? {
      for _ in 0..<3 {
        do throws(JournalError) {
          let opened: Handle
          if let handle { opened = handle } else { opened = try await open() }
          handle = opened
          return try await work(opened)
        } catch {
          errors.append(error)
          // A full disk may have space again. After all other errors the next attempt uses a new handle.
          if error.code != .full { await close() }
        }
      }
      return nil
    }

    /// Closes the handle, if there is one.
    mutating func close() async {
      if let handle { await close(handle) }
      handle = nil
    }
  }
#endif

#if SQLite
  import AlterSyncCore

  /// The connection to a server, as ``SyncDriver`` uses it. It holds the address, the token and the sockets, and decides nothing.
  ///
  /// Every call may be cancelled, and should return soon then; the driver does not wait for it. A call that never returns is given up after
  /// the engine's timeout without enough progress.
  package protocol SyncTransport: Sendable {
    /// The limits of the server, as far as they are known.
    var limits: SyncLimits { get }

    /// Sends a request with the present token, and returns the answer.
    ///
    /// - Parameters:
    ///   - request: The request. Of a push, a transport may send the first drafts alone.
    ///   - report: The undecided drafts of the device, for the server's operator; nil if they are not known.
    ///   - progress: Call it when bytes were sent or received, with their number. After enough of them the timeout begins again.
    /// - Throws: Any error: there is no connection, or it broke before the start of an answer. A body that breaks later is a page without a
    ///   head. A rejected token is the answer `unauthorised`, and an answer that is not understood is `notUnderstood`.
    func exchange(
      _ request: Request, reporting report: SyncHTTP.OutboxReport?, progress: @escaping @Sendable (_ bytes: Int) -> Void
    ) async throws -> Answer

    /// The reason that the last answer of ``exchange(_:reporting:progress:)`` gives for what it denies, for people; nil if it denied nothing.
    var fault: String? { get }

    /// Opens the stream of hints. It is open when this method returns, and ends when the consuming task is cancelled.
    ///
    /// The stream should buffer the newest hint alone.
    ///
    /// - Throws: Any error: there is no stream for now. The driver polls until the next attempt.
    func announcements() async throws -> AsyncThrowingStream<Announcement, any Error>

    /// Gets a new token, after the server has rejected the present one.
    ///
    /// - Throws: Any error: the user must sign in again.
    func refreshToken() async throws
  }

  extension SyncTransport {
    package var limits: SyncLimits { SyncLimits() }
    package var fault: String? { nil }
  }

  /// A message of the stream.
  package enum Announcement: Sendable, Hashable {
    /// Nothing is new. The server sends it every 15 seconds.
    case heartbeat
    /// The head of the journal, and the entries before it that were not announced yet, if the server sends them along.
    case hint(Hint, entries: [SyncEntry] = [])
  }
#endif

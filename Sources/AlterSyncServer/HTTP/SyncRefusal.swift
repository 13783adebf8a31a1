#if SyncServer
  import AlterSyncCore
  import Hummingbird

  /// An answer without a page, and its explanation.
  struct SyncRefusal: Error {
    let status: HTTPResponse.Status
    let answer: Answer
    let message: String
    /// The seconds after which another attempt makes sense.
    let seconds: Int?
    /// Whether the connection is closed behind the answer, because the rest of the request is not read.
    let isLast: Bool

    init(
      _ status: HTTPResponse.Status, _ answer: Answer, _ message: String, after seconds: Int? = nil, isLast: Bool = false
    ) {
      (self.status, self.answer, self.message, self.seconds, self.isLast) = (status, answer, message, seconds, isLast)
    }

    /// The same for a journal that the principal may not read, and for one that does not exist.
    static var access: SyncRefusal { SyncRefusal(.forbidden, .forbidden, "The principal may not use this journal.") }
  }
#endif

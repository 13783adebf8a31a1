/// The limits of a server of synced journals. A server tells those that concern a device's requests with each answer, and the device keeps to
/// them.
public struct SyncLimits: Sendable, Hashable {
  /// The number of drafts in one push. Further ones are not decided: the device sends them again.
  public var draftsPerPush = 1_000
  /// The bytes of the body of a push. A larger one is answered by 413. A draft of ``bytesPerDraft`` must fit: a byte of a
  /// payload that is no JSON may take six. A smaller limit is raised.
  public var bytesPerPush = 8 << 20
  /// The bytes of a draft's payload. A larger draft is refused as `tooLarge`.
  public var bytesPerDraft = 1 << 20
  /// The bytes of the body of a request for a snapshot, in which a device names all its undecided drafts: 75 bytes for each.
  public var bytesPerFetch = 32 << 20
  /// The bytes of all bodies of one principal that are being read or decided, for each process of the server: at least those of one body. Further
  /// requests are answered by 429.
  public var bodyBytesPerPrincipal = 64 << 20
  /// The bytes of all bodies that are being read or decided, for each process of the server: at least those of one body. Further requests are
  /// answered by 429.
  public var bodyBytes = 256 << 20
  /// The number of entries in one page.
  public var entriesPerPage = 1_000
  /// The bytes of the entries in one page. The first entry is sent even if it is larger.
  public var bytesPerPage = 4 << 20
  /// The number of pushes of one principal in a minute, for each journal and process of the server. Further ones are answered by 429.
  public var pushesPerMinute = 600
  /// The number of streams of one principal, for each process of the server. Further ones are answered by 429.
  public var streamsPerPrincipal = 32
  /// The number of journals of one stream. A request with more is answered by 422.
  public var journalsPerStream = 100
  /// The number of refusals of one principal in a minute, for each process of the server. Beyond them, drafts that would be refused are held.
  public var refusalsPerMinute = 1_000
  /// The pause after a hold, in seconds.
  public var holdSeconds = 10
  /// The time for the body of a request, in seconds. A body has a second more for each 16 KiB. A slower one is answered by 408.
  public var bodySeconds = 30
  /// The time for which a client may take no bytes of its answer, in seconds. The connection of a slower one is closed.
  public var readerSeconds = 30

  /// Creates the default limits.
  package init() {}

  /// The bytes of a push that every draft of ``bytesPerDraft`` fits in: a payload that is no JSON is sent as text, in which a byte may take
  /// six.
  package var pushBytes: Int { max(bytesPerPush, bytesPerDraft.saturatingMultiplied(by: 6).saturatingAdding(65_536)) }
}

// Limits may be as large as a number can be: then they limit nothing.
extension Int {
  /// The product of two numbers above 0; the largest number if it is larger.
  package func saturatingMultiplied(by other: Int) -> Int {
    let (product, isOver) = multipliedReportingOverflow(by: other)
    return isOver ? .max : product
  }

  /// The sum of two numbers above 0; the largest number if it is larger.
  package func saturatingAdding(_ other: Int) -> Int {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? .max : sum
  }
}

import AlterCore
import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The messages of sync over HTTP: methods, paths, header fields and statuses. `docs/sync.md` specifies them.
package enum SyncHTTP {
  /// The header field with the version of the protocol, in requests and answers.
  package static let version = "Alter-Sync"
  /// The header field with the principal of the device's file, as ``PercentText``.
  package static let principal = "Alter-Principal"
  /// The header field with the limits of the server, in answers.
  package static let limits = "Alter-Limits"
  /// The header field with the undecided drafts of a device, in requests.
  package static let outbox = "Alter-Outbox"
  /// The media type of messages.
  package static let mediaType = "application/jsonl"

  /// A request without the token.
  package struct Call: Sendable, Hashable {
    package var method: String
    /// The path and the query behind the address of the server, with a `/` at the start.
    package var target: String
    package var headers: [String: String]
    package var body: Data?
  }

  /// Writes a request.
  ///
  /// - Parameters:
  ///   - message: The request and the key of the journal.
  ///   - limit: The bytes of the body of a push. The drafts that exceed them are left out, except for the first one.
  package static func call(_ message: SyncMessage.Addressed, limit: Int) -> Call {
    let request = message.request
    var call = Call(
      method: "POST", target: "/journals/" + PercentText.encode(message.key),
      headers: [version: "\(SyncMessage.version)", principal: PercentText.encode(request.principal.name)])
    switch request.body {
    case .pull:
      call.method = "GET"
      var query: [(String, String)] = []
      if let position = request.position {
        query = [
          ("after", "\(position.revision.number)"), ("checksum", position.checksum.description), ("journal", position.journal.description),
        ]
      }
      if let generation = request.generation { query.append(("generation", Pseudonym(bits: generation.number).description)) }
      if request.floor > .zero { query.append(("floor", "\(request.floor.number)")) }
      call.target += "/entries" + (query.isEmpty ? "" : "?") + query.map { "\($0)=\($1)" }.joined(separator: "&")
    case .push:
      call.target += "/entries"
      call.body = SyncMessage.encode(message, limit: limit)
    case .fetch:
      call.target += "/snapshot"
      call.body = SyncMessage.encode(message)
    }
    if call.body != nil { call.headers["Content-Type"] = mediaType }
    return call
  }

  /// Writes the request that creates a journal from a local one.
  package static func call(_ adoption: SyncMessage.Adoption, of key: String) -> Call {
    Call(
      method: "PUT", target: "/journals/" + PercentText.encode(key) + "/entries",
      headers: [version: "\(SyncMessage.version)", "Content-Type": mediaType], body: SyncMessage.encode(adoption))
  }

  /// Writes the request for a stream of hints, with entries.
  package static func live(_ keys: [String]) -> Call {
    Call(
      method: "GET", target: "/live?" + keys.map { "journal=" + PercentText.encode($0) }.joined(separator: "&") + "&entries=1",
      headers: [version: "\(SyncMessage.version)", "Accept": "text/event-stream"])
  }

  /// Reads a pull.
  ///
  /// - Returns: nil if a part is missing or invalid. Unknown parts are ignored.
  package static func pull(query: [String: String], principal: Principal) -> Request? {
    var position: Head?
    if query["after"] != nil || query["checksum"] != nil || query["journal"] != nil {
      guard let revision = query["after"].flatMap({ Int64($0) }), revision >= 0,
        let checksum = query["checksum"].flatMap(Checksum.init(hexadecimal:)),
        let journal = query["journal"].flatMap({ UUID(uuidString: $0) })
      else { return nil }
      position = Head(journal: JournalID(journal), revision: Revision(revision), checksum: checksum)
    }
    var generation: Generation?
    if let text = query["generation"] {
      guard let bits = Pseudonym(hexadecimal: text)?.bits else { return nil }
      generation = Generation(bits)
    }
    let floor = query["floor"].map { Int64($0) } ?? 0
    guard let floor, floor >= 0 else { return nil }
    return Request(.pull, position: position, floor: Revision(floor), principal: principal, generation: generation)
  }

  /// Reads a query; nil if it is invalid. Of repeated names the first counts.
  package static func query(_ text: String) -> [(name: String, value: String)]? {
    var items: [(name: String, value: String)] = []
    for item in text.split(separator: "&") {
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = PercentText.decode(parts[0]), let value = PercentText.decode(parts.count > 1 ? parts[1] : "") else { return nil }
      items.append((name, value))
    }
    return items
  }

  // MARK: - Header fields

  /// Writes numbers: `drafts=1000 push=8388608`.
  static func field(_ numbers: [(String, Int64)]) -> String { numbers.map { "\($0)=\($1)" }.joined(separator: " ") }

  /// Reads numbers. A part that is not understood is ignored.
  static func numbers(_ field: String) -> [String: Int64] {
    var numbers: [String: Int64] = [:]
    for item in field.split(separator: " ") {
      let parts = item.split(separator: "=", maxSplits: 1)
      if parts.count == 2, let number = Int64(parts[1]) { numbers[String(parts[0])] = number }
    }
    return numbers
  }
}

extension SyncLimits {
  /// The header field with the limits that a device keeps to.
  package var field: String {
    SyncHTTP.field([
      ("drafts", Int64(draftsPerPush)), ("push", Int64(pushBytes)), ("draft", Int64(bytesPerDraft)), ("fetch", Int64(bytesPerFetch)),
      ("journals", Int64(journalsPerStream)),
    ])
  }

  /// Takes the limits of a server's header field. Numbers below 1 are ignored.
  package mutating func take(field: String) {
    let numbers = SyncHTTP.numbers(field).filter { $0.value >= 1 }.mapValues { Int(clamping: $0) }
    draftsPerPush = numbers["drafts"] ?? draftsPerPush
    bytesPerPush = numbers["push"] ?? bytesPerPush
    bytesPerDraft = numbers["draft"] ?? bytesPerDraft
    bytesPerFetch = numbers["fetch"] ?? bytesPerFetch
    journalsPerStream = numbers["journals"] ?? journalsPerStream
  }
}

import AlterCore
import AlterJournal
import AlterSyncCore

extension DeviceContents {
  /// Returns a text that is equal for equal contents of a device's file.
  ///
  /// - Parameters:
  ///   - start: The entry before the first one of the mirror.
  ///   - head: The last entry of the mirror. Its checksum covers all others.
  package func fingerprint(start: Head, head: Head) -> String {
    var parts = ["\(principal)", "\(lineage.map { "\($0)" } ?? "no contact")", "\(start)", "\(head)"]
    parts += origins.map { "\($0.uuid)" }.sorted()
    parts += outbox.drafts.map { "draft \($0.id) \($0.hash) \(outbox.known[$0.id].map { "\($0)" } ?? "undecided")" }
    parts += refusals.map { "refused \($0.draft.id) \($0.draft.hash) \($0.code.rawValue) \($0.reason ?? "")" }
    parts += awaited.map { "awaited \($0.draft.id) \($0.draft.hash) \($0.revision) \($0.generation)" }
    var hash = SipHash128(key0: 0, key1: 0)
    for part in parts {
      hash.combine(UInt64(part.utf8.count))
      var part = part
      part.withUTF8 { hash.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
    let (high, low) = hash.finalize()
    return String(high, radix: 16) + String(low, radix: 16)
  }
}

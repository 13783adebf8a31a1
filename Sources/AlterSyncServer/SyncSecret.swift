import AlterCore
public import AlterJournal
import AlterSyncCore

/// The secret with which a server turns the names of principals into the pseudonyms of its entries.
///
/// Devices receive the pseudonyms of all authors, so that they can tell whose change is whose. Without the secret, no device can find out the
/// name behind one. All processes that serve a journal need the same secret. With another one, known authors have new pseudonyms, and the
/// reasons of earlier refusals no longer reach their authors; nothing else is lost.
public struct SyncSecret: Sendable {
  let words: (UInt64, UInt64)

  /// Creates a secret.
  ///
  /// - Parameter text: A random text of at least 16 bytes, for example 32 hexadecimal digits from a configuration or a vault. It is an error of
  ///   the program if it is shorter.
  public init(_ text: String) {
    precondition(text.utf8.count >= 16, "A secret of sync needs at least 16 bytes, and this one has \(text.utf8.count).")
    var hash = SipHash128(key0: 0x616c_7465_7220_7379, key1: 0x6e63_2073_6563_7265)
    var text = text
    text.withUTF8 { hash.combine(bytes: UnsafeRawBufferPointer($0)) }
    words = hash.finalize()
  }

  /// Returns a function that finds the principals behind pseudonyms, for ``/AlterJournal/Journal/recover(from:generation:author:)``.
  ///
  /// - Parameter principals: All names that come into question.
  /// - Complexity: O(names), and O(1) for each pseudonym.
  public func author(among principals: some Sequence<String>) -> @Sendable (Pseudonym) -> String? {
    var names: [Pseudonym: String] = [:]
    for name in principals { names[Principal(name).pseudonym(key: words)] = name }
    return { [names] in names[$0] }
  }
}

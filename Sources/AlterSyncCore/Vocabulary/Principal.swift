import AlterCore

/// An authenticated user or service, as the server's authenticator names it.
package struct Principal: Sendable, Hashable, CustomStringConvertible {
  /// The name, unique on the server.
  package let name: String

  package init(_ name: String) { self.name = name }

  package var description: String { name }

  /// The name under which the principal appears in receipts: a keyed hash, so that a journal does not contain the name itself.
  ///
  /// - Parameter key: Two secret words of the server.
  package func pseudonym(key: (UInt64, UInt64)) -> Pseudonym {
    var hash = SipHash128(key0: key.0, key1: key.1)
    hash.combine(field: name)
    return Pseudonym(bits: hash.finalize().0)
  }
}

/// The name of a principal in receipts.
package struct Pseudonym: Sendable, Hashable {
  package let bits: UInt64

  package init(bits: UInt64) { self.bits = bits }
}

/// The server's note on an entry: the author and the time of arrival. The checksum chain covers it; it is not part of the draft.
package struct Receipt: Sendable, Hashable {
  /// The principal that sent the draft.
  package let author: Pseudonym
  /// Microseconds since 1970 UTC, by the server's clock.
  package let arrival: Int64

  package init(author: Pseudonym, arrival: Int64) {
    self.author = author
    self.arrival = arrival
  }
}

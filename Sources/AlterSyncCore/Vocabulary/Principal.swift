import AlterCore
import AlterJournal

/// An authenticated user or service, as the server's authenticator names it.
package struct Principal: Sendable, Hashable, CustomStringConvertible {
  /// The name, unique on the server.
  package let name: String

  package init(_ name: String) { self.name = name }

  /// The server itself. No authenticator may name a user so: only the server's answers to requests that act come from it.
  package static let server = Principal("alter/server")

  package var description: String { name }

  /// Whether a device's file of this principal is locked for a user. A locked file takes no changes, its view is not shown, and nothing of it is
  /// sent: the server would store the user's change with the owner's receipt, as soon as the owner signs in.
  ///
  /// - Parameter user: The signed-in user; nil for none.
  package func locks(_ user: Principal?) -> Bool { user != self }

  /// The name under which the principal appears in receipts: a keyed hash, so that a journal does not contain the name itself.
  ///
  /// - Parameter key: Two secret words of the server.
  package func pseudonym(key: (UInt64, UInt64)) -> Pseudonym {
    var hash = SipHash128(key0: key.0, key1: key.1)
    hash.combine(field: name)
    return Pseudonym(bits: hash.finalize().0)
  }
}

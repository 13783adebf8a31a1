import AlterCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The reason for which a payload cannot become part of a state.
package enum PayloadError: Error, Sendable, Hashable {
  /// The payload cannot be decoded.
  case undecodable
  /// The state refuses a change.
  case refused(String)
}

/// A state as sync needs it: it starts from bytes, and bytes change it.
///
/// A journaled state fulfils this with its decoder and its `apply`; the tests use a state without JSON, which is many times faster.
package protocol SyncState: Sendable, Equatable {
  /// Creates the state of an initial entry.
  init(initial: Data)

  /// Applies a batch of changes. If it throws, the caller discards the state.
  mutating func apply(_ payload: Data, schema: Int, at stamp: Stamp) throws(PayloadError)
}

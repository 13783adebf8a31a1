import AlterCore
import AlterSyncCore

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

/// A state as the model needs it: it starts from bytes, bytes change it, and it has a form in bytes, in which a device receives it.
package protocol SyncState: Sendable, Equatable {
  /// Creates the state of an initial entry.
  init(initial: Data)

  /// Reads the state from the form of ``bytes``.
  init(_ bytes: StateBytes)

  /// The state as an answer carries it.
  var bytes: StateBytes { get }

  /// Applies a batch of changes. If it throws, the caller discards the state.
  mutating func apply(_ payload: Data, schema: Int, at stamp: Stamp) throws(PayloadError)
}

extension SyncState {
  /// Reads the form of a state that is its own initial payload.
  package init(_ bytes: StateBytes) { self.init(initial: bytes.payload) }
}

import AlterCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A state as a device receives and keeps it: bytes, which only a store decodes.
package struct StateBytes: SyncState {
  /// The JSON of the state.
  package let payload: Data
  /// The schema version of the JSON.
  package let schema: Int

  package init(_ payload: Data, schema: Int) {
    self.payload = payload
    self.schema = schema
  }

  package init(initial: Data) { self.init(initial, schema: 1) }

  /// Bytes take no changes: a device's file folds nothing.
  package mutating func apply(_ payload: Data, schema: Int, at stamp: Stamp) throws(PayloadError) { throw .undecodable }
}

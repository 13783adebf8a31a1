import AlterCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A state as a device receives and keeps it: bytes, which only a store decodes.
package struct StateBytes: Sendable, Hashable {
  /// The JSON of the state.
  package let payload: Data
  /// The schema version of the JSON.
  package let schema: Int

  package init(_ payload: Data, schema: Int) {
    self.payload = payload
    self.schema = schema
  }
}

import AlterCore
import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The layout of `Design/0003-journal-format.md`: a length precedes every field of variable size.
extension SipHash128 {
  package mutating func combine(field bytes: Data) {
    combine(UInt64(bytes.count))
    bytes.withUnsafeBytes { combine(bytes: $0) }
  }

  package mutating func combine(field text: String) {
    var text = text
    text.withUTF8 {
      combine(UInt64($0.count))
      combine(bytes: UnsafeRawBufferPointer($0))
    }
  }

  package mutating func combine(_ id: EntryID) {
    let origin = id.origin.uuid.halves
    combine(origin.high)
    combine(origin.low)
    combine(UInt64(bitPattern: id.sequence))
  }

  package mutating func combine(_ id: EntryID?) {
    combine(id == nil ? 0 : 1)
    if let id { combine(id) }
  }

  package mutating func combine(_ checksum: Checksum) {
    combine(checksum.high)
    combine(checksum.low)
  }
}

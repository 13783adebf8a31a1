import AlterCore

// The layout of `Design/0003-journal-format.md`: a length precedes every field of variable size.
extension SipHash128 {
  mutating func combine(field text: String) {
    var text = text
    text.withUTF8 {
      combine(UInt64($0.count))
      combine(bytes: UnsafeRawBufferPointer($0))
    }
  }
}

#if JWT
  /// The encoding of RFC 7515, appendix C: base64 with `-` and `_`, without padding.
  enum Base64URL {
    /// Returns the bytes; nil if the text has any other character, padding, an impossible length, or bits after the last byte other than 0.
    ///
    /// Each sequence of bytes therefore has exactly one text, so that a token has no second form.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(text.count / 4 * 3 + 2)
      // The bits that have not become a byte yet.
      var (bits, count): (UInt32, Int) = (0, 0)
      for character in text {
        let value: UInt8
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"): value = 62
        case UInt8(ascii: "_"): value = 63
        default: return nil
        }
        bits = bits << 6 | UInt32(value)
        count += 6
        if count >= 8 {
          count -= 8
          bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
          bits &= 1 << UInt32(count) - 1
        }
      }
      return count < 6 && bits == 0 ? bytes : nil
    }
  }
#endif

extension StoredReader {
  static func isLess(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
    left.lexicographicallyPrecedes(right)
  }

  /// Searches for a key that is not the next one, and skips the lesser ones.
  @usableFromInline @inline(never)
  mutating func search(_ name: UnsafePointer<UInt8>, _ count: Int, _ object: inout StoredObject) throws(StoredFormError) -> Bool {
    if isAbsent(name, count, object) { return false }
    let name = UnsafeBufferPointer(start: name, count: count)
    while byte != UInt8(ascii: "}") {
      let start = position
      let key = try nextKey(&object)
      guard StoredReader.isLess(key, name) else {
        guard StoredReader.isLess(name, key) else {
          // The key itself, behind skipped ones.
          object.last = key.baseAddress
          return true
        }
        position = start
        return false
      }
      try skip(key, in: &object)
    }
    return false
  }

  /// Whether the next key is greater, which the first byte that differs usually shows. The bytes are checked when that key is read.
  @inline(__always)
  private func isAbsent(_ name: UnsafePointer<UInt8>, _ count: Int, _ object: StoredObject) -> Bool {
    // A comma if it is not the first, and a quote.
    let key = position + (object.last == nil ? 1 : 2)
    var index = 0
    while end - key > index {
      let byte = key[index]
      guard byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else { return false }
      if index == count || byte > name[index] { return true }
      guard byte == name[index] else { return false }
      index += 1
    }
    return false
  }

  /// Skips the keys up to the end of the object, and leaves the reader at its brace.
  @usableFromInline @inline(never)
  mutating func skipRest(_ object: inout StoredObject) throws(StoredFormError) {
    while byte != UInt8(ascii: "}") { try skip(try nextKey(&object), in: &object) }
  }

  /// Reads the comma, the key and the colon.
  private mutating func nextKey(_ object: inout StoredObject) throws(StoredFormError) -> UnsafeBufferPointer<UInt8> {
    if object.last != nil { try take(UInt8(ascii: ",")) }
    try take(UInt8(ascii: "\""))
    let key = try plainKey(from: position)
    position += key.count + 1
    try take(UInt8(ascii: ":"))
    return key
  }

  /// Returns the bytes up to the quote.
  private func plainKey(from start: UnsafePointer<UInt8>) throws(StoredFormError) -> UnsafeBufferPointer<UInt8> {
    var next = start
    while next < end, next.pointee != UInt8(ascii: "\"") {
      guard next.pointee >= 0x20, next.pointee != UInt8(ascii: "\\") else { throw StoredFormError() }
      next += 1
    }
    guard next < end else { throw StoredFormError() }
    return UnsafeBufferPointer(start: start, count: next - start)
  }

  /// Skips the value of an unknown key.
  ///
  /// For Foundation, the names of keys are equal if they are canonically equivalent; those of ASCII characters only if their bytes are
  /// equal. Ascending keys differ from one another.
  private mutating func skip(_ key: UnsafeBufferPointer<UInt8>, in object: inout StoredObject) throws(StoredFormError) {
    guard key.allSatisfy({ $0 < 0x80 }) else { throw StoredFormError() }
    if let last = object.last { guard StoredReader.isLess(try plainKey(from: last), key) else { throw StoredFormError() } }
    object.last = key.baseAddress
    skippedKey = true
    try skipValue()
  }

  /// Skips a value, and checks it strictly.
  mutating func skipValue() throws(StoredFormError) {
    switch byte {
    case UInt8(ascii: "{"):
      position += 1
      try enter()
      var isFirst = true
      while byte != UInt8(ascii: "}") {
        if !isFirst { try take(UInt8(ascii: ",")) }
        isFirst = false
        _ = try string()
        try take(UInt8(ascii: ":"))
        try skipValue()
      }
      position += 1
      depth -= 1
    case UInt8(ascii: "["):
      position += 1
      try enter()
      var isFirst = true
      while byte != UInt8(ascii: "]") {
        if !isFirst { try take(UInt8(ascii: ",")) }
        isFirst = false
        try skipValue()
      }
      position += 1
      depth -= 1
    case UInt8(ascii: "\""): _ = try string()
    case UInt8(ascii: "t"): guard takes("true") else { throw StoredFormError() }
    case UInt8(ascii: "f"): guard takes("false") else { throw StoredFormError() }
    case UInt8(ascii: "n"): guard takes("null") else { throw StoredFormError() }
    default: _ = try scanNumber()
    }
  }
}

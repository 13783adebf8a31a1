/// A name or a place in stored data, as a coding key.
struct WireKey: CodingKey {
  let stringValue: String
  let intValue: Int? = nil

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}

/// A type's name for people: `AppState.Change`, without its module, which helps nobody.
func wireName(of type: Any.Type) -> String {
  let name = String(reflecting: type)
  // The modules inside of generic arguments stay: there the short name could be anybody's.
  guard let dot = name.firstIndex(of: "."), !name[..<dot].contains("<") else { return name }
  // A type of a function or a file reads `(unknown context at $7f…).Item`.
  let parts = name[name.index(after: dot)...].split(separator: ".", omittingEmptySubsequences: false)
  return parts.filter { !$0.hasPrefix("(unknown context") }.joined(separator: ".")
}

/// A coding key for the name of a case or a property.
struct WireKey: CodingKey {
  let stringValue: String
  let intValue: Int? = nil

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}

/// Returns the name of a type for error messages: `AppState.Change`, without its module.
func wireName(of type: Any.Type) -> String {
  let name = String(reflecting: type)
  // Modules inside generic arguments stay, because there the short name would be ambiguous.
  guard let dot = name.firstIndex(of: "."), !name[..<dot].contains("<") else { return name }
  // The name of a type that is local to a function or file contains `(unknown context at $7f…).Item`.
  let parts = name[name.index(after: dot)...].split(separator: ".", omittingEmptySubsequences: false)
  return parts.filter { !$0.hasPrefix("(unknown context") }.joined(separator: ".")
}

/// Facts beside the figures, such as the share of a processor that a load generator has used. The page has them below its table.
nonisolated(unsafe) private(set) var notes: [String] = []

/// Prints a note, and keeps it for the page.
func note(_ text: String) {
  print("  \(text)")
  notes.append(text)
}

import AlterSyncCore

extension Page {
  /// Returns the first part of a body that the network has cut: `count` lines and entries, and no head.
  ///
  /// The verdicts come first. Otherwise a device on a bad line would receive them only after all entries.
  package func cut(after count: Int) -> Page {
    var page = self
    page.lines = Array(lines.prefix(count))
    page.entries = Array(entries.prefix(max(0, count - lines.count)))
    page.reasons = reasons.filter { id, _ in page.entries.contains { $0.id == id } }
    page.hold = nil
    page.head = nil
    return page
  }
}

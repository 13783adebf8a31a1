import AlterCore
import AlterJournal

/// Consecutive entries, some of which may be unreadable.
struct Page: Sendable {
  var entries: [Entry] = []
  /// The unreadable entries, with the reasons.
  var problems: [(revision: Int64, message: String)] = []
  /// The last revision of the page.
  var end: Int64

  /// Reading fails after this number of consecutive unreadable entries.
  static let failureLimit = 20

  /// The approximate maximum size of a page, in bytes. A page ends after the read that reaches it.
  static let size: Int64 = 16 << 20
}

extension Journal {
  /// Reads entries from a revision on, and skips damaged ones.
  ///
  /// - Parameters:
  ///   - first: The first revision.
  ///   - last: The last revision; not beyond the head.
  /// - Returns: The entries up to the last revision; fewer if they are large, but at least one.
  /// - Throws: `JournalError` if too many consecutive entries are damaged, or the journal cannot be read.
  func page(_ first: Int64, through last: Int64) async throws(JournalError) -> Page {
    var page = Page(end: first.saturatingAdding(-1))
    var failures = 0
    var size: Int64 = 0
    while page.end < last, size < Page.size {
      do throws(JournalError) {
        let read = try await entries(after: Revision(page.end), limit: Int(clamping: last.saturatingSubtracting(page.end)))
        // An empty result is only right at the end, and this is not the end. Skipping entry by entry would take as long as the head is
        // large.
        guard let end = read.last?.revision.number else {
          failures = Page.failureLimit
          throw .damaged(name, at: Revision(page.end).next, "the entry is missing, although the journal's head has a later revision")
        }
        page.entries += read
        for entry in read { size = size.saturatingAdding(entry.size) }
        page.end = end
        failures = 0
      } catch {
        guard error.code == .damaged, failures < Page.failureLimit else { throw error }
        failures += 1
        page.end += 1
        page.problems.append((page.end, error.description))
      }
    }
    return page
  }

  /// Reads a range of entries page by page, so that only one page is in memory.
  ///
  /// - Throws: `JournalError` as ``page(_:through:)``; any error of `body`.
  func eachPage(_ first: Int64, through last: Int64, _ body: (Page) async throws -> Void) async throws {
    var next = first
    while next <= last {
      let page = try await page(next, through: last)
      try await body(page)
      guard page.end < last else { return }
      next = page.end + 1
    }
  }

  /// Reads the last entries of a range, in their order.
  ///
  /// - Parameter first: The first revision of the range. The page begins later if the entries are large.
  /// - Throws: `JournalError` as ``page(_:through:)``.
  func page(endingAt last: Int64, from first: Int64) async throws(JournalError) -> Page {
    var first = first
    while true {
      let page = try await page(first, through: last)
      guard page.end < last else { return page }
      // Try again with half the range.
      first = last - (last - first) / 2
    }
  }
}

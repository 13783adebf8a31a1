import AlterCore
import AlterJournal

/// Consecutive entries, as far as they can be read.
struct Page: Sendable {
  var entries: [Entry] = []
  /// Those that can't, and why.
  var problems: [(revision: Int64, message: String)] = []
  /// The last revision that it tells of.
  var end: Int64

  /// So many entries in a row that can't be read end the reading.
  static let failureLimit = 20

  /// A page ends with the entry by which it reaches this many bytes, about.
  static let size: Int64 = 16 << 20
}

extension Journal {
  /// Reads entries from a revision on, and goes on behind one that is damaged.
  ///
  /// - Parameters:
  ///   - first: The first revision.
  ///   - last: The last revision; not beyond the head.
  /// - Returns: What is there up to the last revision, or less of it where entries are large: at least one of them.
  /// - Throws: `JournalError` when nothing can be read any more.
  func page(_ first: Int64, through last: Int64) async throws(JournalError) -> Page {
    var page = Page(end: first.saturatingAdding(-1))
    var failures = 0
    var size: Int64 = 0
    while page.end < last, size < Page.size {
      do throws(JournalError) {
        let read = try await entries(after: Revision(page.end), limit: Int(clamping: last.saturatingSubtracting(page.end)))
        // None only at the end, which this isn't. Going on would take as long as the head is large.
        guard let end = read.last?.revision.number else {
          failures = Page.failureLimit
          throw .damaged(name, at: Revision(page.end).next, "the entry is missing, although the journal's head says it ends later")
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

  /// Reads a range of entries page by page, so that they are never all in memory.
  ///
  /// - Throws: `JournalError` when nothing can be read any more; what `body` throws.
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
  /// - Parameter first: Where to begin; later where entries are large.
  /// - Throws: `JournalError` when nothing can be read any more.
  func page(endingAt last: Int64, from first: Int64) async throws(JournalError) -> Page {
    var first = first
    while true {
      let page = try await page(first, through: last)
      guard page.end < last else { return page }
      // Half as many.
      first = last - (last - first) / 2
    }
  }
}

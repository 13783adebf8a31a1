import AlterCore
import AlterJournal

/// Consecutive entries, as far as they can be read.
struct Page: Sendable {
  var entries: [Entry] = []
  /// Those that can't, and why.
  var problems: [(revision: Int64, message: String)] = []

  /// So many entries in a row that can't be read end the reading.
  static let patience = 20
}

extension Journal {
  /// Reads a range of entries, and goes on behind one that is damaged.
  ///
  /// - Parameters:
  ///   - first: The first revision.
  ///   - last: The last revision; not beyond the head.
  /// - Throws: `JournalError` when nothing can be read any more.
  func page(_ first: Int64, through last: Int64) async throws(JournalError) -> Page {
    var page = Page()
    var position = first - 1
    var failures = 0
    while position < last {
      do throws(JournalError) {
        let read = try await entries(after: Revision(position), limit: Int(last - position))
        guard let end = read.last?.revision.number else { return page }
        page.entries += read
        position = end
        failures = 0
      } catch {
        guard error.code == .damaged, failures < Page.patience else { throw error }
        failures += 1
        position += 1
        page.problems.append((position, error.description))
      }
    }
    return page
  }
}

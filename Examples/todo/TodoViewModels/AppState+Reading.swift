import Alter
import TodoCore

extension AppState {
  /// Reads the present state from a journal, which is not changed, and closes the journal.
  ///
  /// - Parameter journal: The journal, opened for reading only.
  /// - Throws: `JournalError` if the journal can't be read.
  init(reading journal: any Journal) async throws(JournalError) {
    do throws(JournalError) {
      let head = try await journal.head()
      // A process that was killed right after it created the journal leaves one without entries.
      self = head.revision > .zero ? try await Store<AppState>.state(at: head.revision, in: journal) : AppState()
    } catch {
      await journal.close()
      throw error
    }
    await journal.close()
  }
}

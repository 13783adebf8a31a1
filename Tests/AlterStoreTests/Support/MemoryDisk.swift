import Alter
import AlterCore
import AlterTesting
import StoreTesting

/// Journals in memory by key, which outlive the handles of stores. It counts the open handles and notices two handles of one key.
final class MemoryDisk: Sendable {
  private struct Contents {
    var journals: [String: MemoryJournal] = [:]
    var handles: [String: Int] = [:]
    var openings: [String: Int] = [:]
    var open = 0
    var most = 0
    var clashes = 0
  }

  private let contents = Lock(Contents())
  /// Decides on an opening of a key, for the n-th time: returns the error to throw.
  private let refusing: @Sendable (_ key: String, _ number: Int) -> JournalError?
  /// Wraps the journal of a key.
  private let wrapping: @Sendable (_ key: String, any Journal) -> any Journal
  private let beforeClosing: @Sendable (_ key: String) async -> Void

  init(
    refusing: @escaping @Sendable (_ key: String, _ number: Int) -> JournalError? = { _, _ in nil },
    wrapping: @escaping @Sendable (_ key: String, any Journal) -> any Journal = { $1 },
    beforeClosing: @escaping @Sendable (_ key: String) async -> Void = { _ in }
  ) {
    (self.refusing, self.wrapping, self.beforeClosing) = (refusing, wrapping, beforeClosing)
  }

  var places: JournalPlaces { places(descriptors: 0) }

  func places(descriptors: Int) -> JournalPlaces {
    JournalPlaces(descriptors: descriptors) { [self] key throws(JournalError) in
      let (journal, number, clashes) = contents.withLock { contents in
        let journal = contents.journals[key] ?? MemoryJournal(name: key)
        contents.journals[key] = journal
        contents.openings[key, default: 0] += 1
        return (journal, contents.openings[key]!, contents.handles[key, default: 0] > 0)
      }
      if let error = refusing(key, number) { throw error }
      contents.withLock { contents in
        contents.handles[key, default: 0] += 1
        if clashes { contents.clashes += 1 }
        contents.open += 1
        contents.most = max(contents.most, contents.open)
      }
      let isOpen = Lock(true)
      return ScriptedJournal(wrapping(key, journal)) { answers in
        answers.close = {
          let isFirst = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
          }
          guard isFirst else { return }
          await self.beforeClosing(key)
          self.contents.withLock { contents in
            contents.handles[key]! -= 1
            contents.open -= 1
          }
        }
      }
    }
  }

  /// The journal of a key, for reading it beside the stores.
  func journal(_ key: String) -> MemoryJournal? { contents.withLock { $0.journals[key] } }

  /// The number of openings of a key so far.
  func openings(_ key: String) -> Int { contents.withLock { $0.openings[key] ?? 0 } }

  /// The keys that have an open handle.
  var openKeys: Set<String> { contents.withLock { Set($0.handles.filter { $0.value > 0 }.keys) } }

  /// The number of open handles.
  var openHandles: Int { contents.withLock { $0.open } }

  /// The greatest number of handles that were open at once.
  var mostHandles: Int { contents.withLock { $0.most } }

  /// The number of times that a key was opened although it was open.
  var clashes: Int { contents.withLock { $0.clashes } }
}

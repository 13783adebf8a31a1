import Alter
import Foundation

extension FastingEnvironment {
  /// An environment with a JSON file and the wall clock.
  ///
  /// - Parameter path: The file. It need not exist, but its folder must. A file with times as numbers, from an older version, is read, too.
  public static func file(at path: String) -> FastingEnvironment {
    FastingEnvironment(
      load: { () throws(StorageError) in
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
          let stored = try JSONValue(parsing: Data(contentsOf: URL(fileURLWithPath: path)))
          // The type is explicit: decoded as an optional, a file with the text 'null' would be an empty timer.
          return try JournalCoding.decode(FastingState.self, from: FastingState.withDates(stored).data)
        } catch {
          throw StorageError("can't read \(path): \(error)")
        }
      },
      save: { state throws(StorageError) in
        do {
          try JournalCoding.encode(state).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
          throw StorageError("can't write \(path): \(error)")
        }
      },
      now: { Date() })
  }
}

import Alter
import Foundation

extension FastingEnvironment {
  /// An environment with a JSON file and the wall clock.
  ///
  /// - Parameter path: The file. It need not exist, but its folder must.
  public static func file(at path: String) -> FastingEnvironment {
    FastingEnvironment(
      load: { () throws(StorageError) in
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
          return try JSONDecoder().decode(FastingState.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
          throw StorageError("can't read \(path): \(error)")
        }
      },
      save: { state throws(StorageError) in
        do {
          try JSONEncoder().encode(state).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
          throw StorageError("can't write \(path): \(error)")
        }
      },
      now: { Date().microseconds })
  }
}

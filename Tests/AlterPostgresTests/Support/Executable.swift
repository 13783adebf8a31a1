#if Postgres
  import Foundation

  /// Where the built commands are: beside the test bundle, whichever configuration was built.
  enum Executable {
    struct NotBuilt: Error, CustomStringConvertible {
      let name: String
      let folders: [String]
      var description: String { "The executable '\(name)' is in none of: \(folders.joined(separator: ", "))." }
    }

    static func ledgerWriter() throws -> String { try path("ledger-writer") }

    static func todo() throws -> String { try path("todo") }

    /// The inspector without an app's types.
    static func alter() throws -> String { try path("alter") }

    private static func path(_ name: String) throws -> String {
      let bundles = Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }.map(\.bundleURL)
      let folders = (bundles + [URL(fileURLWithPath: CommandLine.arguments[0]), Bundle.main.executableURL].compactMap { $0 })
        .map { $0.deletingLastPathComponent().path }
      guard let folder = folders.first(where: { FileManager.default.isExecutableFile(atPath: $0 + "/" + name) }) else {
        throw NotBuilt(name: name, folders: folders)
      }
      return folder + "/" + name
    }
  }
#endif

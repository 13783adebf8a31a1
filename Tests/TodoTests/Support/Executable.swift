import Foundation

/// Where the built `todo` is: beside the test bundle, whichever configuration was built.
enum Executable {
  struct NotBuilt: Error, CustomStringConvertible {
    let folders: [String]
    var description: String { "The executable 'todo' is in none of: \(folders.joined(separator: ", ")). Build it with the trait Examples." }
  }

  static func path() throws -> String {
    let bundles = Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }.map(\.bundleURL)
    let folders = (bundles + [URL(fileURLWithPath: CommandLine.arguments[0]), Bundle.main.executableURL].compactMap { $0 })
      .map { $0.deletingLastPathComponent().path }
    guard let folder = folders.first(where: { FileManager.default.isExecutableFile(atPath: $0 + "/todo") }) else {
      throw NotBuilt(folders: folders)
    }
    return folder + "/todo"
  }
}

// The five articles from which Alter grew: the samples of each, with the article's names.
//
//   articles [FOLDER]    runs them; files go into the folder, by default a temporary one

#if Macros
  import Alter
  import Foundation

  @main @MainActor struct Articles {
    static func main() async throws {
      let temporary = FileManager.default.temporaryDirectory.appending(path: "articles-" + UUID().uuidString)
      let folder = CommandLine.arguments.dropFirst().first.map { URL(filePath: $0) } ?? temporary
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: temporary) }

      print("# A durable list")
      try await durableList(in: folder)
      print("# Immutable state")
      try await immutableState(in: folder)
      print("# Identity and equality")
      try await identity(in: folder)
      print("# State, events, feedback")
      try await feedback()
      print("# Exclusive states")
      try exclusiveStates()
      print("# A functional core")
      try await functionalCore(in: folder)
      print("# Fractal")
      try await fractal()
    }
  }
#else
  @main struct Articles {
    static func main() { print("articles is written with macros: build it with the trait Macros.") }
  }
#endif

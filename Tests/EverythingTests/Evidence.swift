#if SQLite && Macros
  import Foundation

  /// The tests and files of the repository, for the pages that name them as evidence.
  struct Evidence {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()

    private let tests: [String]
    private var known: [String: Bool] = [:]

    init() throws { tests = try Self.sources("Tests") + Self.sources("Examples/Tests") }

    /// The text of a file of the repository.
    static func text(_ path: String) throws -> String { try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8) }

    /// The names of the files in a folder of the repository.
    static func names(in folder: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path).sorted()
    }

    /// The text of all Swift files in a folder of the repository, each on its own.
    static func sources(_ folder: String) throws -> [String] {
      let files = FileManager.default.enumerator(at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
      return try (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }.map {
        try String(contentsOf: $0, encoding: .utf8)
      }
    }

    /// The tests that a text names, as in `SuiteTests.test`.
    static func tests(in text: String) -> [(suite: String, name: String)] {
      text.matches(of: #/`(\w+Tests)\.(\w+)`/#).map { (String($0.1), String($0.2)) }
    }

    /// The files that a text names, by their paths.
    static func files(in text: String) -> [String] { text.matches(of: #/`([\w.+-]+(?:\/[\w.+-]+)+)`/#).map { String($0.1) } }

    /// Whether a suite has a test.
    mutating func has(_ test: (suite: String, name: String)) throws -> Bool {
      let name = "\(test.suite).\(test.name)"
      if let known = known[name] { return known }
      let suite = try Regex("(struct|class|extension) \(test.suite)\\b")
      let method = try Regex("@Test(@MainActor|[^@])*\\bfunc \(test.name)\\(")
      let exists = try tests.contains { try suite.firstMatch(in: $0) != nil && method.firstMatch(in: $0) != nil }
      known[name] = exists
      return exists
    }

    /// Whether the repository has a file.
    static func has(file: String) -> Bool { FileManager.default.fileExists(atPath: root.appendingPathComponent(file).path) }
  }
#endif

#if SQLite && Macros
  import Foundation

  /// The tests and files of the repository, for the pages that name them as evidence.
  struct Evidence {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()

    /// The tests of each suite. A file with several suites counts its tests for each of them.
    private let tests: [String: Set<String>]

    init() throws {
      var tests: [String: Set<String>] = [:]
      for text in try Self.sources("Tests") + Self.sources("Examples/Tests") {
        let names = Self.names(after: ["func "], in: text, following: "@Test")
        guard !names.isEmpty else { continue }
        for suite in Self.names(after: ["struct ", "class ", "extension "], in: text) { tests[suite, default: []].formUnion(names) }
      }
      self.tests = tests
    }

    /// The names that follow a word, or its first occurrence after each occurrence of another text. Searching for plain texts takes a hundredth of
    /// the time of regular expressions in a debug build.
    private static func names(after words: [String], in text: String, following mark: String? = nil) -> Set<String> {
      var names: Set<String> = []
      let sections = mark.map { Array(text.components(separatedBy: $0).dropFirst()) } ?? [text]
      for (section, word) in sections.flatMap({ section in words.map { (section, $0) } }) {
        let parts = section.components(separatedBy: word).dropFirst()
        for part in mark == nil ? parts : parts.prefix(1) {
          names.insert(String(part.prefix { $0.isLetter || $0.isNumber || $0 == "_" }))
        }
      }
      return names
    }

    /// The text of a file of the repository.
    static func text(_ path: String) throws -> String { try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8) }

    /// The names of the files in a folder of the repository.
    static func names(in folder: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path).sorted()
    }

    /// The text of all Swift files in a folder of the repository, each on its own.
    static func sources(_ folder: String) throws -> [String] {
      // The build folder of a package in it, such as that of Tests/FirstHour, is hidden. It has a folder 'GRDB.swift'.
      let files = FileManager.default.enumerator(
        at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
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
    func has(_ test: (suite: String, name: String)) -> Bool { tests[test.suite]?.contains(test.name) == true }

    /// Whether the repository has a file.
    static func has(file: String) -> Bool { FileManager.default.fileExists(atPath: root.appendingPathComponent(file).path) }
  }
#endif

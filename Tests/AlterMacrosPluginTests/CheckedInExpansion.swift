#if Macros
  import Foundation
  import Testing

  /// A file whose last part the macros have written, because it is compiled without them: in release, they take minutes to compile.
  ///
  /// A test compares that part with the output of today's macros. With the environment variable `ALTER_WRITE_EXPANSIONS`, it writes the file
  /// instead.
  struct CheckedInExpansion {
    /// The line in front of the written part.
    static let mark = """
      // MARK: - Written by the macros
      //
      // To write this again: ALTER_WRITE_EXPANSIONS=1 script/test --filter CheckedInExpansionTests
      """

    private let file: URL
    /// The part in front of the mark.
    let source: String
    private let written: String

    /// Reads a file of the repository.
    ///
    /// - Parameter path: The path from the root of the repository.
    init(_ path: String) throws {
      file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: path)
      let text = try String(contentsOf: file, encoding: .utf8)
      let end = try #require(text.firstRange(of: Self.mark), "'\(path)' has no line '\(Self.mark)'.")
      source = String(text[..<end.lowerBound])
      written = String(text[end.upperBound...])
    }

    /// Compares the written part with the output of the macros.
    ///
    /// - Parameters:
    ///   - expansion: The output.
    ///   - location: The place of the test.
    func expect(_ expansion: String, at location: Testing.SourceLocation = #_sourceLocation) throws {
      let expected = "\n\n" + expansion.trimmingCharacters(in: .newlines) + "\n"
      if ProcessInfo.processInfo.environment["ALTER_WRITE_EXPANSIONS"] != nil {
        try Data((source + Self.mark + expected).utf8).write(to: file)
      } else if written != expected {
        func lines(_ text: String) -> [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
        let (mine, theirs) = (lines(written), lines(expected))
        let place = zip(mine, theirs).prefix { $0 == $1 }.count
        Issue.record(
          """
          '\(file.lastPathComponent)' is not what the macros write today. In line \(place + lines(source + Self.mark).count):
            in the file: \(place < mine.count ? mine[place] : "nothing")
            the macros:  \(place < theirs.count ? theirs[place] : "nothing")
          If the difference is intended, write the files again: ALTER_WRITE_EXPANSIONS=1 script/test --filter CheckedInExpansionTests
          """, sourceLocation: location)
      }
    }
  }
#endif

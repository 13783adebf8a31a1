#if SQLite && Macros
  import Foundation
  import Testing

  @Suite("The page about the ideas of the articles")
  struct ArticleIdeasTests {
    /// The cells of each row: number, idea, call, state, evidence.
    private static func rows() throws -> [[String]] {
      try Evidence.text("docs/articles.md").split(separator: "\n").filter { $0.wholeMatch(of: #/\| \d+ \|.*\|/#) != nil }.map { row in
        let parts = row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
        return try #require(parts.count == 5 ? parts.map { $0.trimmingCharacters(in: [" "]) } : nil, "\(row)")
      }
    }

    @Test("has 103 rows, each with a state")
    func states() throws {
      let rows = try Self.rows()
      #expect(rows.map { $0[0] } == (1...103).map(String.init))
      for row in rows {
        #expect(row[1].count > 8, "\(row)")
        // A state that is less than the idea has its reason.
        #expect(row[3].wholeMatch(of: #/works|(works|half|missing): .{10,}/#) != nil, "\(row)")
      }
      let page = try Evidence.text("docs/articles.md")
      let counts = ["works", "half", "missing"].map { state in rows.count { $0[3].hasPrefix(state) } }
      #expect(page.contains("\(counts[0]) work, \(counts[1]) half, \(counts[2]) "), "\(counts)")
    }

    @Test("names tests and files that exist")
    func evidence() throws {
      let evidence = try Evidence()
      for row in try Self.rows() {
        let (tests, files) = (Evidence.tests(in: row[4]), Evidence.files(in: row[4]))
        #expect(
          tests.count + files.count == row[4].split(separator: ",").count, "\(row[0]) has other evidence than tests and files: \(row[4])")
        for test in tests {
          let exists = evidence.has(test)
          #expect(exists, "\(row[0]) names \(test.suite).\(test.name)")
        }
        for file in files { #expect(Evidence.has(file: file), "\(row[0]) names \(file)") }
      }
    }
  }
#endif

#if SQLite && Macros
  import Foundation
  import Testing

  @testable import OrderBook

  @Suite("The page about crossings")
  struct CrossingsPageTests {
    /// The sections of the page, in order: the feature, and its cells by the other feature.
    private static func sections() throws -> [(feature: String, cells: [(other: String, text: String)])] {
      let page = try Evidence.text("docs/crossings.md")
      return page.components(separatedBy: "\n## ").dropFirst().map { section in
        let lines = section.split(separator: "\n", omittingEmptySubsequences: false)
        let body = lines.dropFirst().joined(separator: "\n").replacing("\n  ", with: " ")
        let cells = body.split(separator: "\n").filter { $0.hasPrefix("- × ") }.flatMap { line in
          let parts = line.dropFirst(4).components(separatedBy: " — ")
          let text = parts.dropFirst().joined(separator: " — ").trimmingCharacters(in: .whitespaces)
          return parts[0].components(separatedBy: ", ").map { (other: $0, text: text) }
        }
        return (String(lines[0]), cells)
      }
    }

    @Test("has one cell for each pair of its features, and none is empty")
    func pairs() throws {
      let sections = try Self.sections()
      let features = sections.map(\.feature)
      #expect(Set(features).count == features.count && features.count >= 34)
      for (number, section) in sections.enumerated() {
        #expect(section.cells.map(\.other).sorted() == features[(number + 1)...].sorted(), "the section '\(section.feature)'")
        for cell in section.cells {
          let isAnswered = ["works: `", "refused", "can't occur: ", "one feedback"].contains { cell.text.hasPrefix($0) }
          #expect(isAnswered && cell.text.count > 15, "'\(section.feature)' × '\(cell.other)' says '\(cell.text)'")
        }
      }
    }

    @Test("names tests that exist, and messages that are in the sources")
    func evidence() throws {
      let cells = try Self.sections().flatMap { section in section.cells.map { ("'\(section.feature)' × '\($0.other)'", $0.text) } }
      let evidence = try Evidence()
      // A text may go on in the next line of the source.
      let messages = try Evidence.sources("Sources").map { text in
        text.components(separatedBy: "\\\n").map { $0.drop { $0 == " " } }.joined().replacingOccurrences(of: #"\""#, with: "\"")
      }
      var count = (tests: 0, messages: 0)
      for (name, text) in cells {
        for test in Evidence.tests(in: text) {
          count.tests += 1
          let exists = evidence.has(test)
          #expect(exists, "\(name) names \(test.suite).\(test.name)")
        }
        for match in text.matches(of: #/"([^"]+)"/#) {
          count.messages += 1
          #expect(messages.contains { $0.contains(match.1) }, "\(name) quotes '\(match.1)'")
        }
        #expect(text.contains("Tests.") || text.hasPrefix("can't occur"), "\(name) has no evidence")
      }
      #expect(count.tests > 500 && count.messages > 5, "\(count)")
    }

    @Test("says of each pair that meets in the order book that it does, and of no other")
    func meetings() throws {
      var texts: [Set<String>: String] = [:]
      for section in try Self.sections() { for cell in section.cells { texts[[section.feature, cell.other]] = cell.text } }
      for one in Feature.allCases {
        for other in Feature.allCases where one < other {
          let isNamed = texts[[one.rawValue, other.rawValue]]?.contains("`EverythingTests.steps`")
          #expect(isNamed == !Feature.apart.contains([one, other]), "'\(one.rawValue)' × '\(other.rawValue)'")
        }
      }
    }

    @Test("has, of the long run, a count of each pair that meets in the order book, and none is zero")
    func counts() throws {
      let page = try Evidence.text("docs/crossings-run.md")
      var counts: [Set<String>: Int] = [:]
      for line in page.matches(of: #/(?m)^\| ([^|]+) \| ([^|]+ \d+) \|$/#) {
        for cell in line.2.components(separatedBy: ", ") {
          let words = cell.split(separator: " ")
          let pair: Set<String> = [String(line.1), words.dropLast().joined(separator: " ")]
          let count = try #require(words.last.flatMap { Int($0) }, "\(cell)")
          // Each pair is in the rows of both features.
          #expect(counts[pair, default: count] == count, "\(pair)")
          counts[pair] = count
        }
      }
      for one in Feature.allCases {
        for other in Feature.allCases where one < other {
          let count = counts[[one.rawValue, other.rawValue], default: 0]
          #expect((count > 0) == !Feature.apart.contains([one, other]), "'\(one.rawValue)' × '\(other.rawValue)': \(count)")
        }
      }
    }
  }
#endif

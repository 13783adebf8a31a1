import Foundation
import Testing

/// Compares the page of benchmarks that people write with the run that `script/benchmark` writes.
@Suite("The page of benchmarks")
struct BenchmarkPages {
  /// The rows of eight cells in a page's tables.
  private static func rows(of page: String) throws -> [[String]] {
    let text = try String(contentsOf: GuideBlocks.root.appendingPathComponent("docs/\(page)"), encoding: .utf8)
    return text.split(separator: "\n").filter { $0.hasPrefix("| ") }
      .map { $0.dropFirst().dropLast().split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
      .filter { $0.count == 8 && $0[0] != "work" }
  }

  @Test("has the figures of the run")
  func figures() throws {
    let run = Set(try Self.rows(of: "benchmarks-run.md").map { $0.dropLast() })
    for row in try Self.rows(of: "benchmarks.md") {
      let isThere = run.contains(row.dropLast())  // apart, so that a failure doesn't print the whole run
      #expect(isThere, "docs/benchmarks-run.md has other figures for '\(row[0])', n = \(row[1])")
    }
  }

  @Test("gives a reason for each goal that is missed, and for no other one")
  func reasons() throws {
    let page = try Self.rows(of: "benchmarks.md")
    let missed = try Self.rows(of: "benchmarks-run.md").filter { $0[7] == "**no**" }
    for row in missed {
      #expect(
        page.contains { $0.dropLast() == row.dropLast() && $0[7].hasPrefix("**no**: ") },
        "docs/benchmarks.md gives no reason why '\(row[0])', n = \(row[1]), misses its goal")
    }
    #expect(page.filter { $0[7].hasPrefix("**no**") }.count == missed.count)
  }
}

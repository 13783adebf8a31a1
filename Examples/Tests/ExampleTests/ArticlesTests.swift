import Foundation
import Testing

@Suite("articles") struct ArticlesTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../articles").standardized

  private static func readme() throws -> String { try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8) }

  /// The lines that are not blank of each sample: between `// lines: NAME` and `// end`.
  private static func samples() throws -> [String: [Substring]] {
    var samples: [String: [Substring]] = [:]
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.hasSuffix(".swift") {
      var name: String?
      for line in try String(contentsOf: folder.appending(path: file), encoding: .utf8).split(separator: "\n") {
        let text = line.drop { $0 == " " }
        if text.hasPrefix("// lines: ") {
          name = String(text.dropFirst(10))
        } else if text == "// end" {
          name = nil
        } else if let name {
          samples[name, default: []].append(text)
        }
      }
    }
    return samples
  }

  /// The rows of the table under a heading, as cells.
  private static func table(_ heading: String) throws -> [[String]] {
    let part = try #require(try readme().components(separatedBy: "## \(heading)\n").last?.components(separatedBy: "\n## ").first)
    return part.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map { row in
      row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  @Test("prints what its page shows") func page() throws {
    let lines = try Example.run("articles")
    let shown = try Self.readme().components(separatedBy: "$ script/example articles\n")[1].components(separatedBy: "\n```")[0]
    #expect(lines.joined(separator: "\n") == shown)
  }

  @Test("has the lines that its table says") func lines() throws {
    let (samples, table) = (try Self.samples(), try Self.table("Lines"))
    #expect(table.count == 8)
    for row in table { #expect(samples[row[0]]?.count == Int(row[2]), "\(row)") }
  }

  @Test("needs no names of ours but those that its table says") func concepts() throws {
    let (samples, table) = (try Self.samples(), try Self.table("Concepts"))
    let ours = [
      "@Alterable", "@Default", "@Each", "@Stamped", "@Nested", "@Fixed", "@Wire", "IdentityArray", "IdentityStore", "Identifier<",
      "Journal", "Store.", ".file", ".app", "change(", "durable()", "Stamp", "Refusal", "apply", "Feedback", "request:", "run(",
      "AsyncResult", "UserAction", "bind(", "observe", "Commit", "Options",
    ]
    var met: Set<String> = ["values(of:"]
    for name in ["durable list", "feedback", "Person and IdentityStore"] {
      let row = try #require(table.first { $0[0] == name })
      let text = try #require(samples[name]?.joined(separator: "\n"))
      if name.hasPrefix("Person") { met = [] }
      let found = ours.filter { text.contains($0) && !met.contains($0) }
      met.formUnion(found)
      // The environment has no name of ours.
      #expect(found.count + (name == "feedback" ? 1 : 0) == Int(row[2]), "\(name): \(found)")
    }
  }
}

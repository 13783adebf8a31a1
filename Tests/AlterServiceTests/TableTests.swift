#if Service
  import Foundation
  import Testing

  @testable import AlterService

  @Suite("The table of metrics in docs/service.md")
  struct TableTests {
    @Test("has exactly the metrics of the code, with their types, labels and meanings")
    func table() throws {
      let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../docs/service.md")
      let text = try String(contentsOf: file, encoding: .utf8)
      let rows = text.split(separator: "\n").map(String.init).filter { $0.prefixMatch(of: #/\| `alter_[a-z_]+` \|/#) != nil }
      let expected = Metric.all.map { metric in
        let labels = metric.labels.map { "`\($0)`" }.joined(separator: ", ")
        return "| `\(metric.name)` | \(metric.kind.rawValue) | \(labels) | \(metric.meaning) |"
      }
      #expect(rows == expected)
      #expect(Set(Metric.all.map(\.name)).count == Metric.all.count)
    }

    @Test("has names as Prometheus wants them: counters end in total, durations in seconds")
    func names() {
      for metric in Metric.all {
        #expect(metric.name.wholeMatch(of: /alter_[a-z_]+/) != nil)
        #expect(metric.name.hasSuffix("_total") == (metric.kind == .counter), "\(metric.name)")
        #expect(metric.name.hasSuffix("_duration_seconds") == (metric.kind == .duration), "\(metric.name)")
      }
    }
  }
#endif

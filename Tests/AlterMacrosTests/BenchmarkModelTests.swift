#if Macros
  import Foundation
  import Testing

  /// The benchmarks are built without the macros, because compiling the macros in release takes a quarter of an hour. They measure the
  /// expansion of these two models, which is stored as a source file.
  @Suite("The models that the benchmarks measure")
  struct BenchmarkModelTests {
    @Test("are what the macro writes today")
    func expansion() throws {
      let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Benchmarks/Sources/Benchmarks/Cases/ExpandedModels.swift")
      let header = "// swift-format-ignore-file\n// Written by the macro; `BenchmarkModelTests` compares.\n\nimport Alter\n\n"
      let source = try String(contentsOf: file, encoding: .utf8)
      #expect(source.hasPrefix(header))
      expectExpansion(
        of: """
          @Alterable struct Line: Identifiable, Hashable {
            let id: Int
            let text: String
            let isDone: Bool
          }

          @Alterable struct Document: Hashable {
            let title: String
            let subtitle: String
            let author: String?
            let count: Int
            let size: Int
            let ratio: Double
            let isOpen: Bool
            let names: [String]
            let numbers: [Int]
            @Each let lines: IdentityArray<Line>
          }
          """,
        String(source.dropFirst(header.count).dropLast()))
    }
  }
#endif

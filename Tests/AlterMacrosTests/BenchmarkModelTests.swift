#if Macros
  import Foundation
  import Testing

  /// The benchmarks are built without the macros, because compiling the macros in release takes a quarter of an hour. They measure the
  /// expansions of these models, which are stored as source files.
  @Suite("The models that the benchmarks measure")
  struct BenchmarkModelTests {
    /// Checks the expansion of a source against a file of the benchmarks.
    private func expectExpansion(of source: String, in name: String) throws {
      let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Benchmarks/Sources/Benchmarks/Cases/\(name)")
      let header = "// swift-format-ignore-file\n// Written by the macro; `BenchmarkModelTests` compares.\n\nimport Alter\n\n"
      let expanded = try String(contentsOf: file, encoding: .utf8)
      #expect(expanded.hasPrefix(header))
      AlterMacrosTests.expectExpansion(of: source, String(expanded.dropFirst(header.count).dropLast()))
    }

    @Test("are what the macro writes today")
    func expansion() throws {
      try expectExpansion(
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
          """, in: "ExpandedModels.swift")
    }

    @Test("are what the macro writes today, five levels deep")
    func levels() throws {
      try expectExpansion(
        of: """
          @Alterable struct Parcel: Identifiable, Hashable {
            let id: Int
            let title: String
            let weight: Int
          }

          @Alterable struct Load: Hashable {
            let owner: String
            @Each let parcels: IdentityArray<Parcel>
          }

          @Alterable enum Crate: Hashable {
            case empty
            @Nested case open(Load)
            case sealed(Load)

            @Wire enum OwnChange: Hashable { case fill(Load), seal }

            mutating func apply(_ change: OwnChange, at stamp: Stamp) throws(Refusal) {
              switch (self, change) {
              case (.empty, .fill(let load)): self = .open(load)
              case (.open(let load), .seal): self = .sealed(load)
              case (.open, .fill), (.sealed, .fill): throw .illegal(from: "full", change: "fill")
              case (.empty, .seal), (.sealed, .seal): throw .illegal(from: "empty or sealed", change: "seal")
              }
            }
          }

          @Alterable struct Rack: Hashable {
            let label: String
            @Nested let crate: Crate
          }

          @Alterable struct Hall: Identifiable, Hashable {
            let id: Int
            let name: String
            @Nested let rack: Rack
          }

          @Alterable struct Warehouse: Hashable {
            let town: String
            @Each let halls: IdentityArray<Hall>
          }
          """, in: "ExpandedLevels.swift")
    }
  }
#endif

#if Macros
  import SwiftSyntax
  import SwiftSyntaxBuilder
  import Testing

  @Suite("The code that is compiled without the macros, and that they have written")
  struct CheckedInExpansionTests {
    /// Compares a file of the benchmarks with the expansion of a source.
    private func expectExpansion(of source: String, in name: String) throws {
      let file = try CheckedInExpansion("Benchmarks/Sources/Benchmarks/Cases/\(name)")
      try file.expect(expansion(of: source))
    }

    @Test(
      "is what @Wire writes today for the models of todo",
      arguments: ["AppState", "AppState+Change", "Cloud", "Note", "SourceLine", "Tag", "TodoItem"])
    func todo(name: String) throws {
      let file = try CheckedInExpansion("Examples/todo/TodoCore/Model/\(name).swift")
      try file.expect(file.wireExtensions())
    }

    @Test("is what @Alterable writes today for the models of the benchmarks")
    func models() throws {
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

          @Alterable struct TenFields: Hashable {
            private(set) var count: Int = 0
            private(set) var title: String = "A title"
            private(set) var subtitle: String = "A subtitle"
            private(set) var first: Int = 1
            private(set) var second: Double = 2
            private(set) var third: Bool = false
            private(set) var names: [String] = ["a", "b", "c"]
            private(set) var numbers: [Int] = [1, 2, 3]
            private(set) var parent: String? = nil
            private(set) var last: Int = 0
          }
          """, in: "ExpandedModels.swift")
    }

    @Test("is what @Alterable writes today for models five levels deep")
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

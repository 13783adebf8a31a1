#if Macros && compiler(>=6.2)
  import Foundation
  import ProcessTesting
  import Testing

  /// New Xcode projects isolate every declaration to the main actor by default (SE-0466).
  @Suite("Models in a target with other settings")
  struct IsolationTests {
    private static let source = """
      public import Alter
      public import Foundation

      enum Theme: String, Codable { case dark, light }

      @Alterable public struct Step: Identifiable, Hashable {
        public let id: UUID
        public let text: String
        @Default(false) public let isDone: Bool
        @Stamped public let altered: Date?
      }

      @Alterable public struct Plan<Part: Journaled & Identifiable & Hashable>: Identifiable, Hashable
      where Part.ID: Codable & Sendable, Part.Change: Hashable {
        public let id: Int
        @Each(.add, .put, .update, .remove, .move, .replace) public let parts: IdentityArray<Part>
      }

      enum Outer {
        @Alterable struct Inner: Hashable {
          @Nested let plan: Plan<Step>
          @Default(Theme.dark) let theme: Theme
          let names: [String: Int]
          @Wire enum OwnChange: Hashable { case clear, named(String) }

          mutating func apply(_ change: OwnChange, at stamp: Stamp) throws(Refusal) {
            switch change {
            case .clear: self = Inner(plan: Plan(id: plan.id), theme: theme, names: [:])
            case .named: break
            }
          }

          mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) { try applyGenerated(change, at: stamp) }
        }
      }

      @Alterable struct Board: Hashable {
        @Each let steps: IdentityArray<Step>
        @Default("") private(set) var title: String
      }

      struct Hand: Journaled, Hashable {
        @Wire enum Change: Hashable { case add(Int) }
        private(set) var count = 0
        mutating func apply(_ change: Change, at stamp: Stamp) { switch change { case .add(let n): count += n } }
      }

      @Alterable(.nounFirst) public struct Diary: Hashable { @Each public let pages: IdentityArray<Page> }

      @Alterable public struct Page: Identifiable, Hashable {
        public let id: Int
        public let text: String
        @Stamped(.once) public let created: Date?
      }

      @Alterable public enum Gate: Hashable {
        case open
        @Nested case locked(Page)

        @Wire public enum OwnChange: Hashable { @Refused(in: Gate.locked) case lock(Page) }

        mutating func apply(_ step: Step, at stamp: Stamp) throws(Refusal) {
          switch step { case .open(.lock(let page)): self = .locked(page) }
        }
      }

      @MainActor func use() async throws {
        let store = try await Store.open(Board(), in: MemoryJournal())
        let step = Step(id: UUID(), text: "x")
        try store.change(.add(.step(step)), .title("t"), .step(step.id, .isDone(true)))
        print(store.observed { $0.title })
        for await title in store.values(of: { $0.title }) { print(title) }
        print(try Diary().alter(.page(.add(Page(id: 1, text: "a"))), .page(1, .text("b"))), try Gate.open.alter(.lock(Page(id: 1, text: ""))))
        try Store(Hand()).change(.add(1))
      }

      nonisolated func elsewhere(_ board: Board) throws -> Board { try board.alter(.title("x"), .remove(.step(UUID()))) }

      """

    /// Declarations with the syntax of Swift 6.2: names with spaces, trailing commas, parameters that are numbers, and where functions run.
    private static let syntax = """
      import Alter
      import Foundation

      @Alterable struct Raw: Hashable {
        let `due date`: Date?
        @Default(0) private(set) var `class`: Int
        @Each("tag") let `the tags`: IdentityArray<Tag>
        @Nested let `the theme`: Theme
      }

      @Alterable struct Spaced: Hashable {
        let `due date`: Date?
        @Default(0) let `my count`: Int
        @Default("") let `init`: String
        let `2nd`: Int?
      }

      @Alterable(.nounFirst) struct Tags: Hashable { @Each("tag", .add, .replace) let `the tags`: IdentityArray<Tag> }

      @Alterable(.nounFirst,) struct Tag: Identifiable, Hashable {
        let id: Int,
          name: String
        @Each(.add, .remove,) let parts: IdentityArray<Part,>
      }

      @Alterable struct Part: Identifiable, Hashable {
        let id: Int
        let name: String
      }

      @Alterable struct Theme: Hashable {
        let isDark: Bool
        @Default(1) let `font size`: Int
        @concurrent nonisolated func somewhere() async {}
        nonisolated(nonsending) func here() async {}
      }

      @available(macOS 26, iOS 26, *)
      @Alterable struct Sized<let n: Int>: Hashable { let count: Int }

      @Alterable struct Pack<Value: Codable & Hashable & Sendable>: Hashable { let value: Value }

      @Alterable enum Gate: Hashable {
        case `half open`
        @Nested("tag") case tagged(Tag)

        @Wire enum OwnChange: Hashable {
          @Refused(in: Gate.tagged) case `open it`
          case close(hard: Bool, `by whom`: String,)
        }

        mutating func apply(_ step: Step, at stamp: Stamp) throws(Refusal) {
          switch step {
          case .`half open`(.`open it`), .`half open`(.close), .tagged(_, .close): break
          }
        }
      }

      nonisolated func use() throws {
        let raw = Raw(`due date`: nil, `the theme`: Theme(isDark: true))
        _ = try raw.alter(
          .`due date`(nil), .`class`(3), .`the theme`(.isDark(false)), .add(.tag(Tag(id: 1, name: "x"))),
          .tag(1, .part(.add(Part(id: 1, name: "p")))))
        _ = try Gate.`half open`.alter(.`open it`)
        _ = try Tags().alter(.`the tags`(.replace([])), .tag(.add(Tag(id: 1, name: "x"))))
        _ = Spaced().alter(.`my count`(2))
        _ = Pack(value: 3).alter(.value(4))
      }

      """

    /// The same source with every type marked `nonisolated`.
    private static var marked: String {
      source.replacing("struct ", with: "nonisolated struct ").replacing("enum ", with: "nonisolated enum ")
        .replacing("public nonisolated", with: "nonisolated public")
    }

    @Test(
      "compile: isolated to the main actor by default or not, marked nonisolated or not, with the features of the next language mode",
      arguments: Effort.isFull ? [(false, false), (false, true), (true, false), (true, true)] : [(false, true), (true, false)])
    func settings(isMarked: Bool, isIsolated: Bool) async throws {
      var flags = [
        "ExistentialAny", "InferIsolatedConformances", "InternalImportsByDefault", "MemberImportVisibility",
        "NonisolatedNonsendingByDefault",
      ].flatMap { ["-enable-upcoming-feature", $0] }
      #if compiler(>=6.3)
        flags += ["-enable-upcoming-feature", "ImmutableWeakCaptures"]
      #endif
      if isIsolated { flags += ["-default-isolation", "MainActor"] }
      for source in [isMarked ? Self.marked : Self.source, Self.syntax] {
        let outcome = try await compile(source, flags + ["-warnings-as-errors"])
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
      }
    }
  }
#endif

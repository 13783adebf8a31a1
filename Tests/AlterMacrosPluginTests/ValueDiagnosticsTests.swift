#if Macros
  import SwiftSyntaxMacrosGenericTestSupport
  import Testing

  @Suite("The macros reject values that would not stay the same")
  struct ValueDiagnosticsTests {
    // MARK: - Defaults

    private static let fresh = [
      "UUID()", "Foundation.UUID()", "Date()", "Date.now", "Date.init()", "UUID().uuidString", "Int.random(in: 0..<9)",
      "Date(timeIntervalSinceNow: 60)", "\"\\(counter.next())\"", "[UUID()]", "[\"a\": Date()]", "Set([UUID()])", "-number()", "next()",
      "Settings()", "Optional(UUID())", "{ 1 }()", "Array(repeating: UUID(), count: 2)", "UUID()!", "1 + random()", "Duration.now()",
      "Date.init(timeIntervalSinceNow: 1)", "Theme.fresh()", "flag ? 1 : 2", "names.randomElement()!", "String(UUID().hashValue)",
    ]

    @Test("with a default that may be another value at each call", arguments: fresh)
    func freshDefault(value: String) {
      expectProblems(
        of: """
          @Alterable struct A {
            @Default(\(value)) let key: Key
          }
          """,
        diagnostics: [
          .init(
            message: """
              @Default(\(value)) may be another value at each call: data without 'key' would be read differently at each opening. Write a literal \
              or a member of a type, or make the property an optional; if the value is always the same, write @Default(constant: …). A new value \
              gets its id or date from its creator, or from the stamp.
              """, line: 2, column: 12)
        ])
    }

    @Test(
      "and accept literals, members, constant initialisers, and what is called constant",
      arguments: [
        "1", "-1.5", "\"a\"", "true", "nil", "[]", "[:]", "[1, 2]", "[\"a\": 1]", "60 * 60", "(1, 2)", "Theme.dark", "App.Theme.dark",
        "Date.distantPast", "standard", "Set([\"a\"])", "Date(timeIntervalSince1970: 0)",
        "Foundation.Date(timeIntervalSinceReferenceDate: 1)",
        "UUID(uuidString: \"00000000-0000-0000-0000-000000000000\")!", "URL(string: \"https://a.com\")!", "Duration.seconds(3)",
        "Set<Int>()", "Data()", "[Int]()", "Int.max", "Decimal(1)", "constant: Settings()", "constant: Theme.custom(1)",
      ])
    func constantDefault(value: String) {
      let expanded = expansion(
        of: """
          @Alterable struct A {
            @Default(\(value)) let key: Key
          }
          """)
      #expect(!expanded.contains("throws { fatalError() }") && expanded.contains("nonisolated init(key: Key = "), "\(expanded)")
    }

    // MARK: - Optionals

    @Test(
      "with the optional of an optional, anywhere in a type",
      arguments: [
        ("Int??", "Int??"), ("Optional<Int?>", "Optional<Int?>"), ("[Int??]", "Int??"), ("[String: Optional<Int>?]", "Optional<Int>?"),
        ("Box<Int??>", "Int??"), ("(Int?)?", "(Int?)?"), ("Swift.Optional<Int?>", "Swift.Optional<Int?>"),
      ])
    func optionals(type: String, twice: String) {
      let column = 17 + type.distance(from: type.startIndex, to: type.range(of: twice)?.lowerBound ?? type.startIndex)
      func message(_ name: String) -> String {
        """
        '\(name)' has the optional of an optional, '\(twice)': JSON has one null, so that .some(nil) would be read as nil. Use an enum with a case \
        for each meaning.
        """
      }
      expectProblems(
        of: """
          @Alterable struct A {
            let number: \(type)
          }
          """, diagnostics: [.init(message: message("number"), line: 2, column: column - 2)])
      expectProblems(
        of: """
          @Wire struct A {
            let number: \(type)
          }
          """, diagnostics: [.init(message: message("number"), line: 2, column: column - 2)])
      expectProblems(
        of: """
          @Wire enum A {
            case numbered(\(type))
          }
          """, diagnostics: [.init(message: message("numbered"), line: 2, column: column)])
    }

    // MARK: - Names

    @Test("with names of their own for stored properties or cases")
    func codingKeys() {
      func problem(_ macro: String, line: Int) -> DiagnosticSpec {
        .init(
          message: """
            @\(macro) stores each property or case by its own name: remove CodingKeys (@Renamed reads older names), or remove @\(macro).
            """, line: line, column: 3)
      }
      expectProblems(
        of: """
          @Alterable struct A {
            let text: String
            enum CodingKeys: String, CodingKey { case text = "t" }
          }
          """, diagnostics: [problem("Alterable", line: 3)])
      expectProblems(
        of: """
          @Alterable struct A {
            let text: String
            #if DEBUG
            typealias CodingKeys = Keys
            #endif
          }
          """, diagnostics: [problem("Alterable", line: 4)])
      expectProblems(
        of: """
          @Alterable enum A {
            case open, closed
            private enum CodingKeys: String, CodingKey { case open = "o", closed = "c" }
            @Wire enum OwnChange { case open, close }
            mutating func apply(_ change: OwnChange, at stamp: Stamp) {}
          }
          """, diagnostics: [problem("Alterable", line: 3)])
      expectProblems(
        of: """
          @Wire enum A {
            case open, closed
            enum CodingKeys: String, CodingKey { case open = "o", closed = "c" }
          }
          """, diagnostics: [problem("Wire", line: 3)])
    }

    // MARK: - Observers

    @Test("with observers of a property, which would run for some changes only")
    func observers() {
      expectProblems(
        of: """
          @Alterable struct A {
            let name: String
            private(set) var count: Int { didSet { print(count) } }
            private(set) var size: Int = 1 { willSet { print(size) } }
          }
          """,
        diagnostics: [("count", 3, 31), ("size", 4, 34)].map { name, line, column in
          .init(
            message: """
              '\(name)' has observers, which would run for some changes only: a property beside a 'let' changes in place. Remove them, and write \
              'mutating func apply(_ change: Change, at stamp: Stamp)' that calls applyGenerated(_:at:) and does their work.
              """, line: line, column: column)
        })
    }

    // MARK: - Identities

    private func message(_ name: String) -> String {
      "The id of 'A' reads '\(name)', so that a change of it would give the value another identity: mark it @Fixed."
    }

    @Test("with a property that the computed id reads, and offer to fix it")
    func identity() {
      expectProblems(
        of: """
          @Alterable struct A: Identifiable {
            /// Its name.
            let name: String
            let count: Int
            var id: String { name }
          }
          """,
        diagnostics: [.init(message: message("name"), line: 3, column: 7, fixIts: [.init(message: "write '@Fixed'")])],
        applying: ["write '@Fixed'"],
        fixed: """
          @Alterable struct A: Identifiable {
            /// Its name.
            @Fixed let name: String
            let count: Int
            var id: String { name }
          }
          """)
    }

    @Test(
      "with a property that the computed id reads in another way, or by the way of other members",
      arguments: [
        "var id: String { self.name }", "var id: String { get { \"\\(name)-\\(place)\" } }",
        "var id: String { key }; var key: String { name }",
        "var id: String { key() }; func key() -> String { self.name.lowercased() }", "var id: String { self[keyPath: \\.name] }",
        "var id: String { if count > 1 { name } else { place } }",
      ])
    func identityByOthers(members: String) {
      expectProblems(
        of: """
          @Alterable struct A {
            let name: String
            @Fixed let place: String
            @Fixed let count: Int
            let other: Int
            \(members)
          }
          """, diagnostics: [.init(message: message("name"), line: 2, column: 7, fixIts: [.init(message: "write '@Fixed'")])])
    }

    @Test("but not with a property that the id does not read: a member of that name on another value, or a stored id")
    func otherMembers() {
      for members in [
        "var id: String { owner.name }", "let id: String; var key: String { name }", "var id: String { owner.name(of: .name) }",
      ] {
        let expanded = expansion(
          of: """
            @Alterable struct A {
              let name: String
              @Fixed let owner: Owner
              \(members)
            }
            """)
        #expect(!expanded.contains("throws { fatalError() }"), "\(members)")
      }
    }
  }
#endif

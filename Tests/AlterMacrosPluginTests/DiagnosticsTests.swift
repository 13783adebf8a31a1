#if Macros
  import SwiftSyntaxMacrosGenericTestSupport
  import Testing

  @Suite("The macro says what is wrong, where, and how to put it right")
  struct DiagnosticsTests {
    @Test("with a property that could be set without a Change")
    func settable() {
      expectProblems(
        of: """
          @Alterable struct A {
            var name: String
          }
          """,
        diagnostics: [
          .init(
            message: "'name' could be set without a Change. Seal it: 'let', or 'private(set) var'.", line: 2, column: 3,
            fixIts: [.init(message: "make it 'let'"), .init(message: "make it 'private(set) var'")])
        ],
        applying: ["make it 'private(set) var'"],
        fixed: """
          @Alterable struct A {
            private(set) var name: String
          }
          """)
    }

    @Test("with a public property that could be set, which stays public")
    func settablePublic() {
      let problem = DiagnosticSpec(
        message: "'name' could be set without a Change. Seal it: 'let', or 'private(set) var' if only changes of its own set it.", line: 3,
        column: 10,
        fixIts: [.init(message: "make it 'let'"), .init(message: "make it 'private(set) var'")])
      let source = """
        @Alterable public struct A {
          /// Its name.
          public var name: String
        }
        """
      expectProblems(
        of: source, diagnostics: [problem], applying: ["make it 'let'"],
        fixed: """
          @Alterable public struct A {
            /// Its name.
            public let name: String
          }
          """)
      expectProblems(
        of: source, diagnostics: [problem], applying: ["make it 'private(set) var'"],
        fixed: """
          @Alterable public struct A {
            /// Its name.
            public private(set) var name: String
          }
          """)
    }

    @Test("with a property whose type can't be seen")
    func missingType() {
      expectProblems(
        of: """
          @Alterable struct A {
            private(set) var count = 0
          }
          """,
        diagnostics: [
          .init(
            message: "'count' needs a written type: a macro can't see the type that the compiler infers.", line: 2, column: 20,
            fixIts: [.init(message: "write ': Int'")])
        ],
        applying: ["write ': Int'"],
        fixed: """
          @Alterable struct A {
            private(set) var count: Int = 0
          }
          """)
    }

    @Test("with a constant that has a value already")
    func constant() {
      expectProblems(
        of: """
          @Alterable struct A {
            /// How many.
            let count: Int = 0
          }
          """,
        diagnostics: [
          .init(
            message: "'count' is a constant with a value: nothing could set it. Write its initial value as @Default.", line: 3,
            column: 18, fixIts: [.init(message: "write '@Default(0)'")])
        ],
        applying: ["write '@Default(0)'"],
        fixed: """
          @Alterable struct A {
            /// How many.
            @Default(0) let count: Int
          }
          """)
    }

    @Test("with a default whose type can't be inferred")
    func implicitMember() {
      expectProblems(
        of: """
          @Alterable struct A {
            @Default(.dark) let theme: Theme
          }
          """,
        diagnostics: [
          .init(
            message: "@Default can't infer a type here: name it, as in @Default(Theme.dark).", line: 2, column: 12,
            fixIts: [.init(message: "write 'Theme.dark'")])
        ],
        applying: ["write 'Theme.dark'"],
        fixed: """
          @Alterable struct A {
            @Default(Theme.dark) let theme: Theme
          }
          """)
    }

    @Test("with a collection of which no singular can be derived")
    func unknownPlural() {
      expectProblems(
        of: """
          @Alterable struct A {
            @Each(.put) let staff: IdentityArray<Person>
          }
          """,
        diagnostics: [
          .init(
            message: "the singular of 'staff' can't be derived: write it, as in @Each(\"person\").", line: 2, column: 3,
            fixIts: [.init(message: "write '@Each(\"person\", .put)'")])
        ],
        applying: ["write '@Each(\"person\", .put)'"],
        fixed: """
          @Alterable struct A {
            @Each("person", .put) let staff: IdentityArray<Person>
          }
          """)
    }

    @Test("with @Each on an array")
    func array() {
      expectProblems(
        of: """
          @Alterable struct A {
            @Each let people: [Person]
          }
          """,
        diagnostics: [
          .init(
            message: "@Each needs a collection that finds its elements by id: 'people' must be an IdentityArray, not '[Person]'.", line: 2,
            column: 21, fixIts: [.init(message: "make it 'IdentityArray<Person>'")])
        ],
        applying: ["make it 'IdentityArray<Person>'"],
        fixed: """
          @Alterable struct A {
            @Each let people: IdentityArray<Person>
          }
          """)
    }

    @Test("with a public model that has a property which isn't", arguments: [("let", "public let"), ("internal let", "public let")])
    func access(found: String, fixed: String) {
      expectProblems(
        of: """
          @Alterable public struct A {
            \(found) name: String
          }
          """,
        diagnostics: [
          .init(
            message: """
              'A' is public and 'name' is not: the initialiser and the changes that @Alterable generates would expose it. \
              Make 'name' public, or 'A' less visible.
              """, line: 2, column: 3 + found.count - 3, fixIts: [.init(message: "make it 'public'")])
        ],
        applying: ["make it 'public'"],
        fixed: """
          @Alterable public struct A {
            \(fixed) name: String
          }
          """)
    }

    @Test(
      "on what is no struct",
      arguments: [
        ("final class A {}", "@Alterable is for values: this is a class, and other code could see it change. Make it a struct."),
        ("actor A {}", "@Alterable is for values: this is an actor, and other code could see it change. Make it a struct."),
      ])
    func otherDeclarations(declaration: String, message: String) {
      expectExpansion(
        of: "@Alterable \(declaration)", declaration,
        diagnostics: [.init(message: message, line: 1, column: 1)])
    }

    @Test(
      "with names that two changes or two properties would share in stored data",
      arguments: [
        (
          "let item: Int", "@Each let items: IdentityArray<Item>",
          "'item' would be the name of two changes of A. Rename one of them.", 3, 13
        ),
        (
          "let add: Int", "@Each let items: IdentityArray<Item>",
          "'add' would be the name of two changes of A. Rename one of them.", 2, 7
        ),
        (
          "let title: Int", "@Renamed(from: \"title\") let name: Int",
          "'title' would be the stored name of two changes of A: of 'title' and of 'name'. Rename one of them.", 3, 31
        ),
      ])
    func duplicateNames(first: String, second: String, message: String, line: Int, column: Int) {
      expectProblems(
        of: """
          @Alterable struct A {
            \(first)
            \(second)
          }
          """, diagnostics: [.init(message: message, line: line, column: column)])
    }

    @Test(
      "with attributes that don't go with the property",
      arguments: [
        ("@Fixed @Stamped let at: Date", "@Fixed and @Stamped exclude each other: remove one of them.", 10),
        (
          "@Stamped let at: Int",
          "@Stamped sets a time: 'at' must be a Date, or a Date? that is nil until the first change.",
          20
        ),
        (
          "@Nested let part: Part?",
          """
          @Nested needs a type that is not optional: a change to 'part' could find nil. Without @Nested, the change sets the whole value: .part(nil).
          """, 21
        ),
        (
          "private lazy var x: Int = 1",
          "'x' is lazy: a value that changes when it is read can't be journaled. Make it computed, or a 'let'.", 3
        ),
        (
          "let (a, b): (Int, Int)",
          "@Alterable needs a name for each property: write the elements of this tuple as separate properties.", 7
        ),
      ])
    func attributes(property: String, message: String, column: Int) {
      expectProblems(
        of: """
          @Alterable struct A {
            \(property)
          }
          """,
        diagnostics: [.init(message: message, line: 2, column: column)])
    }

    @Test(
      "on an enum whose states don't fit",
      arguments: [
        ("", "'A' has no case, and so no state: remove @Alterable.", 1, 1),
        (
          "case a",
          "'A' has no change: declare them in an enum OwnChange inside it (an extension is invisible to the macro), or mark a case whose payload changes with @Nested.",
          1, 1
        ),
        (
          "case a, b\n  enum OwnChange { @Refused(in: A.c) case go }",
          "@Refused needs states, as in @Refused(in: A.state): this is none of the cases.", 3, 33
        ),
        (
          "case a, b\n  enum OwnChange { @Refused(in: A.a) @Ignored(in: A.a) case go }",
          "the change is both refused and ignored in 'a': remove it from one of the lists.", 3, 20
        ),
        (
          "@Nested case a(Int?)\n  case b",
          "@Nested needs a case with one value that is not an optional: 'a' has no such payload to change.", 2, 16
        ),
        (
          "@Nested case a([Part])\n  case b",
          "the name of the change can't be derived from '[Part]': write it, as in @Nested(\"part\").", 2, 3
        ),
        (
          "@Nested(\"one\") case a(Part)\n  @Nested(\"one\") case b(Other)",
          "'one' would be the change of two types, Part and Other: name one of them, as in @Nested(\"other\").", 3, 3
        ),
        (
          "case a, b\n  enum Change { case go }", "@Alterable generates the enum Change: rename yours to OwnChange, or remove the macro.",
          3, 8
        ),
        (
          "@Nested case a(Part)\n  enum OwnChange { case part }", "'part' would be the name of two changes of A. Rename one of them.", 3, 8
        ),
        (
          "case a(Int, next: Int)\n  enum OwnChange { case go }",
          """
          'a' has several values, and one has no label: the stored form needs a name for each of them. Write 'a(name: Int)'.
          """, 2, 10
        ),
        (
          "@Takes(OwnChange.go) case a\n  case b, c\n  enum OwnChange { case go }",
          "'b', 'c' has no list of changes, as other states have: write @Takes(…), or @Takes() if it takes none.", 3, 3
        ),
        (
          "@Takes(OwnChange.go) case a\n  enum OwnChange { case go, stop }", "no state takes 'stop': list it in a @Takes, or remove it.", 3,
          8
        ),
        (
          "@Takes(OwnChange.go, OwnChange.run) case a\n  enum OwnChange { case go }",
          "@Takes needs changes, as in @Takes(OwnChange.name): this is none of the cases of OwnChange.", 2, 24
        ),
        (
          "@Takes(OwnChange.go) case a\n  enum OwnChange { @Ignored(in: A.a) case go }",
          "'a' takes 'go', which is ignored there: remove it from one of the lists.", 3, 8
        ),
        (
          "@Takes(OwnChange.go) case a\n  @Takes() case b\n  enum OwnChange { @Refused(in: A.b) case go }",
          "@Takes lists what each state takes, so that @Refused has no use here: remove it.", 4, 8
        ),
        (
          "case a, b\n  enum OwnChange { @Refused(in: A.a) case go }\n  mutating func apply(_ change: OwnChange, at stamp: Stamp) {}",
          """
          with @Refused or @Ignored, 'A' makes steps: write 'mutating func apply(_ step: Step, at stamp: Stamp) throws(Refusal)' instead of the \
          'apply' of OwnChange, and switch over the step.
          """, 3, 8
        ),
      ])
    func states(members: String, message: String, line: Int, column: Int) {
      expectProblems(
        of: """
          @Alterable enum A {
            \(members)
          }
          """, diagnostics: [.init(message: message, line: line, column: column)])
    }

    @Test("with a model that nothing could alter")
    func nothing() {
      expectProblems(
        of: """
          @Alterable struct A {
            let id: Int
            static let other: String = ""
            var computed: Int { 1 }
          }
          """,
        diagnostics: [
          .init(
            message: """
              'A' has no property that a change could set: remove @Alterable. If 'A' is an element of an @Each collection, conform to \
              Alterable and Codable by hand, with a Change that has a case: 'Never' does not compile there.
              """, line: 1, column: 1)
        ])
    }

    @Test("with a hand-written Change beside the macro, and with properties under a condition")
    func members() {
      expectProblems(
        of: """
          @Alterable struct A {
            enum Change {}
            #if DEBUG
            let a: Int
            #endif
          }
          """,
        diagnostics: [
          .init(
            message:
              "@Alterable generates the enum Change: declare additional cases in an enum OwnChange, or remove the macro.",
            line: 2, column: 8),
          .init(
            message:
              "a stored property under #if would make two builds of an app disagree about their journal: move it out of the condition.",
            line: 4, column: 3),
        ])
    }

    @Test("with an older name of which no singular can be derived")
    func renames() {
      expectProblems(
        of: """
          @Alterable struct A {
            @Renamed(from: "staff") @Each let people: IdentityArray<Person>
          }
          """,
        diagnostics: [
          .init(
            message: "the singular of the older name 'staff' can't be derived: write @Renamed(from: \"staff\", each: \"one\").", line: 2,
            column: 3)
        ])
    }

    @Test("with an argument of @Each that is no literal")
    func unreadableVerb() {
      expectProblems(
        of: """
          @Alterable struct A {
            @Each(.custom, .put) let people: IdentityArray<Person>
          }
          """,
        diagnostics: [
          .init(
            message: "@Each can't read '.custom': write .add, .put, .update, .remove, .move, .replace, or a plain string.", line: 2,
            column: 9)
        ])
    }

    @Test("with @Wire on what is no value, and on a struct that can't be stored by the names of its properties")
    func wireStruct() {
      expectProblems(
        of: "@Wire final class A {}",
        diagnostics: [.init(message: "@Wire is for values: make this a struct or an enum.", line: 1, column: 1)]
      )
      expectProblems(
        of: "@Wire struct A {}",
        diagnostics: [.init(message: "'A' has no stored property: nothing would be stored. Remove @Wire.", line: 1, column: 14)])
      expectProblems(
        of: """
          @Wire struct A {
            let (a, b): (Int, Int)
            var count = 0
            let kind: String = "a"
            lazy var size: Int = 1
            @Fixed let id: Int
            #if DEBUG
            let note: String
            #endif
            @Renamed(from: "id") let number: Int
            enum CodingKeys: String, CodingKey { case id }
          }
          """,
        diagnostics: [
          .init(
            message: "@Wire stores each property or case by its own name: remove CodingKeys (@Renamed reads older names), or remove @Wire.",
            line: 11,
            column: 3),
          .init(
            message: "@Wire needs a name for each property: write the elements of this tuple as separate properties.", line: 2, column: 7),
          .init(
            message: "'count' needs a written type: a macro can't see the type that the compiler infers.", line: 3, column: 7,
            fixIts: [.init(message: "write ': Int'")]),
          .init(
            message: "'kind' is a constant with a value: nothing could set it. Write its initial value as @Default.", line: 4, column: 20,
            fixIts: [.init(message: "write '@Default(\"a\")'")]),
          .init(
            message: "'size' is lazy: it has no value that could be stored. Make it computed, or give it a value.", line: 5, column: 3),
          .init(message: "@Fixed is for the changes that @Alterable generates: @Wire does not read it. Remove it.", line: 6, column: 3),
          .init(
            message:
              "a stored property under #if would make two builds of an app disagree about their journal: move it out of the condition.",
            line: 8, column: 3),
          .init(
            message: "'id' would be the stored name of two properties of A: of 'id' and of 'number'. Rename one.", line: 10, column: 28),
        ])
    }

    @Test("with @Wire on an enum whose cases have values without a name")
    func wire() {
      expectProblems(
        of: """
          @Wire enum A {
            case put(Int, String)
            @Renamed(from: "put") case other
          }
          """,
        diagnostics: [
          .init(
            message:
              "'put' has several values, and one has no label: the stored form needs a name for each of them. Write 'put(name: Int)'.",
            line: 2,
            column: 12),
          .init(
            message:
              "'put' has several values, and one has no label: the stored form needs a name for each of them. Write 'put(name: String)'.",
            line: 2, column: 17),
          .init(
            message: "'put' would be the stored name of two changes of A: of 'put' and of 'other'. Rename one of them.", line: 1,
            column: 12),
        ])
    }

    @Test("once, where @Alterable and @Wire both read an enum of own changes", arguments: ["struct A { let x: Int", "enum A { case a, b"])
    func wireInside(model: String) {
      expectProblems(
        of: """
          @Alterable \(model)
            @Wire enum OwnChange { case jot(String, page: Int) }
          }
          """,
        diagnostics: [
          .init(
            message:
              "'jot' has several values, and one has no label: the stored form needs a name for each of them. Write 'jot(name: String)'.",
            line: 2, column: 35)
        ])
    }
  }
#endif

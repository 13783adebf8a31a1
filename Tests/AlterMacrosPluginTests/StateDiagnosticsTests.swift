#if Macros
  import SwiftSyntaxMacrosGenericTestSupport
  import Testing

  @Suite("The macro says what is wrong with an enum of states, or with the spelling and the stamps of a struct")
  struct StateDiagnosticsTests {
    @Test("without a method for its changes, which would crash the compiler (Swift 6.3.1)")
    func method() {
      expectProblems(
        of: """
          @Alterable enum Door {
            case open, closed
            @Wire enum OwnChange { case open, close }
          }
          """,
        diagnostics: [
          .init(
            message: """
              'Door' needs a method for its changes: write 'mutating func apply(_ change: OwnChange, at stamp: Stamp) throws(Refusal)' in the enum \
              itself. An extension is invisible to the macro.
              """, line: 3, column: 14)
        ])
      expectProblems(
        of: """
          @Alterable enum Door {
            case open, closed
            @Wire enum OwnChange { @Refused(in: Door.open) case open }
          }
          """,
        diagnostics: [
          .init(
            message: """
              'Door' needs a method for its changes: write 'mutating func apply(_ step: Step, at stamp: Stamp) throws(Refusal)' in the enum itself. \
              An extension is invisible to the macro.
              """, line: 3, column: 14)
        ])
    }

    @Test("with a Failure that its refusals are not")
    func failure() {
      func message(_ name: String) -> String {
        """
        '\(name)' refuses changes with a Refusal, but its Failure is Jam: remove Failure, or write 'mutating func apply(_ change: Change, at stamp: \
        Stamp) throws(Jam)' that calls applyGenerated(_:at:) and throws Jam instead of its Refusal.
        """
      }
      expectProblems(
        of: """
          @Alterable enum Door {
            typealias Failure = Jam
            case open, closed
            @Wire enum OwnChange { @Refused(in: Door.open) case open }
            mutating func apply(_ step: Step, at stamp: Stamp) {}
          }
          """, diagnostics: [.init(message: message("Door"), line: 1, column: 1)])
      expectProblems(
        of: """
          @Alterable struct House {
            typealias Failure = Jam
            @Nested let door: Door
          }
          """, diagnostics: [.init(message: message("House"), line: 1, column: 1)])
    }

    @Test("with cases under a condition, in the states and in the changes")
    func conditions() {
      let message = "a case under #if would make two builds of an app disagree about their journal: move it out of the condition."
      expectProblems(
        of: """
          @Alterable enum Door {
            case open
            #if DEBUG
            case broken
            #endif
            @Wire enum OwnChange {
              case open
              #if DEBUG
              case kick
              #endif
            }
            mutating func apply(_ change: OwnChange, at stamp: Stamp) {}
          }
          """,
        diagnostics: [
          .init(message: message, line: 9, column: 5), .init(message: message, line: 4, column: 3),
        ])
    }

    @Test("with the attributes of a property at a state", arguments: ["Default(1)", "Each", "Fixed", "Stamped"])
    func misplaced(attribute: String) {
      let name = attribute.prefix { $0 != "(" }
      expectProblems(
        of: """
          @Alterable enum Door {
            @\(attribute) case open(Lock)
            case closed
            @Wire enum OwnChange { case open }
            mutating func apply(_ change: OwnChange, at stamp: Stamp) {}
          }
          """,
        diagnostics: [
          .init(message: "@\(name) is for a property of a struct: at a case, nothing reads it. Remove it.", line: 2, column: 3)
        ])
    }

    @Test("with a spelling for collections that it does not have")
    func nounFirst() {
      func problem(_ name: String) -> DiagnosticSpec {
        .init(
          message: "'\(name)' has no @Each collection whose changes could be written noun first: write @Alterable.", line: 1, column: 1)
      }
      expectProblems(
        of: """
          @Alterable(.nounFirst) struct Lock {
            let code: Int
          }
          """, diagnostics: [problem("Lock")])
      expectProblems(
        of: """
          @Alterable(.nounFirst) enum Door {
            @Nested case open(Lock)
            case closed
          }
          """, diagnostics: [problem("Door")])
    }

    @Test("with a time that is set once, in a model that no collection can contain, or of a type that is never nil")
    func once() {
      expectProblems(
        of: """
          @Alterable struct Settings {
            let theme: String
            @Stamped(.once) let created: Date?
          }
          """,
        diagnostics: [
          .init(
            message: """
              @Stamped(.once) sets a time when the value is added to an @Each collection, but 'Settings' shows no id. If collections contain it, write \
              ': Identifiable' in its declaration; if not, write '@Fixed let created: Date', and pass the date to the initialiser.
              """, line: 3, column: 23)
        ])
      expectProblems(
        of: """
          @Alterable struct Note: Identifiable {
            let id: Int
            let text: String
            @Stamped(.once) let created: Date
          }
          """,
        diagnostics: [
          .init(
            message: "@Stamped(.once) sets a time once: 'created' must be a Date?, which is nil until a collection contains the value.",
            line: 4, column: 32)
        ])
    }

    @Test("with a constant as the spelling or as the times, whose value the macro can't see")
    func constants() {
      expectProblems(
        of: """
          @Alterable(spelling) struct Note: Identifiable {
            let id: Int
            let text: String
            @Stamped(times) let created: Date?
          }
          """,
        diagnostics: [
          .init(message: "@Stamped can't read 'times': write .always or .once.", line: 4, column: 12),
          .init(message: "@Alterable can't read 'spelling': write .verbFirst or .nounFirst.", line: 1, column: 12),
        ])
      expectProblems(
        of: """
          @Alterable(spelling) enum Door {
            case open, closed
            @Nested case locked(Lock)
          }
          """,
        diagnostics: [.init(message: "@Alterable can't read 'spelling': write .verbFirst or .nounFirst.", line: 1, column: 12)])
    }

    @Test(
      "with a time that is set once, and that each new value brings already",
      arguments: [
        ("@Default(Date.distantPast) @Stamped(.once) let", "", "Date.distantPast", 12),
        ("@Stamped(.once) private(set) var", " = Date()", "Date()", 53),
      ])
    func neverSet(line: String, initial: String, value: String, column: Int) {
      expectProblems(
        of: """
          @Alterable struct Note: Identifiable {
            let id: Int
            let text: String
            \(line) created: Date?\(initial)
          }
          """,
        diagnostics: [
          .init(
            message:
              "@Stamped(.once) sets 'created' only if it is nil: with \(value) in each new value, it would never be set. Remove this value.",
            line: 4, column: column)
        ])
    }
  }
#endif

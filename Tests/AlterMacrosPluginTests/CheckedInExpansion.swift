#if Macros
  import Foundation
  import SwiftSyntax
  import SwiftSyntaxBuilder
  import SwiftSyntaxMacroExpansion
  import Testing

  @testable import AlterMacrosPlugin

  /// A file whose last part the macros have written, because it is compiled without them: in release, they take minutes to compile.
  ///
  /// A test compares that part with the output of today's macros. With the environment variable `ALTER_WRITE_EXPANSIONS`, it writes the file
  /// instead.
  struct CheckedInExpansion {
    /// The line in front of the written part.
    static let mark = """
      // MARK: - Written by the macros
      //
      // To write this again: ALTER_WRITE_EXPANSIONS=1 script/test --filter CheckedInExpansionTests
      """

    private let file: URL
    /// The part in front of the mark.
    let source: String
    private let written: String

    /// Reads a file of the repository.
    ///
    /// - Parameter path: The path from the root of the repository.
    init(_ path: String) throws {
      file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: path)
      let text = try String(contentsOf: file, encoding: .utf8)
      let end = try #require(text.firstRange(of: Self.mark), "'\(path)' has no line '\(Self.mark)'.")
      source = String(text[..<end.lowerBound])
      written = String(text[end.upperBound...])
    }

    /// Compares the written part with the output of the macros.
    ///
    /// - Parameters:
    ///   - expansion: The output.
    ///   - location: The place of the test.
    func expect(_ expansion: String, at location: Testing.SourceLocation = #_sourceLocation) throws {
      let expected = "\n\n" + expansion.trimmingCharacters(in: .newlines) + "\n"
      if ProcessInfo.processInfo.environment["ALTER_WRITE_EXPANSIONS"] != nil {
        try Data((source + Self.mark + expected).utf8).write(to: file)
      } else if written != expected {
        func lines(_ text: String) -> [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
        let (mine, theirs) = (lines(written), lines(expected))
        let place = zip(mine, theirs).prefix { $0 == $1 }.count
        Issue.record(
          """
          '\(file.lastPathComponent)' is not what the macros write today. In line \(place + lines(source + Self.mark).count):
            in the file: \(place < mine.count ? mine[place] : "nothing")
            the macros:  \(place < theirs.count ? theirs[place] : "nothing")
          If the difference is intended, write the files again: ALTER_WRITE_EXPANSIONS=1 script/test --filter CheckedInExpansionTests
          """, sourceLocation: location)
      }
    }

    /// Returns the extensions that `@Wire` generates for the declarations that have the comment `// @Wire` behind their opening brace.
    func wireExtensions() throws -> String {
      let marked = MarkedDeclarations(viewMode: .sourceAccurate)
      marked.walk(SourceFileSyntax(stringLiteral: source))
      #expect(!marked.found.isEmpty)
      return try marked.found.map { declaration, owners in
        let context = BasicMacroExpansionContext(lexicalContext: owners)
        let name = (owners.reversed().compactMap(\.typeName) + [Syntax(declaration).typeName ?? ""]).joined(separator: ".")
        let extensions = try WireMacro.expansion(
          of: "@Wire", attachedTo: declaration, providingExtensionsOf: TypeSyntax(stringLiteral: name),
          conformingTo: ["Codable", "AlterCore.StoredForm"], in: context)
        #expect(context.diagnostics.isEmpty, "\(context.diagnostics.map(\.message))")
        return extensions.map { "// swift-format-ignore\n\($0)" }.joined(separator: "\n")
      }.joined(separator: "\n\n")
    }
  }

  /// Finds the declarations with the comment `// @Wire`, in the order of the source.
  private final class MarkedDeclarations: SyntaxVisitor {
    /// Each declaration with those around it, the innermost first.
    private(set) var found: [(declaration: any DeclGroupSyntax, owners: [Syntax])] = []
    private var owners: [Syntax] = []

    private func begin(_ declaration: some DeclGroupSyntax) -> SyntaxVisitorContinueKind {
      let isMarked = declaration.memberBlock.leftBrace.trailingTrivia.contains { $0 == .lineComment("// @Wire") }
      if isMarked { found.append((declaration, owners)) }
      owners.insert(Syntax(declaration), at: 0)
      return .visitChildren
    }

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { begin(node) }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { begin(node) }
    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind { begin(node) }
    override func visitPost(_ node: StructDeclSyntax) { owners.removeFirst() }
    override func visitPost(_ node: EnumDeclSyntax) { owners.removeFirst() }
    override func visitPost(_ node: ExtensionDeclSyntax) { owners.removeFirst() }
  }

  extension Syntax {
    /// The name of a declared or extended type.
    fileprivate var typeName: String? {
      asProtocol((any NamedDeclSyntax).self)?.name.text ?? self.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription
    }
  }
#endif

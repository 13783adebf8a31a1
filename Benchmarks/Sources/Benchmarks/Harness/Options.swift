/// The options of the command line.
struct Options {
  var isQuick = false
  var json: String?
  var page: String?
  var filter: String?

  var rounds: Int { isQuick ? 3 : 9 }

  /// The sizes of the measured collections. The largest takes most of the time, so the quick form omits it.
  var sizes: [Int] { isQuick ? [1_000, 100_000] : [1_000, 100_000, 1_000_000] }

  static let usage = """
    Usage: benchmark [--quick] [--json FILE] [--page FILE] [--filter NAME]

      --quick         fewer rounds and no collections of 1,000,000 elements: a smoke test
      --json FILE     writes one JSON object a line as well
      --page FILE     writes a page in Markdown as well, with charts beside it
      --filter NAME   only the work whose name has NAME in it
    """

  init(_ arguments: [String]) throws(UsageError) {
    var arguments = arguments[...]
    while let argument = arguments.popFirst() {
      switch argument {
      case "--quick": isQuick = true
      case "--json": json = try Self.value(of: argument, &arguments)
      case "--page": page = try Self.value(of: argument, &arguments)
      case "--filter": filter = try Self.value(of: argument, &arguments)
      default: throw UsageError(message: argument == "--help" ? "" : "unknown argument '\(argument)'")
      }
    }
  }

  private static func value(of name: String, _ arguments: inout ArraySlice<String>) throws(UsageError) -> String {
    guard let value = arguments.popFirst() else { throw UsageError(message: "'\(name)' needs a value") }
    return value
  }

  struct UsageError: Error { let message: String }
}

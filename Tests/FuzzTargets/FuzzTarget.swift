/// A parser of bytes that others may have written, as a target for a fuzzer.
///
/// For any input, ``run`` returns or throws a ``Surprise``. It never traps, hangs or uses unbounded memory.
public struct FuzzTarget: Sendable {
  /// An unexpected result without a trap: a value that changes when it is written and read again, or an error of the wrong type.
  public struct Surprise: Error, CustomStringConvertible {
    /// The text of the failure.
    public let description: String

    /// - Parameter description: The text of the failure.
    public init(_ description: String) { self.description = description }
  }

  /// The name on the command line.
  public let name: String
  /// The initial inputs: valid ones, and invalid ones that mutations rarely find.
  public let corpus: [[UInt8]]
  /// Parses the bytes.
  public let run: @Sendable ([UInt8]) async throws -> Void

  /// Creates a target.
  ///
  /// - Parameters:
  ///   - name: The name on the command line.
  ///   - corpus: The initial inputs, as texts.
  ///   - run: Parses bytes, and throws ``Surprise``.
  public init(_ name: String, _ corpus: [String], run: @escaping @Sendable ([UInt8]) async throws -> Void) {
    self.name = name
    self.corpus = corpus.map { Array($0.utf8) }
    self.run = run
  }

  /// The targets of the library.
  public static let all: [FuzzTarget] = [json, dates, wire, storedForm, entries, snapshots, export]

  /// JSON that is difficult to parse: deep, large, malformed, at the limits.
  public static let nastyJSON =
    [
      "null", "[]", "{}", #""""#, #"{"a":1,"a":2}"#, #"["é","\u00e9","\ud83d\ude00","\ud83d"]"#, "[1,-0,0.1,1e5,1E+400,-1e-400]",
      "[9223372036854775807,9223372036854775808,-9223372036854775808,18446744073709551616,1e18,1e19]", "1e999999999999", "-1e-99999999999",
      "[NaN,Infinity]", #"["NaN","Infinity","-Infinity"]"#, "[1,]", "{,}", "nul", #""\u12"#, "\u{FEFF}[]", "[1] x", "\u{0}",
    ] + [
      String(repeating: "[", count: 100_000), String(repeating: #"{"a":"#, count: 50_000),
      String(repeating: "[", count: 512) + String(repeating: "]", count: 512),
      String(repeating: "[", count: 513) + String(repeating: "]", count: 513), String(repeating: "9", count: 50_000),
      "0." + String(repeating: "0", count: 50_000) + "1", #"""# + String(repeating: "x", count: 50_000),
    ]
}

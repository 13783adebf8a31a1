/// Slightly damaged bytes: seeded mutations of a corpus.
public struct Mutation: Sendable {
  private let corpus: [[UInt8]]

  /// The inserted tokens: values at limits, and bytes with a meaning.
  private static let tokens: [[UInt8]] =
    [
      "[", "]", "{", "}", ",", ":", #"""#, "\\", "\\u0000", "\\ud800", "null", "true", "-", "0", "1e400", "1e-400", "9223372036854775808",
      "-9223372036854775809", "\n", "\r", "\u{0}", "\u{FEFF}", "\u{1B}", "é", "\u{1F600}", #""a":"#, "due:", "x ", "(A) ", "@", " ",
      "due:9999-12-31",
      "2026-02-30", #"{"targets":["#, #""id":"#, "Infinity", "\u{7F}",
    ].map { Array($0.utf8) } + [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]]

  /// Mutations of some bytes.
  public init(of corpus: [[UInt8]]) { self.corpus = corpus }

  /// The next bytes.
  public func next(using random: inout some RandomNumberGenerator) -> [UInt8] {
    var bytes = corpus.randomElement(using: &random) ?? []
    for _ in 0..<Int.random(in: 1...6, using: &random) { mutate(&bytes, using: &random) }
    return bytes
  }

  private func mutate(_ bytes: inout [UInt8], using random: inout some RandomNumberGenerator) {
    let place = Int.random(in: 0...bytes.count, using: &random)
    let range = place..<min(bytes.count, place + Int.random(in: 1...16, using: &random))
    switch Int.random(in: 0..<9, using: &random) {
    case 0 where !range.isEmpty: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1 where !range.isEmpty: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 2: bytes.removeSubrange(range)
    case 3: bytes.insert(contentsOf: bytes[range], at: place)
    case 4: bytes.removeSubrange(place...)
    case 5:
      let other = corpus.randomElement(using: &random) ?? []
      let from = Int.random(in: 0...other.count, using: &random)
      bytes.insert(contentsOf: other[from..<min(other.count, from + 64)], at: place)
    case 6 where bytes.count < 4_096:
      let times = Int.random(in: 1...64, using: &random)
      bytes.insert(contentsOf: (0..<times).flatMap { _ in Array(bytes[range]) }, at: place)
    default: bytes.insert(contentsOf: Self.tokens.randomElement(using: &random) ?? [], at: place)
    }
  }
}

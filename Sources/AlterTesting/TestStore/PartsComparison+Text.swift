import AlterCore

// The texts of deviations, and the expectation that would have passed.
extension PartsComparison {
  static func text(_ value: Any?) -> String {
    guard let value = value.flatMap({ unwrapped($0) }) else { return "nil" }
    return TestWording.describe(value)
  }

  /// The differing parts of a value that is not the expected one.
  static func otherValues(_ expected: Any?, _ actual: Any, at path: String) -> [Deviation] {
    guard let expected, let actual = unwrapped(actual) else {
      return [.otherValue(path: path, expected: text(expected), actual: text(actual))]
    }
    let parts = type(of: expected) == type(of: actual) ? partDifferences(from: expected, to: actual) : []
    guard parts.allSatisfy({ if case .content = $0.kind { !$0.steps.isEmpty && $0.whole == nil } else { false } }), !parts.isEmpty else {
      return [otherValue(expected, actual, at: path)]
    }
    return parts.map { part in
      let first = part.steps[0]
      let steps = path.isEmpty || [".", "["].contains(first.prefix(1)) ? part.path : ".\(part.path)"
      guard let old = part.old, let new = part.new else {
        return .otherValue(
          path: path + steps, expected: part.old.map { text($0) } ?? "nothing", actual: part.new.map { text($0) } ?? "nothing")
      }
      return otherValue(old, new, at: path + steps)
    }
  }

  /// A deviation whose texts differ.
  private static func otherValue(_ expected: Any, _ actual: Any, at path: String) -> Deviation {
    let (short, shortActual) = (text(expected), text(actual))
    if short != shortActual { return .otherValue(path: path, expected: short, actual: shortActual) }
    let (full, fullActual) = (SwiftSource(expected).text, SwiftSource(actual).text)
    if full != fullActual {
      let same = max(0, full.commonPrefix(with: fullActual) - 20)
      func end(_ text: String) -> String { "…" + text.dropFirst(same).prefix(100) }
      return .otherValue(path: path, expected: end(full), actual: end(fullActual))
    }
    return .otherValue(
      path: path, expected: "\(short) (\(SwiftSource.name(of: type(of: expected))))",
      actual: "\(short) (\(SwiftSource.name(of: type(of: actual))))")
  }

  /// The deviation of a path that does not exist, with the most similar paths that do.
  func missing(_ path: String) -> Deviation {
    var paths: [String] = []
    for candidate in differences.map(\.path) + PartLookup(in: after).siblings(of: path) + PartLookup(in: before).siblings(of: path)
    where !paths.contains(candidate) && paths.count < 1_000 && !candidate.isEmpty {
      paths.append(candidate)
    }
    let near = paths.map { (path: $0, distance: $0.editDistance(to: path)) }.sorted { $0.distance < $1.distance }
    let similar = near.prefix(3).enumerated().filter { $0.offset == 0 || $0.element.distance <= path.count / 2 }
    return .missing(path: path, similar: similar.map(\.element.path))
  }

  /// The lines of an expectation that covers all differences.
  static func lines(for differences: [PartDifference], in after: Any) -> [String] {
    var lines: [String] = []
    var wholes: Set<String> = []
    let trailing = trailingInsertions(differences, in: after)
    for difference in differences {
      if let whole = difference.whole {
        if wholes.insert(whole.steps.joined()).inserted { lines.append(line(whole.steps.joined(), SwiftSource.argument(whole.new))) }
        continue
      }
      let value = difference.new.flatMap { unwrapped($0) }.map { SwiftSource.argument($0) } ?? "nil"
      switch difference.kind {
      case .content: lines.append(line(difference.path, value))
      case .insertion(let place):
        lines.append(line(difference.path, trailing.contains(difference.path) ? value : "Added(\(value), at: \(place))"))
      case .move(_, let place): lines.append(line(difference.path, "Moved(to: \(place))"))
      }
    }
    return lines
  }

  /// The paths of the new elements that only new elements follow.
  private static func trailingInsertions(_ differences: [PartDifference], in after: Any) -> Set<String> {
    var next: [String: Int] = [:]
    var paths: Set<String> = []
    for difference in differences.reversed() {
      guard case .insertion(let place) = difference.kind else { continue }
      let collection = difference.steps.dropLast().joined()
      let end = next[collection] ?? PartLookup(in: after).parts(at: collection).first.map { PartLookup(in: $0).count } ?? 0
      guard place == end - 1 else { continue }
      paths.insert(difference.path)
      next[collection] = place
    }
    return paths
  }

  private static func line(_ path: String, _ value: String) -> String {
    let quoted = SwiftSource(path).text
    let isRaw = path.contains("\"") && !path.contains("\"#") && quoted.replacing("\\\"", with: "\"") == "\"\(path)\""
    return "\(isRaw ? "#\"\(path)\"#" : quoted): \(value),"
  }
}

extension String {
  /// The number of characters at the beginning that another text shares.
  fileprivate func commonPrefix(with other: String) -> Int {
    zip(self, other).prefix { $0 == $1 }.count
  }

  /// The number of characters to insert, remove or replace to get another text (Levenshtein's distance).
  ///
  /// - Complexity: O(length × length of the other text).
  fileprivate func editDistance(to other: String) -> Int {
    let other = Array(other)
    var row = Array(0...other.count)
    for (line, character) in enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for column in other.indices {
        let above = row[column + 1]
        row[column + 1] = Swift.min(above + 1, row[column] + 1, diagonal + (character == other[column] ? 0 : 1))
        diagonal = above
      }
    }
    return row[other.count]
  }
}

#if Inspector
  import ArgumentParser

  /// The range of a number on a command line. A number is checked before a command uses it.
  enum OptionNumber {
    /// Checks a number.
    ///
    /// - Parameters:
    ///   - number: The number; nil when the option isn't given.
    ///   - name: The option, as in `--limit`.
    ///   - range: The numbers that it takes.
    /// - Throws: A `ValidationError` that names the option and the range.
    static func check<Number: FixedWidthInteger>(_ number: Number?, _ name: String, in range: ClosedRange<Number>) throws {
      guard let number, !range.contains(number) else { return }
      let end = range.upperBound == .max ? "from \(range.lowerBound) on" : "from \(range.lowerBound) to \(range.upperBound)"
      throw ValidationError("\(name) needs a whole number \(end), not \(number)")
    }
  }
#endif

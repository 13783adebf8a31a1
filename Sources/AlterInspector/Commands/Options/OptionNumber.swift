#if Inspector
  import ArgumentParser

  /// Checks the ranges of numbers on a command line, before a command uses them.
  enum OptionNumber {
    /// Checks a number.
    ///
    /// - Parameters:
    ///   - number: The number; nil if the option is absent.
    ///   - name: The option, like '--limit'.
    ///   - range: The accepted range.
    /// - Throws: A `ValidationError` that names the option and the range.
    static func check<Number: FixedWidthInteger>(_ number: Number?, _ name: String, in range: ClosedRange<Number>) throws {
      guard let number, !range.contains(number) else { return }
      let end = range.upperBound == .max ? "from \(range.lowerBound) on" : "from \(range.lowerBound) to \(range.upperBound)"
      throw ValidationError("\(name) needs a whole number \(end), not \(number)")
    }
  }
#endif

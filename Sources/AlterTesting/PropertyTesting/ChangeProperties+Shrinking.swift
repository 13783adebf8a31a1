import Alter

extension ChangeProperties {
  /// Shortens a failing sequence. It removes changes in ever smaller pieces, and then replaces single changes by simpler ones, as long as
  /// the sequence breaks the same property.
  ///
  /// Source of the first part: Andreas Zeller and Ralf Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (2002), reduced to
  /// its complements.
  func smallest(_ broken: Broken, _ changes: [State.Change], seed: UInt64, length: Int) -> PropertyFailure<State> {
    var best = changes
    var detail = broken.detail
    var tries = 20_000

    /// Tries a candidate. If it breaks the same property, it becomes the best sequence so far.
    func breaks(_ candidate: [State.Change]) -> Bool {
      guard tries > 0 else { return false }
      tries -= 1
      guard let (found, part) = self.broken(by: candidate), found.what == broken.what else { return false }
      best = part
      detail = found.detail
      return true
    }

    var isSmaller = true
    while isSmaller, tries > 0 {
      isSmaller = false
      var size = max(best.count / 2, 1)
      while size >= 1 {
        var start = 0
        while start < best.count {
          let candidate = Array(best[..<start] + best[min(start + size, best.count)...])
          if breaks(candidate) { isSmaller = true } else { start += size }
        }
        size /= 2
      }
      guard let simpler else { break }
      var place = 0
      while place < best.count {
        let forms = simpler(best[place])
        let isSimpler = forms.contains { form in
          var candidate = best
          candidate[place] = form
          return breaks(candidate)
        }
        if isSimpler { isSmaller = true } else { place += 1 }
      }
    }
    return PropertyFailure(
      broken: broken.what, detail: detail, changes: best, found: changes.count, seed: seed, length: length)
  }
}

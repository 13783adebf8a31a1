#if SQLite
  /// The reasons for the new starts of a mirror, as the row of the device holds them: `contact@1 restart@3 floor@4`, with the number of the
  /// last start for each reason.
  ///
  /// A process that was away learns the most important reason of all starts that it has missed, not only the last one: a floor after a
  /// restart must not hide that the server's journal was replaced.
  struct MirrorStarts {
    /// The reasons, from the most to the least important one. The first contact is the whole news to a store that has shown nothing of the
    /// server yet.
    enum Reason: String, CaseIterable {
      case contact, restart, floor
    }

    private var numbers: [Reason: Int64] = [:]

    /// Reads the text of the row. Reasons of a newer version are ignored.
    init(_ text: String) {
      for part in text.split(separator: " ") {
        let words = part.split(separator: "@")
        guard words.count == 2, let reason = Reason(rawValue: String(words[0])), let number = Int64(words[1]) else { continue }
        numbers[reason] = number
      }
    }

    /// Adds the start with a number.
    mutating func add(_ reason: Reason, _ number: Int64) { numbers[reason] = number }

    /// The most important reason of the starts after a number.
    func reason(after number: Int64) -> Reason { Reason.allCases.first { numbers[$0] ?? 0 > number } ?? .floor }

    /// The text of the row.
    var text: String { Reason.allCases.compactMap { reason in numbers[reason].map { "\(reason.rawValue)@\($0)" } }.joined(separator: " ") }
  }
#endif

package import Alter

/// A job for a durable feedback: it is wanted until a result is there.
package struct Job: Journaled, Hashable {
  package enum Change: Hashable, Codable { case begin, done(String) }

  package private(set) var isWanted = false
  package private(set) var results: [String] = []

  package init() {}

  package mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .begin: isWanted = true
    case .done(let result):
      isWanted = false
      results.append(result)
    }
  }
}

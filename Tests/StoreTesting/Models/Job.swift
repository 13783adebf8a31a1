package import Alter

/// A job for a durable feedback: it is wanted until a result is there.
package struct Job: Journaled, Hashable {
  package enum Change: Hashable, Codable { case begin, done(String) }

  package private(set) var wanted: Requested<String>?
  package private(set) var results: [String] = []

  package init() {}

  package var isWanted: Bool { wanted != nil }

  package mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .begin: wanted = Requested("work", stamp)
    case .done(let result):
      wanted = nil
      results.append(result)
    }
  }
}

import Alter
import ArgumentParser
import TodoCore

/// `todo refused`
struct Refused: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "refused", abstract: "Show the changes that the server has refused; make them again, or dismiss them.",
    discussion: Help.text(
      "A refused change has no effect on the list. It stays here until it is retried or dismissed.",
      examples: "todo refused", "todo refused --retry 1 2", "todo refused --dismiss --all"))

  @OptionGroup var store: StoreLocation

  @Flag(help: "Make the changes again.")
  var retry = false

  @Flag(help: "Give the changes up.")
  var dismiss = false

  @Flag(help: "All refused changes.")
  var all = false

  @Argument(help: "The numbers of changes, as 'todo refused' shows them.")
  var numbers: [Int] = []

  func validate() throws {
    guard !(retry && dismiss) else { throw ValidationError("give one of --retry and --dismiss") }
    guard (retry || dismiss) == (all || !numbers.isEmpty) else {
      throw ValidationError("--retry and --dismiss need the numbers of changes, or --all")
    }
  }

  mutating func run() async throws {
    guard try SyncFile.read(try store.find().path) != nil else {
      throw CommandError(.noSuchThing, "the list is not synced, so nothing can be refused")
    }
    try await Session.change(store) { store in
      let refusals = store.refusals
      let described = Self.described(refusals, in: store.state)
      guard retry || dismiss else {
        return try Console.print(refusals.isEmpty ? ["Nothing was refused."] : described.enumerated().map { "\($0 + 1)  \($1)" })
      }
      for number in numbers where !refusals.indices.contains(number - 1) {
        throw CommandError(
          .noSuchThing, "there is no refused change \(number): there \(refusals.count == 1 ? "is 1" : "are \(refusals.count)")")
      }
      let places = all ? Array(refusals.indices) : Set(numbers).sorted().map { $0 - 1 }
      if dismiss {
        try await store.dismiss(places.map { refusals[$0] })
        return try Console.print(places.map { "Dismissed: \(described[$0])" })
      }
      try await again(places.map { (refusals[$0], described[$0]) }, in: store)
    }
  }

  private func again(_ changes: [(refused: RefusedChange<AppState>, text: String)], in store: Store<AppState>) async throws {
    let results = store.retry(changes.map(\.refused))
    var failures = 0
    for (refused, text) in changes {
      switch results[refused.id] {
      case .success(let commit):
        do {
          let revision = try await store.settle(commit)
          try Console.print("Made again\(revision == nil ? " (not yet confirmed)" : ""): \(text)")
        } catch let error as CommandError {
          failures += 1
          Console.complain(error.message)
        }
      case .failure(let error):
        failures += 1
        Console.complain("\(text): \(error)")
      case nil: break
      }
    }
    if failures > 0 { throw CommandError(.refused, "\(Sync.changes(failures)) refused again") }
  }

  /// Each change in words, with its reason.
  private static func described(_ refusals: [RefusedChange<AppState>], in state: AppState) -> [String] {
    var narrator = Narrator()
    narrator.learn(state)
    return refusals.map { "\(narrator.tell($0.record)): \($0.explanation)" }
  }
}

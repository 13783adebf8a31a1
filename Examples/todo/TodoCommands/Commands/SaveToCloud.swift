import Alter
import ArgumentParser
import TodoCore
import _AlterTerminal

/// `todo cloud`
struct SaveToCloud: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cloud", abstract: "Save the list to a URL, as todo.txt.",
    discussion: Help.text(
      """
      The list is sent by an HTTP PUT, which replaces the document at the URL. The request is stored in the list itself: if this command is killed midway, \
      'todo cloud' continues, and sends the list again.

      The list keeps the URL permanently, with its query, so the URL may contain no user and no password. Give them as user:password in TODO_CLOUD_USER, or in ~/.netrc: other users \
      of this machine can see arguments.
      """, examples: "todo cloud https://example.org/my-list", "todo cloud"))

  @OptionGroup var store: StoreLocation

  @Argument(help: "The URL to save to; without it, a save that was begun and not finished continues.")
  var url: String?

  func validate() throws {
    guard let url else { return }
    do throws(CloudAddress.Malformed) { _ = try CloudAddress(url) } catch { throw ValidationError(error.description) }
  }

  mutating func run() async throws {
    guard try Session.settings(store) == nil else {
      throw CommandError(
        .usage, "a synced list is on its server; 'todo cloud' is for lists of this device. 'todo export' writes it as todo.txt.")
    }
    let missing = CommandError(.noSuchThing, "there is no list yet: 'todo add' begins one")
    guard try await Session.exists(store) else { throw missing }
    try await Session.change(store, followsOthers: true) { store in
      if url == nil {
        guard case .saving(let url) = store.state.cloud else { return try Console.print(Self.summary(of: store.state.cloud)) }
        try Console.print("Continuing: \(CloudAddress.shown(url))")
      }
      var options = FeedbackOptions()
      // The lease is short, because the user waits: if another process dies with the lease, this one takes over soon.
      options.lease = .seconds(3)
      let run = try store.run([.saveToCloud], in: World.live, options: options)
      // The run sees the request appear, so an undo of the request reverts its answer, too.
      if let url { try await store.change(.cloud(.save(to: url))).durable() }
      // If another replica keeps the lease, or no process can get it, nothing happens, and the command reports the reason.
      let problems = store.problems
      let telling = Task {
        for await problem in problems {
          if case .feedback(_, let reason) = problem { Console.complain("the list is not saved yet: \(reason)") }
        }
      }
      defer { telling.cancel() }
      for await copy in store.values(of: \.cloud) {
        if case .saving = copy { continue }
        // The journal contains this state before the command reports it.
        break
      }
      await run.stop()
      // The stream of values ends when the journal has failed permanently. The store's status gives the reason.
      if case .failed(let error) = store.status { throw error }
      if case .failed(let url, let why) = store.state.cloud {
        throw CommandError(
          .ioError,
          "can't save the list to '\(CloudAddress.shown(url))': \(why.printable). 'todo cloud \(CloudAddress.shown(url))' tries again.")
      }
      try Console.print(Self.summary(of: store.state.cloud))
    }
  }

  private static func summary(of copy: Cloud?) -> String {
    switch copy {
    case .saved(let url, let items): "Saved \(items == 1 ? "1 item" : "\(items) items") to \(CloudAddress.shown(url))"
    case .saving(let url): "Being saved to \(CloudAddress.shown(url))"
    case .failed(let url, let why): "Not saved to \(CloudAddress.shown(url)): \(why.printable)"
    case nil: "Nothing was saved yet: name a URL"
    }
  }
}

import Alter
import TodoCore

#if Examples
  import ArgumentParser

  /// `todo cloud`
  struct SaveToCloud: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "cloud", abstract: "Save the list to a URL, as todo.txt.",
      discussion: Help.text(
        """
        The list is sent by an HTTP PUT. That it shall be is in the list itself: if this command is killed, or the network fails in the middle, 'todo cloud' goes \
        on, under the same Idempotency-Key, so that a server that has it already can say so.
        """, examples: "todo cloud https://example.org/my-list", "todo cloud"))

    @OptionGroup var store: StoreLocation

    @Argument(help: "Where to save it; without, what was begun and not finished is gone on with.")
    var url: String?

    func validate() throws {
      if let url, !url.hasPrefix("http://"), !url.hasPrefix("https://") { throw ValidationError("'\(url)' is no http or https URL") }
    }

    mutating func run() async throws {
      let missing = CommandError(.noSuchThing, "there is no list yet: 'todo add' begins one")
      guard try await Session.exists(store) else { throw missing }
      try await Session.change(store, followsOthers: true) { store in
        if let url {
          try await store.change(.cloud(.save(to: url))).durable()
        } else {
          guard case .saving(let url) = store.state.cloud else { return try Console.print(Self.summary(of: store.state.cloud)) }
          try Console.print("Going on: \(url.printable)")
        }
        var options = FeedbackOptions()
        // Somebody waits at the keyboard: another process that dies with the lease is followed soon.
        options.lease = .seconds(3)
        let loop = store.run([.saveToCloud], in: World.live, options: options)
        for await copy in store.values(of: \.cloud) {
          if case .saving = copy { continue }
          // What the state says now is in the journal before anybody is told.
          break
        }
        await loop.stop()
        if case .failed(let url, let why) = store.state.cloud {
          throw CommandError(
            .ioError, "can't save the list to '\(url.printable)': \(why.printable). 'todo cloud \(url.printable)' tries again.")
        }
        try Console.print(Self.summary(of: store.state.cloud))
      }
    }

    private static func summary(of copy: Cloud?) -> String {
      switch copy {
      case .saved(let url, let items): "Saved \(items == 1 ? "1 item" : "\(items) items") to \(url.printable)"
      case .saving(let url): "Being saved to \(url.printable)"
      case .failed(let url, let why): "Not saved to \(url.printable): \(why.printable)"
      case nil: "Nothing was saved yet: name a URL"
      }
    }
  }
#endif

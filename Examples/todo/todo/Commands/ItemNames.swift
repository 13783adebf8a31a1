import Alter
import TodoCore

#if Examples
  import ArgumentParser

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The items that a command is about, and how it changes them: all in one change, by their ids.
  struct ItemNames: ParsableArguments {
    @Argument(help: ArgumentHelp("Each by its number in the list, or the beginning of its id.", valueName: "item"))
    var names: [String]

    /// What happens to one item.
    enum Plan {
      /// Nothing, because of this.
      case leave(why: String)
      /// These changes.
      case make([AppState.Change])
    }

    /// Changes the items, and says so once it is on the disk.
    ///
    /// The numbers mean the list as this command finds it: they become ids before anything is changed, so that somebody else's change at the
    /// same moment can't shift them to other items.
    ///
    /// - Parameters:
    ///   - location: Where the list is.
    ///   - word: What to say of an item that was changed, as in `Done`.
    ///   - plan: What happens to one item.
    func change(in location: StoreLocation, saying word: String, _ plan: (TodoItem) -> Plan) async throws {
      let empty = CommandError(ItemName.Problem.noNumber(names[0], count: 0))
      try await Session.change(location, orThrow: empty) { store in
        let state = store.state
        var changes: [AppState.Change] = []
        var messages: [String] = []
        var seen: Set<UUID> = []
        for name in names {
          let id = try ItemName.find(name, in: state)
          guard seen.insert(id).inserted, let item = state.items[id: id], let place = state.items.index(of: id) else { continue }
          switch plan(item) {
          case .leave(let why): messages.append("\(place + 1) \(why): \(item.text.printable)")
          case .make(let more):
            changes += more
            messages.append("\(word) \(place + 1): \(item.text.printable)")
          }
        }
        if !changes.isEmpty { try await store.change(changes).durable() }
        try Console.print(messages)
      }
    }
  }
#endif

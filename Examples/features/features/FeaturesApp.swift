// The path from a message to a change, in a small app and in a large one.

import Alter
import Console
import FeaturesCore

@main struct FeaturesApp {
  static func main() {
    say("A small app: messages, one feature, one store, in one file.")
    let small = Store(LibraryState())
    let watchingSmall = watch(small)
    for message in [
      SmallLibrary.Message.stock("Emma"), .stock("Evelina"), .lend("Emma", to: "Ann"), .lend("Emma", to: "Bob"),
      .exchange("Emma", for: "Evelina", by: "Ann"),
    ] {
      SmallLibrary(small).send(message) { say("\($0)") }
    }

    say("")
    say("A large app: messages, several features, use cases, one store.")
    let large = Store(LibraryState())
    let watchingLarge = watch(large)
    let library = LibraryApp(large)
    for message in [
      Message.stock(.add("Emma")), .lending(.lend("Emma", to: "Ann")), .waiting(.wait("Bob", for: "Emma")), .lending(.takeBack("Emma")),
    ] {
      library.send(message) { say("\($0)") }
    }
    withExtendedLifetime((watchingSmall, watchingLarge)) {}
  }

  /// Prints every entry when it is made.
  private static func watch(_ store: Store<LibraryState>) -> ObservationToken {
    store.observe { record, _ in
      if let record, case .changes(let changes) = record.kind {
        say("   revision \(record.revision): \(changes.map { "\($0)" }.joined(separator: ", "))")
      }
    }
  }
}

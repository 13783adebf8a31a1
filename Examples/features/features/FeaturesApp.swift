// The path from a message to a change, in a small app and in a large one.

import Alter
import Console
import FeaturesCore

@main struct FeaturesApp {
  static func main() {
    say("A small app: a message is a change.")
    let small = Store(LibraryState())
    let watching = watch(small)
    let app = SmallApp(small)
    for change in [LibraryState.Change.stock("Emma"), .lend("Emma", to: "Ann"), .lend("Emma", to: "Bob")] {
      say("\(change)")
      if let why = app.send(change) { say("   refused: \(why)") }
    }

    say("\nA large app: messages, features, use cases, one store.")
    let large = Store(LibraryState())
    let watchingLarge = watch(large)
    let library = LibraryApp(large)
    for message in [
      Message.stock(.add("Emma")), .lending(.lend("Emma", to: "Ann")), .waiting(.wait("Bob", for: "Emma")), .lending(.takeBack("Emma")),
    ] {
      library.send(message) { say("\($0)") }
    }
    withExtendedLifetime((watching, watchingLarge)) {}
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

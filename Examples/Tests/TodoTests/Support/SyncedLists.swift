import ProcessTesting
import Testing
import TodoTesting

/// The tokens of two users.
struct SharedTokens {
  let ann: String
  let bob: String
}

extension TodoServerProcess {
  /// Puts Ann's list on the server, and on Bob's device, who may change it.
  @discardableResult
  func share(_ ann: Sandbox, with bob: Sandbox) throws -> SharedTokens {
    let tokens = SharedTokens(ann: try add("ann"), bob: try add("bob"))
    #expect(try ann.begin(url, tokens.ann).status == 0)
    #expect(try admin("share", "ann/todo", "bob", "--write").status == 0)
    #expect(try bob.begin(url, tokens.bob, "--list", "ann/todo").status == 0)
    return tokens
  }
}

extension Sandbox {
  /// Runs `todo sync` until the server has decided everything. On a busy machine an exchange may take longer than its time limit.
  @discardableResult
  func synced() throws -> Outcome {
    var outcome = try todo("sync")
    while outcome.status == 75, outcome.output.contains("offline") { outcome = try todo("sync") }
    return outcome
  }

  /// Begins to sync, again if the machine was too busy.
  @discardableResult
  func begin(_ url: String, _ token: String, _ more: String...) throws -> Outcome {
    let command = [executable, "sync", url] + more
    var outcome = try run(command, input: Array((token + "\n").utf8))
    while outcome.status == 75 { outcome = try run(command, input: Array((token + "\n").utf8)) }
    return outcome
  }
}

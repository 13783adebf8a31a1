import ProcessTesting
import TodoTesting

extension TodoServer {
  /// Begins to sync, again if the machine is too busy for the time limit of an exchange.
  func begin(_ server: TodoServerProcess, token: String, list: String = "ann/todo") throws {
    while true {
      do {
        try todo(["sync", server.url, "--list", list], input: token + "\n")
        return
      } catch let error as ServerError where error.description.contains("can't reach") {}
    }
  }

  /// Waits until the server has decided everything.
  func sync() throws {
    while true {
      do {
        try todo(["sync"])
        return
      } catch let error as ServerError where error.description.contains("offline") {}
    }
  }
}

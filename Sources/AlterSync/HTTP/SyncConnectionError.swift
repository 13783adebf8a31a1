/// An exchange that failed although the HTTP client reported no error.
enum SyncConnectionError: Error, CustomStringConvertible {
  /// The address of the server and the target of a request make no URL.
  case address(String)
  /// The answer has another status or another type than a sync server's.
  case answer(status: Int)
  /// The answer has more bytes than are read.
  case tooLong(bytes: Int)
  /// The server has ended the stream of hints.
  case streamEnded
  /// There is no token.
  case noToken

  var description: String {
    switch self {
    case .address(let text): "'\(text)' is not the address of a server."
    case .answer(let status): "The answer, with the status \(status), is not that of a sync server."
    case .tooLong(let bytes): "The answer has more than \(bytes) bytes."
    case .streamEnded: "The server has ended the stream."
    case .noToken: "There is no token; the user must sign in."
    }
  }
}

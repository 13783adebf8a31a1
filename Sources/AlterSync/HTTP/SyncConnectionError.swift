import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An exchange that failed although the HTTP client reported no error.
enum SyncConnectionError: Error, CustomStringConvertible {
  /// The address of the server and the target of a request make no URL.
  case address(String)
  /// The answer denies what was asked, or is none of a sync server's; with the server's own words, if it has some.
  case answer(status: Int, words: String?)
  /// The answer has more bytes than are read.
  case tooLong(bytes: Int)
  /// The server has ended the stream of hints.
  case streamEnded
  /// There is no token.
  case noToken

  var description: String {
    switch self {
    case .address(let text): "'\(text)' is not the address of a server."
    case .answer(let status, let words?): "Its answer has the status \(status): \(words)"
    case .answer(let status, nil): "An answer with the status \(status) came, which is not that of a sync server."
    case .tooLong(let bytes): "The answer has more than \(bytes) bytes."
    case .streamEnded: "The server has ended the stream."
    case .noToken: "There is no token; the user must sign in."
    }
  }

  /// Explains an error of an HTTP client, in a sentence.
  static func explain(_ error: any Error) -> String {
    let text = error is URLError ? error.localizedDescription : "\(error)"
    return text.hasSuffix(".") ? text : text + "."
  }
}

import AlterSync
import Foundation

/// Sends one request as a device does, and prints the status and the body of the answer, or the reason why there is none.
///
///     https-request CLIENT URL TOKEN BODY
///
/// The client is `default` (that of the platform and the traits) or `session` (`URLSession`).
@main
enum HTTPSRequest {
  static func main() async {
    let words = CommandLine.arguments
    guard words.count == 5, ["default", "session"].contains(words[1]), let url = URL(string: words[2]) else {
      FileHandle.standardError.write(Data("usage: https-request default|session URL TOKEN BODY\n".utf8))
      exit(64)
    }
    let client: any SyncHTTPClient = words[1] == "session" ? URLSessionClient() : SyncServer.defaultClient()
    let request = SyncHTTPRequest(
      method: "POST", url: url, headers: ["Authorization": "Bearer \(words[3])"], body: Data(words[4].utf8))
    do {
      let response = try await client.send(request) { _ in }
      var body = Data()
      for try await part in response.body { body += part }
      print(response.status, String(decoding: body, as: UTF8.self))
    } catch {
      print("failed:", error)
    }
  }
}

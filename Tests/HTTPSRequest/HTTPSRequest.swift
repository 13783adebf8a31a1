import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends one request with `URLSession`, as a device does, and prints the status and the body of the answer, or the reason why there is none.
///
///     https-request URL TOKEN BODY
@main
enum HTTPSRequest {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 4, let url = URL(string: words[1]) else {
      FileHandle.standardError.write(Data("usage: https-request URL TOKEN BODY\n".utf8))
      exit(64)
    }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue("Bearer \(words[2])", forHTTPHeaderField: "Authorization")
    request.httpBody = Data(words[3].utf8)
    let session = URLSession(configuration: .ephemeral)
    do {
      let (data, response) = try await session.data(for: request)
      print((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
    } catch {
      print("failed:", error.localizedDescription)
    }
  }
}

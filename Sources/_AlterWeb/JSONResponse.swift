#if InspectorServer || SyncServer
  package import Hummingbird

  #if canImport(FoundationEssentials)
    package import FoundationEssentials
  #else
    package import Foundation
  #endif

  extension Response {
    /// Creates a response with a JSON body.
    package static func json(_ data: Data, status: HTTPResponse.Status = .ok) -> Response {
      Response(
        status: status, headers: [.contentType: "application/json", .contentLength: "\(data.count)"],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
    }

    /// Creates a response with a plain-text message for a person: the problem and the remedy.
    package static func text(_ text: String, status: HTTPResponse.Status) -> Response {
      Response(
        status: status, headers: [.contentType: "text/plain; charset=utf-8"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n")))
    }
  }
#endif

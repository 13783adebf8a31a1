#if Inspector
  package import Hummingbird

  #if canImport(FoundationEssentials)
    package import FoundationEssentials
  #else
    package import Foundation
  #endif

  extension Response {
    /// JSON.
    package static func json(_ data: Data, status: HTTPResponse.Status = .ok) -> Response {
      Response(
        status: status, headers: [.contentType: "application/json", .contentLength: "\(data.count)"],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
    }

    /// A text for a person: what is wrong and what to do.
    package static func text(_ text: String, status: HTTPResponse.Status) -> Response {
      Response(
        status: status, headers: [.contentType: "text/plain; charset=utf-8"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n")))
    }
  }
#endif

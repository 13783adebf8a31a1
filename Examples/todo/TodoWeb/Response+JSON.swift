import Hummingbird

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Response {
  /// A JSON response.
  static func json(_ data: Data, status: HTTPResponse.Status = .ok) -> Response {
    Response(
      status: status, headers: [.contentType: "application/json", .contentLength: "\(data.count)"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
  }
}

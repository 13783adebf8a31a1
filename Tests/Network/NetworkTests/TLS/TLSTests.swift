import AlterSyncServer
import Foundation
import Hummingbird
import ProcessTesting
import Testing

@Suite(
  "Requests with tokens over TLS", .enabled(if: TrustedAuthority.isPossible),
  .enabled(if: TestCertificates.isExpected, "SKIPPED: openssl is not installed, so there are no certificates"), .timeLimit(.minutes(30)))
struct TLSTests {
  private static let token = "ann's token"

  /// A server that answers a valid token with its principal and the length of the body.
  private static func routes() -> Router<BasicRequestContext> {
    let authenticator = StaticTokens([token: "ann"])
    let router = Router()
    router.post("whoami") { request, _ -> Response in
      let field = request.headers[.authorization] ?? ""
      guard field.hasPrefix("Bearer "), let identity = await authenticator.authenticate(String(field.dropFirst(7))) else {
        return Response(status: .unauthorized, headers: [.wwwAuthenticate: "Bearer"])
      }
      let body = try await request.body.collect(upTo: 1 << 20)
      return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: "\(identity.principal) \(body.readableBytes)")))
    }
    return router
  }

  /// The clients of `https-request`: that of the trait, and `URLSession`.
  private static let clients = ["default", "session"]

  /// Sends one request from a process of its own.
  private static func send(
    _ token: String, by client: String, to server: TLSServer, trusting authority: TrustedAuthority?
  ) async throws -> String {
    let words = [client, "\(server.url)/whoami", token, String(repeating: "x", count: 100_000)]
    return try await Child([Product.path("https-request")] + words, environment: authority?.environment ?? [:]).end()
  }

  @Test("A client that trusts the authority is answered, by its token", arguments: clients)
  func trusted(_ client: String) async throws {
    let certificates = try TestCertificates()
    let authority = try TrustedAuthority(certificates)
    try await TLSServer.run(Self.routes(), certificates: certificates) { server in
      let valid = try await Self.send(Self.token, by: client, to: server, trusting: authority)
      #expect(valid == "200 ann 100000")
      let unknown = try await Self.send("another token", by: client, to: server, trusting: authority)
      #expect(unknown.hasPrefix("401"))
      let (connections, bytes) = try await server.ended()
      #expect(connections == 2 && bytes > 100_000)
    }
  }

  @Test(
    "A client that does not trust the authority, or meets the certificate of another server, sends no byte of its request",
    arguments: clients)
  func distrusted(_ client: String) async throws {
    let certificates = try TestCertificates()
    let misnamed = try TestCertificates(name: "other.example")
    for (server, authority) in [
      (certificates, nil), (certificates, try TrustedAuthority(TestCertificates())), (misnamed, try TrustedAuthority(misnamed)),
    ] as [(TestCertificates, TrustedAuthority?)] {
      try await TLSServer.run(Self.routes(), certificates: server) { server in
        let text = try await Self.send(Self.token, by: client, to: server, trusting: authority)
        // Words of the library of TLS: an unknown issuer, a signature of another key, another name.
        #expect(text.hasPrefix("failed: ") && text.contains("SSL"), "\(text)")
        let (connections, bytes) = try await server.ended()
        #expect(connections > 0 && bytes == 0)
      }
    }
  }
}

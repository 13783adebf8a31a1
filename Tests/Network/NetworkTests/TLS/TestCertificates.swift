import Foundation
import ProcessTesting

/// An authority of one test, and the certificate that it has issued for a server. The command `openssl` makes them, without the system's
/// configuration.
struct TestCertificates: Sendable {
  /// Whether these tests run. Without the command they are skipped with a message. With `CI=true` they fail instead.
  static let isExpected =
    ProcessInfo.processInfo.environment["CI"] == "true" || (try? Child.run(["/usr/bin/env", "openssl", "version"])) != nil

  /// The certificate of the authority in PEM form, which a client has to trust.
  let authority: String
  /// The certificate of the server in PEM form.
  let certificate: String
  /// The private key of the server in PEM form.
  let key: String

  /// Makes new keys and certificates, which are valid for a day.
  ///
  /// - Parameter name: The host in the addresses that clients use.
  /// - Throws: An error if there is no `openssl`, or one older than OpenSSL 3.
  init(name: String = "localhost") throws {
    let folder = try Folder()
    defer { withExtendedLifetime(folder) {} }
    func make(_ file: String, named name: String, _ options: [String] = [], extensions: [String]) throws {
      try Child.run(
        ["/usr/bin/env", "openssl", "req", "-x509", "-config", "/dev/null", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
          + ["-nodes", "-days", "1", "-subj", "/CN=\(name)", "-keyout", folder.path("\(file).key"), "-out", folder.path("\(file).pem")]
          + options + extensions.flatMap { ["-addext", $0] })
    }
    // Without identifiers of keys, authorities differ by their keys alone: a client that trusts another one finds a wrong signature.
    let noIdentifiers = ["subjectKeyIdentifier=none", "authorityKeyIdentifier=none"]
    try make(
      "authority", named: "Authority of a test",
      extensions: ["basicConstraints=critical,CA:TRUE,pathlen:0", "keyUsage=critical,keyCertSign"] + noIdentifiers)
    try make(
      "server", named: "Server of a test", ["-CA", folder.path("authority.pem"), "-CAkey", folder.path("authority.key")],
      extensions: [
        "basicConstraints=critical,CA:FALSE", "keyUsage=critical,digitalSignature", "extendedKeyUsage=serverAuth",
        "subjectAltName=DNS:\(name)",
      ] + noIdentifiers)
    func text(_ name: String) throws -> String { String(decoding: try folder.bytes(name), as: UTF8.self) }
    (authority, certificate, key) = (try text("authority.pem"), try text("server.pem"), try text("server.key"))
  }
}

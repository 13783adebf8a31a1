import Foundation
import ProcessTesting

/// Makes other processes trust the authority of a test, and no other one. Its file exists as long as the object.
final class TrustedAuthority: Sendable {
  /// Whether that is possible: on Linux. The session of Apple's systems asks its delegate, which is code of the program.
  static let isPossible: Bool = {
    #if os(Linux)
      return true
    #else
      print("SKIPPED: the tests of TLS need Linux, where a library can be loaded before libcurl.")
      return false
    #endif
  }()

  /// The variables for the processes, in addition to their others. They must use `URLSession` or `AsyncHTTPSyncClient`.
  let environment: [String: String]
  private let file: URL

  /// Writes the file.
  ///
  /// - Parameter certificates: The certificates whose authority is trusted.
  /// - Throws: An error if the file cannot be written, or the library is not built.
  init(_ certificates: TestCertificates) throws {
    file = FileManager.default.temporaryDirectory.appendingPathComponent("alter-authority-\(UUID().uuidString).pem")
    environment = [
      "LD_PRELOAD": try Product.path("lib_AlterTestAuthority.so"), "ALTER_TEST_AUTHORITY": file.path, "SSL_CERT_FILE": file.path,
    ]
    try Data(certificates.authority.utf8).write(to: file)
  }

  deinit { try? FileManager.default.removeItem(at: file) }
}

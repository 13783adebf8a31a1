import Crypto
import Foundation
import X509

/// An authority of one test, and the certificate that it has issued for a server. No program and no file of the system is used.
struct TestCertificates: Sendable {
  /// The certificate of the authority in PEM form, which a client has to trust.
  let authority: String
  /// The certificate of the server in PEM form.
  let certificate: String
  /// The private key of the server in PEM form.
  let key: String

  /// Makes new keys and certificates, which are valid for a day.
  ///
  /// - Parameter name: The host in the addresses that clients use.
  init(name: String = "localhost") throws {
    let authorityKey = P256.Signing.PrivateKey()
    let serverKey = P256.Signing.PrivateKey()
    let authorityName = try DistinguishedName { CommonName("Authority of a test") }
    let (start, end) = (Date(timeIntervalSinceNow: -43_200), Date(timeIntervalSinceNow: 43_200))
    let authority = try Certificate(
      version: .v3, serialNumber: .init(), publicKey: .init(authorityKey.publicKey), notValidBefore: start, notValidAfter: end,
      issuer: authorityName, subject: authorityName, signatureAlgorithm: .ecdsaWithSHA256,
      extensions: .init {
        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
        Critical(KeyUsage(keyCertSign: true))
      },
      issuerPrivateKey: .init(authorityKey))
    let certificate = try Certificate(
      version: .v3, serialNumber: .init(), publicKey: .init(serverKey.publicKey), notValidBefore: start, notValidAfter: end,
      issuer: authorityName, subject: try DistinguishedName { CommonName("Server of a test") }, signatureAlgorithm: .ecdsaWithSHA256,
      extensions: .init {
        Critical(BasicConstraints.notCertificateAuthority)
        Critical(KeyUsage(digitalSignature: true))
        try ExtendedKeyUsage([.serverAuth])
        SubjectAlternativeNames([.dnsName(name)])
      },
      issuerPrivateKey: .init(authorityKey))
    self.authority = try authority.serializeAsPEM().pemString
    self.certificate = try certificate.serializeAsPEM().pemString
    key = serverKey.pemRepresentation
  }
}

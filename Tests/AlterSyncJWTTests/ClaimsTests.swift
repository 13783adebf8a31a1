#if JWT
  import AlterSyncJWT
  import AlterSyncServer
  import Foundation
  import Testing

  @Suite("The claims of a token")
  struct ClaimsTests {
    private let key = SigningKey(.hs256, id: "1")

    private func principal(
      _ claims: Claims, now: Int64 = 1_000_000_000, _ adjust: (inout JWTAuthenticator.Options) -> Void = { _ in }
    ) async throws -> String? {
      try await authenticator([key], now: now, adjust).authenticate(key.token(claims.json))?.principal
    }

    @Test("The issuer is exactly the expected one")
    func issuer() async throws {
      let wrong = [
        nil, "null", #""""#, "1", #""https://id.example/""#, #""https://ID.example""#, #""https://id.example.net""#,
        #""https://id.exampl""#,
        #"["https://id.example"]"#, #""https://id.example\u0000""#,
      ]
      for iss in wrong {
        let principal = try await principal(Claims(iss: iss))
        #expect(principal == nil, "\(iss ?? "none")")
      }
      let principal = try await principal(Claims(iss: #""https:\/\/id.example""#))
      #expect(principal == "ann")
    }

    @Test("Issuers that look the same are different ones")
    func normalisation() async throws {
      // 'é' as one character, and as two: Swift calls the texts equal.
      let token = try key.token(Claims(iss: #""caf\u0065\u0301""#).json)
      var options = JWTAuthenticator.Options()
      options.now = { 1_000_000_000 }
      for (issuer, expected) in [("caf\u{E9}", nil), ("cafe\u{301}", "ann")] as [(String, String?)] {
        let authenticator = try JWTAuthenticator([key.key], issuer: issuer, audience: "lists", options: options)
        let identity = try await authenticator.authenticate(token)
        #expect(identity?.principal == expected)
      }
    }

    @Test("The audience is the expected one, or a list that contains it")
    func audience() async throws {
      for aud in [#""lists""#, #"["lists"]"#, #"["other","lists"]"#] {
        let principal = try await principal(Claims(aud: aud))
        #expect(principal == "ann", "\(aud)")
      }
      for aud in [
        nil, "null", "[]", #""other""#, #"["other"]"#, #""lists ""#, #"["list","s"]"#, #"["lists",1]"#, #"{"lists":1}"#, #"[["lists"]]"#,
      ] {
        let principal = try await principal(Claims(aud: aud))
        #expect(principal == nil, "\(aud ?? "none")")
      }
    }

    @Test("A token needs an end, and is valid before it and the leeway")
    func expiry() async throws {
      for (now, expected) in [(1_159_999_999, "ann"), (1_160_000_000, nil), (5_000_000_000, nil), (-1, "ann")] as [(Int64, String?)] {
        let principal = try await principal(Claims(), now: now)
        #expect(principal == expected, "\(now)")
      }
      for (now, expected) in [(1_100_499_999, "ann"), (1_100_500_000, nil)] as [(Int64, String?)] {
        let principal = try await principal(Claims(exp: "1100.5"), now: now) { $0.leeway = .zero }
        #expect(principal == expected, "\(now)")
      }
      for exp in [nil, "null", #""1100""#, "true", "[1100]", "1e400", "-1e400", "NaN", "0", "-5"] {
        let principal = try await principal(Claims(exp: exp))
        #expect(principal == nil, "\(exp ?? "none")")
      }
    }

    @Test("The identity ends when the token is not valid any more, clamped for an end beyond all times")
    func identity() async throws {
      let ends = [("1100", 1_160_000_000), ("1100.25", 1_160_250_000), ("9999999999999", Int64.max), ("1e300", .max)] as [(String, Int64)]
      for (exp, expires) in ends {
        let identity = try await authenticator([key]).authenticate(key.token(Claims(exp: exp).json))
        #expect(identity == SyncIdentity(principal: "ann", expires: expires))
      }
      let identity = try await authenticator([key]) { $0.leeway = .seconds(Int64.max) }.authenticate(key.token())
      #expect(identity?.expires == .max)
    }

    @Test(
      "A token of the future is not valid yet, beyond the leeway",
      arguments: [\Claims.nbf, \.iat] as [WritableKeyPath<Claims, String?> & Sendable])
    func future(_ claim: WritableKeyPath<Claims, String?> & Sendable) async throws {
      var claims = Claims()
      for (time, expected) in [
        ("1060", "ann"), ("1060.000001", nil), ("1061", nil), ("1e300", nil), ("-1e300", "ann"), ("0", "ann"), (#""0""#, nil),
        ("true", nil),
        ("1e400", nil),
      ] as [(String, String?)] {
        claims[keyPath: claim] = time
        let principal = try await principal(claims)
        #expect(principal == expected, "\(time)")
      }
    }

    @Test("The principal is the subject, which is needed")
    func subject() async throws {
      for sub in [nil, "null", #""""#, "7", #"["ann"]"#, #""ann\n""#, #""\u0000""#, #""a\u202enn""#] {
        let principal = try await principal(Claims(sub: sub))
        #expect(principal == nil, "\(sub ?? "none")")
      }
      let principal = try await principal(Claims(sub: #""Änn 😀""#))
      #expect(principal == "Änn 😀")
    }

    @Test("Another claim can name the principal, and the subject is not needed then")
    func otherClaim() async throws {
      let more = #","upn":"ann@example.com","level":3,"none":null,"deep":{"a":[{}]}"#
      for (name, expected) in [("upn", "ann@example.com"), ("level", nil), ("none", nil), ("deep", nil), ("absent", nil)]
        as [(String, String?)]
      {
        let principal = try await principal(Claims(sub: nil, more: more)) { $0.principal = { $0.string(name) } }
        #expect(principal == expected, "\(name)")
      }
    }

    @Test("A closure reads claims of its own type, and its error is passed on")
    func closure() async throws {
      struct Tenant: Decodable {
        let tenant: String
        let number: Int
      }
      struct DirectoryIsDown: Error {}
      let claims = Claims(more: #","tenant":"north","number":7"#)
      let name = try await principal(claims) { $0.principal = { $0.decode(Tenant.self).map { "\($0.tenant)/\($0.number)" } } }
      #expect(name == "north/7")
      let misfit = try await principal(Claims()) { $0.principal = { $0.decode(Tenant.self)?.tenant } }
      #expect(misfit == nil)
      await #expect(throws: DirectoryIsDown.self) {
        _ = try await principal(claims) { $0.principal = { _ in throw DirectoryIsDown() } }
      }
      // It is not called for a token that is not valid.
      let expired = try await principal(Claims(exp: "1")) { $0.principal = { _ in throw DirectoryIsDown() } }
      #expect(expired == nil)
    }

    @Test("Claims are described without their values")
    func description() async throws {
      let texts = try await principal(Claims(sub: #""confidential""#)) {
        $0.principal = { claims in
          var text = "\(claims) \(String(reflecting: claims))"
          dump(claims, to: &text)
          return text.split(whereSeparator: \.isNewline).joined()
        }
      }
      let text = try #require(texts)
      #expect(text.contains("Claims"))
      #expect(!text.contains("confidential") && !text.contains("bytes") && !text.contains("example"))
    }
  }
#endif

#if Tokens
  import AlterSyncServer
  import Foundation
  import Testing

  @Suite("The guide's authenticator of JSON Web Tokens")
  struct JWTAuthenticatorTests {
    typealias Algorithm = SigningKey.Algorithm

    private let ann = SyncIdentity(principal: "ann", expires: 1_160_000_000)
    private let key = SigningKey(.es256, id: "1")

    private func principal(_ claims: Claims, now: Double = 1_000) async throws -> String? {
      try await authenticator(.es256, [key], now: now).authenticate(key.token(claims.json))?.principal
    }

    // MARK: - Keys

    @Test("A token is valid if a key of the issuer has signed it by the algorithm", arguments: Algorithm.allCases)
    func valid(_ algorithm: Algorithm) async throws {
      let (first, second) = (SigningKey(algorithm, id: "1"), SigningKey(algorithm, id: "2"))
      let authenticator = try await authenticator(algorithm, [first, second])
      for key in [first, second] {
        let identity = try await authenticator.authenticate(key.token())
        #expect(identity == ann)
      }
    }

    @Test("A token that is signed by another algorithm is not valid, whatever its header names", arguments: Algorithm.allCases)
    func otherAlgorithm(_ algorithm: Algorithm) async throws {
      for other in Algorithm.allCases where other != algorithm {
        // All RSA keys of the tests are the same one.
        let signer = SigningKey(other, id: "1")
        let authenticator = try await authenticator(algorithm, [SigningKey(algorithm, id: "1")])
        for name in [algorithm, other] {
          let identity = try await authenticator.authenticate(signer.token(header: #"{"alg":"\#(name.rawValue)","kid":"1"}"#))
          #expect(identity == nil, "\(other) as \(name)")
        }
      }
    }

    @Test("A token without a signature is not valid, whatever its header names")
    func unsigned() async throws {
      let authenticator = try await authenticator(.es256, [key])
      for name in ["none", "None", "NONE", "nOnE", "", "ES256", "HS256"] {
        let signed = try key.token(header: #"{"alg":"\#(name)","kid":"1"}"#)
        let unsigned = signed.split(separator: ".").prefix(2).joined(separator: ".")
        for token in [unsigned, unsigned + ".", unsigned + ".AA"] {
          let identity = try await authenticator.authenticate(token)
          #expect(identity == nil, "\(token)")
        }
      }
    }

    @Test("A public key is not the secret of an HMAC", arguments: Algorithm.allCases)
    func confusion(_ algorithm: Algorithm) async throws {
      let key = SigningKey(algorithm, id: "1")
      let authenticator = try await authenticator(algorithm, [key])
      // The texts of the key that an attacker can guess: with and without the last line feed, and its binary form.
      let der = try #require(Data(base64Encoded: key.pem.split(separator: "\n").dropFirst().dropLast().joined()))
      for secret in [Data(key.pem.utf8), Data((key.pem + "\n").utf8), der] {
        for name in ["HS256", algorithm.rawValue] {
          let identity = try await authenticator.authenticate(key.token(header: #"{"alg":"\#(name)","kid":"1"}"#, secret: secret))
          #expect(identity == nil, "\(name)")
        }
      }
    }

    @Test("The key of another issuer is of no use, whatever the token's header says about it")
    func foreignKey() async throws {
      let authenticator = try await authenticator(.es256, [key])
      let foreign = SigningKey(.es256, id: "1")
      let jwk = String(decoding: try JSONEncoder().encode(foreign.jwk()), as: UTF8.self)
      for id in [#","kid":"1""#, #","kid":"2""#, ""] {
        for more in ["", #","jwk":\#(jwk)"#, #","jku":"http://127.0.0.1:1/keys""#, #","x5c":["AAAA"]"#, #","x5u":"http://127.0.0.1:1/""#] {
          let identity = try await authenticator.authenticate(foreign.token(header: #"{"alg":"ES256"\#(id)\#(more)}"#))
          #expect(identity == nil, "\(id)\(more)")
        }
      }
    }

    @Test("A token that names another key of the issuer than the one that has signed it is not valid")
    func otherKey() async throws {
      let other = SigningKey(.es256, id: "2")
      let authenticator = try await authenticator(.es256, [key, other])
      let identity = try await authenticator.authenticate(other.token(header: #"{"alg":"ES256","kid":"1"}"#))
      #expect(identity == nil)
    }

    @Test("Keys are replaced while the authenticator is used, and the tokens of removed ones are not valid any more")
    func rotation() async throws {
      let new = SigningKey(.es256, id: "new")
      let authenticator = try await authenticator(.es256, [key])
      func valid() async throws -> [Bool] {
        var result: [Bool] = []
        for token in [try key.token(), try new.token()] { result.append(try await authenticator.authenticate(token) != nil) }
        return result
      }
      var answers = [try await valid()]
      for keys in [[key, new], [new]] {
        try await authenticator.replaceKeys(with: keySet(keys.map { try $0.jwk() }))
        answers.append(try await valid())
      }
      #expect(answers == [[true, false], [true, true], [false, true]])
    }

    @Test("Keys of a set that have no algorithm, or another one, are omitted; a set without a usable key is an error, and the keys remain")
    func sets() async throws {
      let authenticator = try await authenticator(.rs256, [SigningKey(.rs256, id: "1")])
      let (rsa, curve) = (SigningKey(.rs256, id: "r"), SigningKey(.es256, id: "c"))
      let others = try [rsa.jwk(["alg": nil]), rsa.jwk(["alg": "RSA-OAEP", "use": "enc"]), rsa.jwk(["alg": "RS512"]), curve.jwk()]
      let bad =
        try [keySet(others), keySet([rsa.jwk(["kid": nil])]), keySet([rsa.jwk(["n": nil])]), keySet([rsa.jwk(["n": "AAAA"])])]
        + ["", "[]", "{}", #"{"keys":{}}"#, #"{"keys":[1]}"#, #"{"keys":[]}"#].map { Data($0.utf8) }
      for set in bad {
        await #expect(throws: (any Error).self, "\(String(decoding: set, as: UTF8.self))") {
          try await authenticator.replaceKeys(with: set)
        }
        let identity = try await authenticator.authenticate(SigningKey(.rs256, id: "1").token())
        #expect(identity == ann)
      }
      try await authenticator.replaceKeys(with: keySet(others + [rsa.jwk(["kid": "used"])]))
      let usedByTwo = try await authenticator.authenticate(rsa.token(signedBy: .rs512))
      #expect(usedByTwo == nil)
      let used = try await authenticator.authenticate(rsa.token())
      #expect(used == ann)
    }

    // MARK: - Text

    @Test("A token in which one character was replaced or removed is not valid", arguments: [Algorithm.es256, .eddsa])
    func changed(_ algorithm: Algorithm) async throws {
      let key = SigningKey(algorithm, id: "1")
      let authenticator = try await authenticator(algorithm, [key])
      let token = Array(try key.token().utf8)
      // Four bits of the last character belong to no byte.
      for position in token.indices.dropLast() {
        let characters = [token[position] ^ 1, token[position] ^ 2, token[position] &+ 1, UInt8(ascii: "A"), UInt8(ascii: ".")]
        var others = characters.map { token[..<position] + [$0] + token[(position + 1)...] }
        others.append(token[..<position] + token[(position + 1)...])
        for other in others where !other.elementsEqual(token) {
          guard let text = String(bytes: other, encoding: .utf8) else { continue }
          let identity = try await authenticator.authenticate(text)
          #expect(identity == nil, "position \(position): \(text)")
        }
      }
    }

    @Test("Text that is no token is not valid, and ends no process")
    func garbage() async throws {
      let authenticator = try await authenticator(.es256, [key])
      let token = try key.token()
      let parts = token.split(separator: ".").map(String.init)
      let nested = base64URL(Data(String(repeating: #"{"alg":"#, count: 700).utf8))
      let texts = [
        "", ".", "..", "...", "....", "null", "Bearer \(token)", " \(token)", "\(token) ", "\(token)\n", "\(token).", ".\(token)",
        "\(token).AAAA", "\(parts[0])..\(parts[2])", "\(parts[0]).\(parts[1])", ".\(parts[1]).\(parts[2])", "\u{0}", "\u{1F600}.a.b",
        "e30.e30.e30", "W10.W10.W10", "\(nested).\(nested).AAAA", "\(parts[0])\u{0}.\(parts[1]).\(parts[2])",
        try key.token("[]"), try key.token(""), try key.token("null"), try key.token("{"), try key.token(#"{"exp":1100}"#),
        try key.token(header: "[]"), try key.token(header: #"{"alg":1e400,"kid":"1"}"#), try key.token(header: #"{"kid":1}"#),
        // The parts of the other serialisation, and of an encrypted token.
        #"{"payload":"\#(parts[1])","protected":"\#(parts[0])","signature":"\#(parts[2])"}"#, "\(parts[0]).AA.AA.AA.AA",
      ]
      for text in texts {
        let identity = try await authenticator.authenticate(text)
        #expect(identity == nil, "\(text)")
      }
      // Numbers beyond those of the machine, in fields that nothing reads.
      let extreme = try await authenticator.authenticate(
        key.token(Claims(more: #","n":1e300"#).json, header: #"{"alg":"ES256","kid":"1","n":1e300}"#))
      #expect(extreme == ann)
    }

    @Test("A token of more than 8,192 bytes is not valid, although it is signed")
    func size() async throws {
      let authenticator = try await authenticator(.es256, [key])
      for (filler, expected) in [(5_000, ann), (6_200, nil), (1 << 20, nil)] as [(Int, SyncIdentity?)] {
        let token = try key.token(Claims(more: #","filler":"\#(String(repeating: "x", count: filler))""#).json)
        #expect((token.utf8.count <= 8_192) == (expected != nil))
        let identity = try await authenticator.authenticate(token)
        #expect(identity == expected)
      }
      let points = try await authenticator.authenticate(String(repeating: ".", count: 1 << 20))
      #expect(points == nil)
    }

    // MARK: - Claims

    @Test("The issuer is exactly the expected one")
    func issuer() async throws {
      for iss in [
        nil, "null", #""""#, "1", #""https://id.example/""#, #""https://ID.example""#, #""https://id.example.net""#,
        #""https://id.exampl""#, #"["https://id.example"]"#, #""https://id.example\u0000""#,
      ] {
        let principal = try await principal(Claims(iss: iss))
        #expect(principal == nil, "\(iss ?? "none")")
      }
      let principal = try await principal(Claims(iss: #""https:\/\/id.example""#))
      #expect(principal == "ann")
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

    @Test("A token needs an end, and is valid before it and a minute")
    func expiry() async throws {
      for (now, expected) in [(1_159.9, "ann"), (1_160, nil), (5_000, nil), (-1, "ann")] as [(Double, String?)] {
        let principal = try await principal(Claims(), now: now)
        #expect(principal == expected, "\(now)")
      }
      for exp in [nil, "null", #""1100""#, "true", "[1100]", "1e400", "-1e400", "NaN", "0", "-5"] {
        let principal = try await principal(Claims(exp: exp))
        #expect(principal == nil, "\(exp ?? "none")")
      }
    }

    @Test("The identity ends when the token is not valid any more, and an end beyond all times is no error")
    func identity() async throws {
      let authenticator = try await authenticator(.es256, [key])
      for (exp, expires) in [
        ("1100", 1_160_000_000), ("1100.25", 1_160_250_000), ("1e300", 9_000_000_000_000_000_000),
      ] as [(String, Int64)] {
        let identity = try await authenticator.authenticate(key.token(Claims(exp: exp).json))
        #expect(identity == SyncIdentity(principal: "ann", expires: expires))
      }
    }

    @Test("A token of the future is not valid yet, beyond a minute")
    func future() async throws {
      for (nbf, expected) in [
        ("1060", "ann"), ("1060.5", nil), ("1e300", nil), ("-1e300", "ann"), ("0", "ann"), (#""0""#, nil), ("true", nil), ("1e400", nil),
      ] as [(String, String?)] {
        let principal = try await principal(Claims(nbf: nbf))
        #expect(principal == expected, "\(nbf)")
      }
    }

    @Test("The principal is the subject, which is needed")
    func subject() async throws {
      for sub in [nil, "null", #""""#, "7", #"["ann"]"#] {
        let principal = try await principal(Claims(sub: sub))
        #expect(principal == nil, "\(sub ?? "none")")
      }
      let principal = try await principal(Claims(sub: #""Änn 😀""#))
      #expect(principal == "Änn 😀")
    }
  }
#endif

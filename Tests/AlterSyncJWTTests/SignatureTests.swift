#if JWT
  import AlterSyncJWT
  import AlterSyncServer
  import Crypto
  import Foundation
  import Testing

  @Suite("The key of a token")
  struct SignatureTests {
    private let ann = SyncIdentity(principal: "ann", expires: 1_160_000_000)

    @Test("A token is valid with its own key and algorithm, for every algorithm", arguments: SigningKey.all)
    func valid(_ key: SigningKey) async throws {
      let identity = try await authenticator(SigningKey.all).authenticate(key.token())
      #expect(identity == ann)
    }

    @Test("A token is not valid if its header names another algorithm than the key has", arguments: SigningKey.all)
    func otherAlgorithm(_ key: SigningKey) async throws {
      let authenticator = try authenticator(SigningKey.all)
      for other in JWTAuthenticator.Algorithm.allCases where other != key.algorithm {
        let header = #"{"alg":"\#(other.rawValue)","kid":"\#(key.id)"}"#
        // Signed as the key does, and as the header says.
        for signer in [key.algorithm, other] {
          let identity = try await authenticator.authenticate(key.token(header: header, signedBy: signer))
          #expect(identity == nil, "\(other) signed by \(signer)")
        }
      }
      let wrongSigner = JWTAuthenticator.Algorithm.allCases.filter {
        $0 != key.algorithm && $0.rawValue.prefix(2) == key.algorithm.rawValue.prefix(2)
      }
      for signer in wrongSigner where !key.algorithm.rawValue.hasPrefix("E") {
        let identity = try await authenticator.authenticate(key.token(signedBy: signer))
        #expect(identity == nil, "signed by \(signer)")
      }
    }

    @Test("A token with 'alg: none' is not valid, in any spelling, with or without a signature")
    func none() async throws {
      let key = SigningKey(.hs256, id: "1")
      let authenticator = try authenticator([key])
      for name in ["none", "None", "NONE", "nOnE", "", "hs256", "HS256 "] {
        let signed = try key.token(header: #"{"alg":"\#(name)","kid":"1"}"#)
        let unsigned = signed.split(separator: ".").prefix(2).joined(separator: ".")
        for token in [signed, unsigned, unsigned + ".", unsigned + ".AA"] {
          let identity = try await authenticator.authenticate(token)
          #expect(identity == nil, "\(token)")
        }
      }
      for header in [#"{"kid":"1"}"#, #"{"alg":null,"kid":"1"}"#, #"{"alg":["HS256"],"kid":"1"}"#, #"{"alg":256,"kid":"1"}"#] {
        let identity = try await authenticator.authenticate(key.token(header: header))
        #expect(identity == nil, "\(header)")
      }
    }

    @Test("A public key is not the secret of an HMAC", arguments: SigningKey.all.filter { $0.pem != nil })
    func confusion(_ key: SigningKey) async throws {
      let authenticator = try authenticator([key])
      let pem = try #require(key.pem)
      // The texts of the key that an attacker can guess: with and without the last line feed, and its binary form.
      let der = Data(base64Encoded: pem.split(separator: "\n").dropFirst().dropLast().joined()) ?? Data()
      for secret in [Data(pem.utf8), Data((pem + "\n").utf8), der] {
        for (name, algorithm) in [("HS256", JWTAuthenticator.Algorithm.hs256), ("HS512", .hs512), (key.algorithm.rawValue, .hs256)] {
          let attacker = SigningKey(id: key.id, algorithm: algorithm, private: .secret(SymmetricKey(data: secret)))
          let token = try attacker.token(header: #"{"alg":"\#(name)","kid":"\#(key.id)"}"#)
          let identity = try await authenticator.authenticate(token)
          #expect(identity == nil, "\(name)")
        }
      }
    }

    @Test("A token without 'kid', or with an unknown one, is not valid: there is no default key")
    func unknownKey() async throws {
      let key = SigningKey(.es256, id: "1")
      let authenticator = try authenticator([key])
      let headers = [
        #"{"alg":"ES256"}"#, #"{"alg":"ES256","kid":"2"}"#, #"{"alg":"ES256","kid":""}"#, #"{"alg":"ES256","kid":null}"#,
        #"{"alg":"ES256","kid":1}"#, #"{"alg":"ES256","kid":["1"]}"#, #"{"alg":"ES256","kid":"1 "}"#, #"{"alg":"ES256","KID":"1"}"#,
        #"{"alg":"ES256","kid":"../1"}"#,
      ]
      for header in headers {
        let identity = try await authenticator.authenticate(key.token(header: header))
        #expect(identity == nil, "\(header)")
      }
      let identity = try await authenticator.authenticate(key.token(header: #"{"alg":"ES256","kid":"1"}"#))
      #expect(identity == ann)
    }

    @Test("A token that names another key than the one that has signed it is not valid", arguments: SigningKey.all)
    func otherKey(_ key: SigningKey) async throws {
      guard key.pem == nil || !key.algorithm.rawValue.contains("S256") || key.algorithm == .es256 else { return }
      let other = SigningKey(key.algorithm, id: "other")
      let authenticator = try authenticator([key, other])
      let token = try other.token(header: #"{"alg":"\#(key.algorithm.rawValue)","kid":"\#(key.id)"}"#)
      let identity = try await authenticator.authenticate(token)
      // All RSA keys of the tests are the same one.
      #expect(identity == (["RS", "PS"].contains(key.algorithm.rawValue.prefix(2)) ? ann : nil))
    }

    @Test("Keys in the header, and addresses of keys, are ignored")
    func headerKeys() async throws {
      let (key, attacker) = (SigningKey(.es256, id: "1"), SigningKey(.es256, id: "attacker"))
      let authenticator = try authenticator([key])
      let jwk = String(decoding: try JSONEncoder().encode(attacker.jwk()), as: UTF8.self)
      for id in ["1", "attacker"] {
        for more in [#""jwk":\#(jwk)"#, #""jku":"http://127.0.0.1:1/keys""#, #""x5c":["AAAA"]"#, #""x5u":"http://127.0.0.1:1/""#] {
          let identity = try await authenticator.authenticate(attacker.token(header: #"{"alg":"ES256","kid":"\#(id)",\#(more)}"#))
          #expect(identity == nil, "\(more)")
          // They do not make a valid token invalid.
          let other = try await authenticator.authenticate(key.token(header: #"{"alg":"ES256","kid":"1",\#(more)}"#))
          #expect(other == ann, "\(more)")
        }
      }
    }

    @Test("A token that requires an extension is not valid")
    func extensions() async throws {
      let key = SigningKey(.hs256, id: "1")
      let authenticator = try authenticator([key])
      for value in [#"["b64"]"#, #"["exp"]"#, "[]", "null", "1"] {
        let identity = try await authenticator.authenticate(key.token(header: #"{"alg":"HS256","kid":"1","b64":false,"crit":\#(value)}"#))
        #expect(identity == nil, "\(value)")
      }
    }

    @Test("A token in which one character was replaced is not valid", arguments: [JWTAuthenticator.Algorithm.hs256, .eddsa])
    func changed(_ algorithm: JWTAuthenticator.Algorithm) async throws {
      let key = SigningKey(algorithm, id: "1")
      let authenticator = try authenticator([key])
      let token = Array(try key.token().utf8)
      for position in token.indices {
        // Among the replacements are the neighbours of each letter, which may differ only in bits that no byte has.
        for character in [token[position] ^ 1, token[position] ^ 2, token[position] &+ 1] + Array("A_.=+ ".utf8)
        where character != token[position] {
          var other = token
          other[position] = character
          guard let text = String(bytes: other, encoding: .utf8) else { continue }
          let identity = try await authenticator.authenticate(text)
          #expect(identity == nil, "position \(position)")
        }
        var shorter = token
        shorter.remove(at: position)
        let identity = try await authenticator.authenticate(String(decoding: shorter, as: UTF8.self))
        #expect(identity == nil, "without position \(position)")
      }
    }

    @Test("Text that is no token is not valid")
    func garbage() async throws {
      let key = SigningKey(.hs256, id: "1")
      let authenticator = try authenticator([key])
      let token = try key.token()
      let parts = token.split(separator: ".").map(String.init)
      let nested = base64URL(Data(String(repeating: #"{"alg":"#, count: 700).utf8))
      let texts = [
        "", ".", "..", "...", "....", "null", "Bearer \(token)", " \(token)", "\(token) ", "\(token)\n", "\(token)=", "\(token).",
        ".\(token)",
        "\(token).AAAA", "\(parts[0])..\(parts[2])", "\(parts[0]).\(parts[1])", ".\(parts[1]).\(parts[2])", "\u{0}", "\u{1F600}.a.b",
        "e30.e30.e30", "W10.W10.W10", "\(nested).\(nested).AAAA", "\(parts[0])\u{0}.\(parts[1]).\(parts[2])",
        try key.token("[]"), try key.token(""), try key.token("null"), try key.token("{"), try key.token(#"{"exp":1100}"#),
        try key.token(header: "[]"), try key.token(header: "\u{FEFF}{}"),
        // The parts of the other serialisation, and of an encrypted token.
        #"{"payload":"\#(parts[1])","protected":"\#(parts[0])","signature":"\#(parts[2])"}"#, "\(parts[0]).AA.AA.AA.AA",
      ]
      for text in texts {
        let identity = try await authenticator.authenticate(text)
        #expect(identity == nil, "\(text)")
      }
      let identity = try await authenticator.authenticate(token)
      #expect(identity == ann)
    }

    @Test("A token above the limit of its size is not valid, although it is signed")
    func size() async throws {
      let key = SigningKey(.hs256, id: "1")
      // The text of the claims that gives a token of a size: three bytes are four characters.
      func token(bytes: Int) throws -> String {
        var filler = bytes * 3 / 4
        while true {
          let token = try key.token(Claims(more: #","filler":"\#(String(repeating: "x", count: filler))""#).json)
          if token.utf8.count <= bytes { return token }
          filler -= 1
        }
      }
      let token = try token(bytes: 8_192)
      for (limit, expected) in [(token.utf8.count, ann), (token.utf8.count - 1, nil), (0, nil)] as [(Int, SyncIdentity?)] {
        let identity = try await authenticator([key]) { $0.tokenBytes = limit }.authenticate(token)
        #expect(identity == expected)
      }
      #expect(JWTAuthenticator.Options().tokenBytes == 8_192)
      let identity = try await authenticator([key]).authenticate(token)
      #expect(identity == ann)
      let huge = try await authenticator([key]).authenticate(
        key.token(Claims(more: #","filler":"\#(String(repeating: "x", count: 1 << 20))""#).json))
      #expect(huge == nil)
      let points = try await authenticator([key]).authenticate(String(repeating: ".", count: 1 << 20))
      #expect(points == nil)
    }
  }
#endif

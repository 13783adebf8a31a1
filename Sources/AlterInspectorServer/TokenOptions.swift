#if InspectorServer
  public import _AlterWeb
  public import ArgumentParser
  import _AlterTerminal

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// The options for the token of a command that serves a page: `--token`, `--token-file` (or the variable `ALTER_TOKEN`), and
  /// `--no-token`.
  public struct TokenOptions: ParsableArguments {
    @Option(
      help: """
        The token that a visitor must send: 8 to 200 letters, digits, - or _; a random one by default. Other users of this machine can see arguments: use \
        ALTER_TOKEN or --token-file instead.
        """)
    var token: String?

    @Option(help: ArgumentHelp("A file that contains the token, and that only its owner can read.", valueName: "file"), completion: .file())
    var tokenFile: String?

    @Flag(
      name: .customLong("no-token"),
      help: """
        Require no token. Every user and every program of this machine can then do everything that the page can do, whatever the mode of the file: read the journal, \
        and change it if the page can. Only on the loopback interface.
        """)
    var isOpen = false

    /// Creates the options; the parser sets them.
    public init() {}

    /// Checks that at most one option is given, and that the token is well-formed.
    public func validate() throws {
      if isOpen, token != nil || tokenFile != nil { throw ValidationError("--no-token can't be given with --token or --token-file") }
      if token != nil, tokenFile != nil { throw ValidationError("--token and --token-file can't both be given") }
      if let token { try Self.check(token, "--token") }
    }

    /// Returns the token for a server.
    ///
    /// - Parameter host: The address that the server listens on. Only a loopback address may be used without a token.
    /// - Returns: The token of the options, otherwise the one in `ALTER_TOKEN`, otherwise a random one.
    /// - Throws: A `ValidationError` that does not repeat the token.
    public func choose(for host: String) throws -> WebServer.Token {
      if isOpen {
        guard WebAccess.isLoopback(host) else {
          throw ValidationError(
            "--no-token would let every client on the network in: leave out --no-token, or leave out --host")
        }
        return .none
      }
      if let token { return .given(token) }
      if let tokenFile { return .given(try Self.readToken(tokenFile)) }
      guard let variable = getenv("ALTER_TOKEN").map({ String(cString: $0) }), !variable.isEmpty else { return .fresh }
      try Self.check(variable, "ALTER_TOKEN")
      return .given(variable)
    }

    private static func check(_ token: String, _ source: String) throws {
      guard (8...200).contains(token.utf8.count), token.utf8.allSatisfy(isTokenByte) else {
        throw ValidationError("\(source) needs 8 to 200 letters, digits, - or _: the token is part of an address and of a cookie")
      }
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }

    private static func readToken(_ file: String) throws -> String {
      let name = "the token file '\(file.printable)'"
      // Opening a FIFO without a writer must not block the command.
      let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { throw ValidationError("can't open \(name): \(String(cString: strerror(errno)))") }
      defer { close(descriptor) }
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        throw ValidationError("\(name) is not a regular file")
      }
      guard status.st_mode & 0o077 == 0 else {
        throw ValidationError("\(name) can be read or written by other users: restrict it with 'chmod 600'")
      }
      var buffer = [UInt8](repeating: 0, count: 1_024)
      let count = buffer.withUnsafeMutableBytes { bytes in read(descriptor, bytes.baseAddress, bytes.count) }
      guard count >= 0 else { throw ValidationError("can't read \(name): \(String(cString: strerror(errno)))") }
      let token = String(decoding: buffer[..<count].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }, as: UTF8.self)
      try check(token, name)
      return token
    }
  }
#endif

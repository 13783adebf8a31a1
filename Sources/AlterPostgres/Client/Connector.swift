#if Postgres
  import CLibPQ
  import Dispatch

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Opens one connection: `PQconnectStart`, then `PQconnectPoll` whenever its socket is ready.
  ///
  /// libpq blocks the thread only while it looks up a host's name. That happens on this connector's own queue.
  ///
  /// `@unchecked Sendable`: used on ``queue`` only.
  final class Connector: @unchecked Sendable {
    private let server: PostgresServer
    private let queue = DispatchQueue(label: "alter.postgres.connecting")
    private let completion: @Sendable (Result<Opened, ServerFailure>) -> Void
    private var handle: OpaquePointer?
    private var watch: (any DispatchSourceProtocol)?
    private var isTimedOut = false
    private var isDone = false

    /// An open connection that is being passed to its owner.
    ///
    /// `@unchecked Sendable`: passed once, from the queue that opened it to the queue that uses it.
    struct Opened: @unchecked Sendable {
      let handle: OpaquePointer
      /// A duplicate of the connection's descriptor. libpq closes its own descriptor as soon as it reads the end of the connection, while
      /// the loop still watches it. The next connection would get the same number, and its events would be attributed to this one.
      let socket: Int32
      /// Whether the system reports the loss of the connection although nothing is sent.
      let noticesSilence: Bool
    }

    /// The timeout in seconds if neither the address nor the environment sets `connect_timeout`.
    private static let defaultTimeout = 30

    private init(_ server: PostgresServer, completion: @escaping @Sendable (Result<Opened, ServerFailure>) -> Void) {
      self.server = server
      self.completion = completion
    }

    /// Opens a connection.
    ///
    /// - Parameter completion: Receives the connection on the connector's queue. From then on it must be used on one queue only.
    static func open(_ server: PostgresServer, completion: @escaping @Sendable (Result<Opened, ServerFailure>) -> Void) {
      let connector = Connector(server, completion: completion)
      connector.queue.async { connector.start() }
    }

    private func start() {
      // The address can override settings before it, but not those after it.
      let settings = [("fallback_application_name", "alter"), ("dbname", server.address), ("client_encoding", "UTF8")]
      let keywords = settings.map { strdup($0.0) }
      let values = settings.map { strdup($0.1) }
      defer { for text in keywords + values { free(text) } }
      let (names, texts) = (keywords.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil])
      handle = PQconnectStartParams(names, texts, 1)
      guard let handle else { return finish(.failure(.unconnected(state: nil, message: "out of memory"))) }
      let options = Self.options(of: handle)
      if Self.isInvalid(options) { return refuse(handle, Self.invalid) }
      guard PQstatus(handle) != CONNECTION_BAD else {
        // Only this function tells an address that libpq rejects from a server that can't be reached.
        return PQpingParams(names, texts, 1) == PQPING_NO_ATTEMPT ? refuse(handle, Self.invalid) : fail(handle)
      }
      // Verbose messages contain the server's error code. libpq has no other way to report the code before a connection is open.
      PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
      // Otherwise libpq writes the server's notices to standard error.
      PQsetNoticeProcessor(handle, { _, _ in }, nil)
      queue.asyncAfter(deadline: .now() + .seconds(Self.timeout(options))) { self.timeOut() }
      wait(for: PGRES_POLLING_WRITING)
    }

    /// The reason for which an address is refused. libpq's own message is omitted, because it may quote a part of a password.
    private static let invalid = """
      the address of its database is invalid. Write it as postgres://user@host:port/database or as 'host=HOST dbname=NAME'; in a URL, \
      percent-encode special characters in the password. Check each port and each other setting, also in libpq's environment.
      """

    /// Whether settings are invalid that libpq reads only when it uses them, or with a message that quotes them.
    static func isInvalid(_ options: [String: String]) -> Bool {
      let numbers = ["connect_timeout", "keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout"]
      let ports = (options["port"] ?? "").split(separator: ",")
      // The name of an abstract socket begins with '@'.
      let hosts = (options["host"] ?? "").split(separator: ",")
      return (numbers.compactMap { options[$0] } + ports.map { String($0) }).contains { Int32($0.trimmed) == nil }
        || hosts.contains { $0.dropFirst().contains("@") }
    }

    /// The settings of a connection that have a value, from the address, the environment and the service file.
    private static func options(of handle: OpaquePointer) -> [String: String] {
      guard let options = PQconninfo(handle) else { return [:] }
      defer { PQconninfoFree(options) }
      return values(of: options)
    }

    /// The options that have a value.
    static func values(of options: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
      var (values, option) = ([String: String](), options)
      while let keyword = option.pointee.keyword {
        if let value = option.pointee.val, value.pointee != 0 { values[String(cString: keyword)] = String(cString: value) }
        option += 1
      }
      return values
    }

    /// The timeout in seconds for all hosts together.
    private static func timeout(_ options: [String: String]) -> Int {
      // Zero or less means no limit. Ten years are enough.
      let seconds = options["connect_timeout"].flatMap { Int($0.trimmed) }.map { $0 > 0 ? max($0, 2) : 315_360_000 } ?? defaultTimeout
      let hosts = options["host"]?.split(separator: ",", omittingEmptySubsequences: false).count ?? 1
      return min(seconds * hosts, 315_360_000)
    }

    private func step() {
      guard let handle, !isDone else { return }
      if isTimedOut { return fail(handle) }
      let state = PQconnectPoll(handle)
      switch state {
      case PGRES_POLLING_OK:
        if let encoding = PQparameterStatus(handle, "server_encoding").map({ String(cString: $0) }), encoding != "UTF8" {
          return refuse(
            handle,
            "its database has the encoding '\(encoding)', and Alter needs 'UTF8'. Create a database with ENCODING 'UTF8' and use that.")
        }
        guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else { return fail(handle) }
        PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
        let noticesSilence = watchForSilence(handle)
        let socket = fcntl(PQsocket(handle), F_DUPFD_CLOEXEC, 0)
        guard socket >= 0 else { return fail(handle) }
        self.handle = nil
        finish(.success(Opened(handle: handle, socket: socket, noticesSilence: noticesSilence)))
      case PGRES_POLLING_READING, PGRES_POLLING_WRITING: wait(for: state)
      default: fail(handle)
      }
    }

    /// Waits until the socket is ready, then continues. libpq may open another socket at each step, so each wait has its own source, which
    /// is cancelled before the step.
    private func wait(for state: PostgresPollingStatusType) {
      guard let handle, PQsocket(handle) >= 0 else { return step() }
      let watch: any DispatchSourceProtocol =
        state == PGRES_POLLING_READING
        ? DispatchSource.makeReadSource(fileDescriptor: PQsocket(handle), queue: queue)
        : DispatchSource.makeWriteSource(fileDescriptor: PQsocket(handle), queue: queue)
      self.watch = watch
      watch.setEventHandler { @Sendable in self.watch?.cancel() }
      watch.setCancelHandler { @Sendable in
        self.watch = nil
        self.step()
      }
      watch.resume()
    }

    private func timeOut() {
      guard !isDone else { return }
      isTimedOut = true
      watch?.cancel()
    }

    private func fail(_ handle: OpaquePointer) {
      let said = String(cString: PQerrorMessage(handle)).trimmed
      let message = isTimedOut ? "the server did not answer in time" : said.isEmpty ? "this process can open no more connections" : said
      end(handle, .connecting(message))
    }

    private func refuse(_ handle: OpaquePointer, _ reason: String) { end(handle, .unsuitable(reason: reason)) }

    private func end(_ handle: OpaquePointer, _ failure: ServerFailure) {
      PQfinish(handle)
      self.handle = nil
      finish(.failure(failure))
    }

    private func finish(_ result: Result<Opened, ServerFailure>) {
      isDone = true
      completion(result)
    }

    /// Sets TCP keepalives, so that requests to an unreachable server fail within a minute instead of the quarter of an hour of TCP's
    /// default. Settings in the address or the environment take precedence. Only on Linux.
    ///
    /// - Returns: Whether the system reports the loss of the connection although nothing is sent.
    private func watchForSilence(_ handle: OpaquePointer) -> Bool {
      let given = Self.options(of: handle)
      var address = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let socket = PQsocket(handle)
      let isKnown = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(socket, $0, &length) == 0 }
      }
      guard isKnown else { return false }
      guard [AF_INET, AF_INET6].contains(Int32(address.ss_family)) else { return true }
      #if os(Linux)
        let settings = [
          ("keepalives_idle", TCP_KEEPIDLE, 30), ("keepalives_interval", TCP_KEEPINTVL, 10), ("keepalives_count", TCP_KEEPCNT, 3),
          ("tcp_user_timeout", TCP_USER_TIMEOUT, 60_000),
        ]
        for (keyword, setting, value) in settings where given[keyword] == nil {
          var value = Int32(value)
          setsockopt(socket, Int32(IPPROTO_TCP), setting, &value, socklen_t(MemoryLayout<Int32>.size))
        }
        var isKeptAlive: Int32 = 0
        length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &isKeptAlive, &length) == 0 && isKeptAlive != 0
      #else
        return false
      #endif
    }
  }

  extension ServerFailure {
    /// Extracts the error code from libpq's verbose message of a failed connection, as in `…: FATAL:  53300: sorry, too many clients
    /// already`, followed by a line with the location in PostgreSQL's source. With several hosts the last server that answered counts.
    static func connecting(_ message: String) -> ServerFailure {
      var state: String?
      var lines: [String] = []
      for line in message.split(separator: "\n") where !line.hasPrefix("LOCATION:") {
        var text = String(line)
        if let range = text.firstRange(of: #/: {2}[0-9A-Z]{5}: /#) {
          state = String(text[range].dropFirst(3).prefix(5))
          text.replaceSubrange(range, with: ": ")
          text += " (\(state ?? ""))"
        }
        lines.append(text)
      }
      return .unconnected(state: state, message: lines.joined(separator: "; "))
    }
  }
#endif

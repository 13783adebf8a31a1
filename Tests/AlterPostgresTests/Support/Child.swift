#if Postgres
  import Foundation

  /// A process that a test has started, with its own streams: a child that inherits the test's standard output keeps the test run waiting.
  ///
  /// Not Foundation's `Process`: it takes a process for running as long as anybody holds a descriptor that it has passed on, and a server does.
  struct Child: Sendable {
    struct Failure: Error, CustomStringConvertible {
      let command: [String]
      let status: Int32
      let output: String
      var description: String { "\(command.joined(separator: " ")) ended with \(status): \(output)" }
    }

    let pid: pid_t
    private let command: [String]
    private let output: Int32

    /// Starts a command. What it writes goes to a file, so that it never waits for a reader; the file has no name, so that nothing is left of it.
    ///
    /// - Parameters:
    ///   - command: The executable's path, and what follows.
    ///   - environment: More variables.
    ///   - input: The descriptor that becomes its standard input; nil for nothing to read.
    init(_ command: [String], environment: [String: String] = [:], input: Int32? = nil) throws {
      self.command = command
      output = try Self.namelessFile()
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      if let input {
        posix_spawn_file_actions_adddup2(&actions, input, 0)
      } else {
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      }
      posix_spawn_file_actions_adddup2(&actions, output, 1)
      posix_spawn_file_actions_adddup2(&actions, 1, 2)
      let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
      var variables: [UnsafeMutablePointer<CChar>?] = all.map { strdup("\($0.key)=\($0.value)") } + [nil]
      defer { (words + variables).forEach { free($0) } }
      var pid: pid_t = 0
      let code = posix_spawn(&pid, command[0], &actions, nil, &words, &variables)
      guard code == 0 else { throw Failure(command: command, status: code, output: String(cString: strerror(code))) }
      self.pid = pid
    }

    private static func namelessFile() throws -> Int32 {
      let path = FileManager.default.temporaryDirectory.appendingPathComponent("alter-child-\(UUID().uuidString)").path
      let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard file >= 0 else { throw Failure(command: ["open", path], status: errno, output: String(cString: strerror(errno))) }
      unlink(path)
      return file
    }

    /// Waits for its end. Once.
    ///
    /// - Returns: What it wrote.
    /// - Throws: ``Failure`` when it did not end with 0.
    @discardableResult
    func wait() throws -> String {
      var status: Int32 = 0
      while waitpid(pid, &status, 0) < 0, errno == EINTR {}
      lseek(output, 0, SEEK_SET)
      let text = String(decoding: FileHandle(fileDescriptor: output, closeOnDealloc: true).readDataToEndOfFile(), as: UTF8.self)
      guard status == 0 else { throw Failure(command: command, status: status, output: text) }
      return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Waits for its end, without blocking the tests' threads. Once.
    @discardableResult
    func end() async throws -> String {
      try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try wait() }) }
      }
    }

    /// Runs a command to its end.
    @discardableResult
    static func run(_ command: [String]) throws -> String { try Child(command).wait() }
  }
#endif

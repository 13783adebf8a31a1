#if SyncServer
  import AlterSyncServer
  import Foundation
  import ProcessTesting

  /// A copy of a journal that `Tests/SyncClient/sync_client.py` keeps in a file.
  struct PythonClient {
    /// The error of a missing interpreter.
    struct Missing: Error, CustomStringConvertible {
      let description = "python3 is in no folder of PATH, and CI=true: install it."
    }

    /// The interpreter in `PATH`; nil if there is none.
    static let interpreter: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/python3" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Whether these tests run. Without an interpreter they are skipped with a message. With `CI=true` they fail instead.
    static var isExpected: Bool { interpreter != nil || ProcessInfo.processInfo.environment["CI"] == "true" }

    static let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../SyncClient/sync_client.py")
      .standardizedFileURL.path

    /// The settings of a server for a client that repeats nothing: on a busy machine, it must not run into a time limit.
    static func patience(_ options: inout SyncOptions) {
      (options.limits.bodySeconds, options.limits.readerSeconds) = (86_400, 86_400)
      options.sleep = { try await Task.sleep(for: $0 * 100) }
    }

    let file: String
    var url: URL
    let principal: String
    /// The token; nil for the principal's.
    var token: String?

    init(_ file: String, on url: URL, as principal: String = "ann") {
      (self.file, self.url, self.principal) = (file, url, principal)
    }

    private var environment: [String: String] {
      ["ALTER_TOKEN": token ?? "\(principal)'s token", "PYTHONUTF8": "1", "PYTHONUNBUFFERED": "1"]
    }

    private func command(_ words: [String]) throws -> [String] {
      guard let interpreter = Self.interpreter else { throw Missing() }
      return [interpreter, Self.program, "--url", url.absoluteString, "--principal", principal, "--key", "lists/42", "--file", file]
        + ["--timeout", "3600"] + words
    }

    /// Runs a command of the client, which must succeed.
    ///
    /// - Returns: The lines of its output.
    func run(_ words: String...) async throws -> [String] {
      try await Child(command(words), environment: environment).end().split(separator: "\n").map(String.init)
    }

    /// Runs a command of the client, which must fail.
    ///
    /// - Returns: The lines of its output. The last one has the error.
    func failure(_ words: String...) async throws -> [String] {
      do {
        let output = try await Child(command(words), environment: environment).end()
        return ["it did not fail: \(output)"]
      } catch let failure as Child.Failure {
        return failure.output.split(separator: "\n").map(String.init)
      }
    }

    /// Starts a command that does not end by itself.
    func start(_ words: String...) throws -> LineProcess {
      try LineProcess(
        command(words), environment: ProcessInfo.processInfo.environment.merging(environment) { $1 }, mergesErrors: true)
    }

    /// Changes the file.
    func edit(_ change: (inout [String: Any]) -> Void) throws {
      let url = URL(fileURLWithPath: file)
      var object = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any] ?? [:]
      change(&object)
      try JSONSerialization.data(withJSONObject: object).write(to: url)
    }

    /// A copy of the client's file, as a backup or a copied machine makes it.
    func copied(to file: String) throws -> PythonClient {
      try FileManager.default.copyItem(atPath: self.file, toPath: file)
      return PythonClient(file, on: url, as: principal)
    }
  }
#endif

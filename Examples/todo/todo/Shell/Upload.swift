import Dispatch
import TodoCore

extension World {
  /// The world as it is: documents are sent by `curl`, which knows certificates and proxies, and is started only when it is needed.
  static let live = World { document, url, key in
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: Upload(url: url, key: key).send(document)) }
    }
  }
}

/// One transfer by `curl`.
private struct Upload {
  let url: String
  let key: String

  /// Sends a document.
  ///
  /// - Returns: Why it was not taken; nil when it was.
  func send(_ document: [UInt8]) -> String? {
    var pipes: [[Int32]] = [[-1, -1], [-1, -1]]
    for place in pipes.indices { if pipe(&pipes[place]) != 0 { return "can't start curl: \(systemMessage())" } }
    for end in pipes.joined() { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (input, errors) = (pipes[0], pipes[1])
    defer { close(errors[0]) }
    var child: pid_t = 0
    let code = start(&child, input: input[0], errors: errors[1])
    close(input[0])
    close(errors[1])
    guard code == 0 else {
      close(input[1])
      return code == ENOENT ? "curl is not installed; it is what sends the list" : "can't start curl: \(systemMessage(code))"
    }
    // A list is larger than a pipe: what curl says is short, and comes at its end.
    _ = writeAll(document, to: input[1])
    close(input[1])
    let said = String(decoding: readSome(errors[0], upTo: 4_096).bytes, as: UTF8.self)
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    guard status != 0 else { return nil }
    let line = said.split(separator: "\n").last.map(String.init) ?? "curl ended with \(status >> 8)"
    return line.hasPrefix("curl: ") ? String(line.dropFirst(6)) : line
  }

  private func start(_ child: inout pid_t, input: Int32, errors: Int32) -> Int32 {
    let arguments = [
      "curl", "--silent", "--show-error", "--fail", "--max-time", "60", "--proto", "=http,https", "--request", "PUT",
      "--header", "Content-Type: text/plain; charset=utf-8", "--header", "Idempotency-Key: \(key)", "--data-binary", "@-",
      "--output", "/dev/null", "--url", url,
    ]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    return posix_spawnp(&child, "curl", &actions, nil, &words, environ)
  }
}

import Dispatch
import TodoCore
import _AlterTerminal

extension World {
  /// The real world: `curl` sends the documents, because it handles certificates and proxies. It runs only for an upload.
  static let live = World { document, url in
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: Upload(url: url).send(document)) }
    }
  }
}

/// One transfer by `curl`.
private struct Upload {
  let url: String

  /// The user and the password for the server, as `user:password`; nil to use `.netrc`, if there is an entry.
  private let user = getenv("TODO_CLOUD_USER").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }

  /// Sends a document.
  ///
  /// - Returns: The reason for a failure; nil if the server accepted the document.
  func send(_ document: [UInt8]) -> String? {
    // The URL may come from a journal that another program has written.
    guard let address = try? CloudAddress(url) else {
      return "its address is not a usable http or https URL; 'todo cloud URL' names another"
    }
    guard user?.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) != true else { return "TODO_CLOUD_USER holds a control character" }
    var pipes: [[Int32]] = [[-1, -1], [-1, -1], [-1, -1]]
    for place in pipes.indices { if pipe(&pipes[place]) != 0 { return "can't start curl: \(systemMessage())" } }
    for end in pipes.joined() { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (input, errors, options) = (pipes[0], pipes[1], pipes[2])
    defer { close(errors[0]) }
    // The options fit into the pipe's buffer, so that writing them doesn't block.
    _ = TextOutput(descriptor: options[1]).write(self.options(for: address))
    close(options[1])
    var child: pid_t = 0
    let code = start(&child, input: input[0], errors: errors[1], options: options[0])
    close(input[0])
    close(errors[1])
    close(options[0])
    guard code == 0 else {
      close(input[1])
      return code == ENOENT ? "curl is not installed; it is needed to send the list" : "can't start curl: \(systemMessage(code))"
    }
    // A list may be larger than the pipe's buffer. Writing can't deadlock, because the output of curl is short and comes at its end.
    _ = TextOutput(descriptor: input[1]).write(document)
    close(input[1])
    let said = readToEnd(errors[0])
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    guard status != 0 else { return nil }
    let line = said?.split(separator: "\n").last.map(String.init) ?? "curl ended with \(status >> 8)"
    return withoutPassword(line.hasPrefix("curl: ") ? String(line.dropFirst(6)) : line)
  }

  /// The whole output of curl. It is filtered as a whole, because a single piece could contain a part of the password.
  ///
  /// - Returns: nil if it is longer than 1 MiB or can't be read.
  private func readToEnd(_ descriptor: Int32) -> String? {
    var said: [UInt8]? = []
    while true {
      let (bytes, code) = readSome(descriptor, upTo: 65_536)
      guard code == 0 else { return nil }
      guard !bytes.isEmpty else { return said.map { String(decoding: $0, as: UTF8.self) } }
      // The rest is read, too, because curl must not block.
      said = said.flatMap { $0.count + bytes.count > 1 << 20 ? nil : $0 + bytes }
    }
  }

  /// The message without the password, for the journal and the terminal.
  private func withoutPassword(_ message: String) -> String {
    guard let password = user?.split(separator: ":", maxSplits: 1).dropFirst().first, !password.isEmpty else { return message }
    return message.replacing(password, with: "•••")
  }

  /// The options in the form of a `curl` configuration file. As arguments, other users could see them.
  private func options(for address: CloudAddress) -> String {
    func quoted(_ text: String) -> String { "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\"" }
    return "url = \(quoted(address.text))\n" + (user.map { "user = \(quoted($0))\n" } ?? "netrc-optional\n")
  }

  private func start(_ child: inout pid_t, input: Int32, errors: Int32, options: Int32) -> Int32 {
    let arguments = [
      "curl", "--silent", "--show-error", "--fail", "--globoff", "--max-time", "60", "--proto", "=http,https", "--request", "PUT",
      "--header", "Content-Type: text/plain; charset=utf-8", "--data-binary", "@-", "--output", "/dev/null",
      "--config", "/dev/fd/3",
    ]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
    posix_spawn_file_actions_adddup2(&actions, options, 3)
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    return posix_spawnp(&child, "curl", &actions, nil, &words, environ)
  }
}

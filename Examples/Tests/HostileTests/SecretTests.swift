import Foundation
import ProcessTesting
import Testing
import TodoTesting

@testable import AlterInspector

/// Checks that no message, log, title, file name or journal contains a password or a token.
@Suite("Secrets stay secret", .timeLimit(.minutes(20)))
struct SecretTests {
  private static let secret = "S3CRET"

  /// Valid and malformed addresses, of a server that doesn't exist.
  private static let addresses = [
    "postgres://jack:S3CRET/x@host/db", "Postgres://jack:S3CRET@127.0.0.1:1/db", "POSTGRESQL://jack:S3CRET@127.0.0.1:1/db",
    " postgres://jack:S3CRET@127.0.0.1:1/db", "\tpostgres://jack:S3CRET@127.0.0.1:1/db", "host=127.0.0.1 port=1 password=S3CRET",
    "password = S3CRET host = 127.0.0.1 port = 1", "host=127.0.0.1 port=1 dbname='password=S3CRET'",
    "dbname=postgres://jack:S3CRET@h/db host=127.0.0.1 port=1",
    "PASSWORD=S3CRET host=127.0.0.1 port=1", "postgres://jack:S3CRET@127.0.0.1:1@host/db",
    "postgres://jack:S3@CRET-S3CRET@127.0.0.1:1/db", "postgres://jack:S3CRET",
    "postgres:jack:S3CRET@host", "postgres:/jack:S3CRET@host", "postgres://jack:S3CRET#@127.0.0.1:1/db",
    "postgres://jack:S3CRET?@127.0.0.1:1/db",
    "postgres://jack:S3CRET x@127.0.0.1:1/db", "postgres://127.0.0.1:1/db?password=S3CRET", "postgres://127.0.0.1:1/db?S3CRET=1",
    "mysql://jack:S3CRET@host/db",
    "jack:S3CRET@host/db", "postgress://jack:S3CRET@host", "host=127.0.0.1 port=1 password='S3CRET", "my list password=S3CRET",
    "postgres//jack:S3CRET@host/db", "//jack:S3CRET@host/db", "lists/jack:S3CRET@host/db", ":S3CRET@host", "host=127.0.0.1;password=S3CRET",
    "host=127.0.0.1;pwd=S3CRET port=1", "host=127.0.0.1 port=1 user=jack:S3CRET@h", "host=127.0.0.1 port=1 dbname=x;pwd=S3CRET",
    "host=127.0.0.1 port=1;pwd=S3CRET", "postgres://127.0.0.1;password=S3CRET/db", "postgres://127.0.0.1:1/db;password=S3CRET",
    "postgres://127.0.0.1:1/db?host=h;password=S3CRET", "scram_client_key=S3CRET host=127.0.0.1 port=1",
    "scram_server_key = S3CRET host=127.0.0.1 port=1", "oauth_client_secret=S3CRET host=127.0.0.1 port=1",
    "sslpassword=S3CRET host=127.0.0.1 port=1", "a_future_key=S3CRET host=127.0.0.1", "A_Future_Key = S3CRET",
  ]

  private func expectNoSecret(_ outcome: Outcome, _ comment: String) {
    #expect(!(outcome.output + outcome.errors).contains(Self.secret), "\(comment): \(outcome)")
    #expect(outcome.status != 0 && outcome.status < 128, "\(comment): \(outcome)")
  }

  /// Expects that the names and the contents of all files below a folder contain no secret.
  private func expectNoSecret(in folder: String) throws {
    let names = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
    for name in names {
      #expect(!name.contains(Self.secret), "a file has the name \(name)")
      guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else { continue }
      #expect(data.range(of: Data(Self.secret.utf8)) == nil, "\(name) holds it")
    }
  }

  @Test(
    "an address with a password is used, or refused without being repeated; it never becomes the name of a file", arguments: addresses)
  func address(_ address: String) async throws {
    let folder = try Folder()
    let environment = ["HOME": folder.path, "PATH": "/usr/bin:/bin", "PGCONNECT_TIMEOUT": "2"]
    let commands = try [
      [Product.path("todo"), "add", "x", "--store", address], [Product.path("todo"), "list", "--store", address],
      [Product.path("todo"), "export", "out.txt", "--store", address], [Product.path("todo"), "inspect", "log", "--journal", address],
      [Product.path("todo"), "inspect", "log", address, "--journal", "x"], [Product.path("todo"), "inspect", "log", address],
      [Product.path("alter"), "log", address], [Product.path("alter"), "verify", address, "--json"],
    ]
    for command in commands {
      expectNoSecret(
        try await onThread { Result { try ChildProcess.run(command, environment: environment, in: folder.path) } }.get(),
        "\(command.dropFirst())")
    }
    let variable = environment.merging(["TODO_STORE": address]) { $1 }
    let command = try [Product.path("todo"), "add", "x"]
    expectNoSecret(
      try await onThread { Result { try ChildProcess.run(command, environment: variable, in: folder.path) } }.get(), "TODO_STORE")
    try expectNoSecret(in: folder.path)
  }

  @Test("--help says that others can see arguments, and names the other ways")
  func help() async throws {
    for (command, words) in [
      (["alter", "log", "--help"], ["PGPASSWORD", ".pgpass"]),
      (["alter", "serve", "--help"], ["ALTER_TOKEN", "--token-file", "--no-token"]),
      (["todo", "serve", "--help"], ["ALTER_TOKEN", "--token-file", "--no-token", "PGPASSWORD"]),
      (["todo", "cloud", "--help"], ["TODO_CLOUD_USER", ".netrc"]),
    ] {
      let all = try [Product.path(command[0])] + command.dropFirst()
      let outcome = try ChildProcess.run(all)
      let text = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      for word in words + ["can see arguments"] { #expect(text.contains(word), "\(command) doesn't say '\(word)': \(text)") }
    }
  }

  @Test("a URL with a user or a password is never journaled, nor repeated")
  func cloud() async throws {
    let folder = try await HostileFolder()
    for url in [
      "https://jack:S3CRET@127.0.0.1:1/list", "http://jack:S3CRET/x@127.0.0.1:1/", " http://jack:S3CRET@127.0.0.1:1/",
      "HTTP://S3CRET@127.0.0.1:1/",
      "http://jack:S3CRET", "ftp://jack:S3CRET@127.0.0.1/", "http://jack:12?S3CRET@127.0.0.1:1/", "jack:S3CRET@127.0.0.1",
    ] { expectNoSecret(try await folder.run(["todo", "cloud", url]), url) }
    try expectNoSecret(in: folder.path)
  }

  @Test(
    "`todo cloud` gives curl the password where other users don't see it, takes a URL to the letter, and journals no password that a message repeats"
  )
  func upload() async throws {
    let folder = try await HostileFolder()
    let bin = folder.path + "/bin"
    try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
    let script = """
      #!/bin/sh
      { printf '%s\\n' "$@"; echo --; cat /dev/fd/3; } >"$HOME/bin/said"
      cat >/dev/null
      i=0
      while [ $i -lt 100 ]; do echo "curl: (0) $i more words than are read at once, so that the last line comes late" >&2; i=$((i+1)); done
      for part in c 'url: (67) jack may' ' not come in with S3C' 'RET" and more'; do printf '%s' "$part" >&2; done
      exit 67
      """
    try Data(script.utf8).write(to: URL(fileURLWithPath: bin + "/curl"))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: bin + "/curl")
    let url = "http://127.0.0.1:1/{a,b}[1-9]?q=\"x"
    let outcome = try await folder.run(["todo", "cloud", url], ["TODO_CLOUD_USER": "jack:S3CRET\"", "PATH": "\(bin):/usr/bin:/bin"])
    expectNoSecret(outcome, "cloud")
    #expect(outcome.status == 74 && outcome.errors.contains("jack may not come in with ••• and more"), "\(outcome)")
    let said = try String(contentsOfFile: bin + "/said", encoding: .utf8).split(separator: "--\n")
    let arguments = said.dropLast().joined()
    #expect(arguments.contains("--globoff\n") && !arguments.contains(Self.secret) && !arguments.contains("127.0.0.1"))
    #expect(said.last == "url = \"http://127.0.0.1:1/{a,b}[1-9]?q=\\\"x\"\nuser = \"jack:S3CRET\\\"\"\n")
    try FileManager.default.removeItem(atPath: bin)
    try expectNoSecret(in: folder.path)
  }

  @Test("a token comes from the environment or a file that its owner alone may read; an error doesn't repeat it")
  func token() async throws {
    let folder = try await HostileFolder()
    let file = folder.path + "/token"
    try Data("S3CRET-from-a-file\n".utf8).write(to: URL(fileURLWithPath: file))
    for command in [["todo", "serve", "--port", "0"], ["alter", "serve", folder.journal], ["todo", "inspect", "serve"]] {
      let path = try Product.path(command[0])
      let rest = Array(command.dropFirst())
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
      expectNoSecret(try await folder.run(command + ["--token-file", file]), "\(command)")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
      let byFile = try await RawServer([path] + rest + ["--token-file", file], environment: folder.environment())
      #expect(byFile.token == "S3CRET-from-a-file")
      let byVariable = try await RawServer([path] + rest, environment: folder.environment(["ALTER_TOKEN": "S3CRET-variable"]))
      #expect(byVariable.token == "S3CRET-variable")
      // The answers to visitors must not contain the token, either.
      for path in ["/", "/api/events?token=S3CRET-wrong", "/?token=S3CRET-variabl"] {
        let connection = try LoopbackSocket(port: byVariable.port)
        connection.send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(byVariable.port)\r\nConnection: close\r\n\r\n")
        let answer = HTTPAnswer(await connection.readAll())
        #expect(answer.status == 401 && !"\(answer)".contains(Self.secret), "\(answer)")
      }
      expectNoSecret(try await folder.run(command, ["ALTER_TOKEN": "S3CRET not a token"]), "\(command)")
      expectNoSecret(try await folder.run(command + ["--token", "S3CRET not a token"]), "\(command)")
      let none = try await RawServer([path] + rest + ["--no-token"], environment: folder.environment())
      #expect(none.token == nil)
      #expect(try await folder.run(command + ["--no-token", "--host", "0.0.0.0"]).status == 64)
      let fresh = try await RawServer([path] + rest, environment: folder.environment())
      #expect(fresh.token?.count == 32)
    }
  }
}

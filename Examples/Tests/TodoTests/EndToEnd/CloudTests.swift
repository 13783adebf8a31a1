import Foundation
import ProcessTesting
import Testing

extension EndToEnd {
  /// Tests of `todo cloud`: a durable feedback in a real app, with its own server.
  @Suite("Saved to the cloud") struct CloudTests {
    @Test("the list is there, and the command says so when the list knows it") func saved() throws {
      let sandbox = try Sandbox()
      let server = try CloudServer(in: sandbox)
      for text in ["Pay rent @home", "Buy bread"] { try sandbox.todo("add", text) }
      let outcome = try sandbox.todo("cloud", server.url + "/list")
      #expect(outcome.status == 0 && outcome.output == "Saved 2 items to \(server.url)/list\n", "\(outcome)")
      let exported = try sandbox.exported()
      #expect(try String(decoding: sandbox.bytes(of: "cloud/body-_list"), as: UTF8.self) == exported)
      #expect(try sandbox.todo("cloud").output == outcome.output)
      let log = try sandbox.todo("log").output
      #expect(log.contains("requested a copy at \(server.url)/list") && log.contains("saved 2 items in the cloud"))
    }

    @Test("killed in the middle, it goes on when it is run again; the server receives the same list once more") func killed() throws {
      let sandbox = try Sandbox()
      let server = try CloudServer(in: sandbox, "--hold")
      try sandbox.todo("add", "Pay rent")
      let first = try sandbox.start("cloud", server.url + "/list")
      let asked = server.readLine()
      #expect(first.end() == 128 + SIGKILL)
      server.goOn()
      let stored = server.readLine()
      let second = try sandbox.start("cloud")
      #expect(server.readLine() == asked)
      server.goOn()
      #expect(server.readLine() == stored.replacingOccurrences(of: "stored", with: "again"))
      #expect(second.wait() == 0)
      #expect(asked == "asked /list" && stored == "stored /list")
      #expect(try sandbox.todo("log").output.components(separatedBy: "saved 1 item in the cloud").count == 2)
    }

    @Test("or not: it says why, ends with a status of its own, and can be tried again; undo takes the request and its answer back")
    func failed() throws {
      let sandbox = try Sandbox()
      try sandbox.todo("add", "Pay rent")
      // No process listens on this port any more.
      let url = try CloudServer(in: sandbox).url + "/list"
      let outcome = try sandbox.todo("cloud", url)
      #expect(outcome.status == 74 && outcome.errors.hasPrefix("todo: can't save the list to '\(url)': "), "\(outcome)")
      #expect(try sandbox.todo("cloud").output.hasPrefix("Not saved to \(url): "))
      #expect(try sandbox.todo("undo").status == 0)
      #expect(try sandbox.todo("cloud").output == "Nothing was saved yet: name a URL\n")
      #expect(try sandbox.todo("list").output.contains("Pay rent"))
    }

    @Test("only over http, and only if there is a list") func refused() throws {
      let sandbox = try Sandbox()
      #expect(try sandbox.todo("cloud", "ftp://example.org").status == 64)
      #expect(try sandbox.todo("cloud", "http://127.0.0.1:1/").status == 66)
      try sandbox.todo("add", "x")
      let outcome = try sandbox.todo("cloud", "http://127.0.0.1:1/", environment: ["PATH": "/nowhere"])
      #expect(outcome.status == 74 && outcome.errors.contains("curl is not installed"), "\(outcome)")
    }
  }
}

/// A `cloud-server` that stores documents in the sandbox.
private final class CloudServer {
  private let process: LineProcess
  let url: String

  init(in sandbox: Sandbox, _ arguments: String...) throws {
    let folder = sandbox.folder + "/cloud"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    process = try LineProcess([Product.path("cloud-server"), folder] + arguments, environment: sandbox.environment())
    url = (process.readLine() ?? "").replacingOccurrences(of: "listening on ", with: "")
  }

  /// The next line of its output; empty after it has ended.
  func readLine() -> String { process.readLine() ?? "" }

  /// Lets the server send its answer.
  func goOn() { process.say("") }
}

extension Sandbox {
  /// Starts `todo` and returns at once. Its output is discarded.
  fileprivate func start(_ arguments: String...) throws -> ChildProcess {
    try ChildProcess([executable] + arguments, environment: environment(), streams: [nil, nil, nil])
  }

  /// The list as todo.txt.
  fileprivate func exported() throws -> String { try todo("export", "-").output }
}

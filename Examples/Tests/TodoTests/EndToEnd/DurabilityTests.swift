import Foundation
import Testing
import TodoCore

extension EndToEnd {
  @Suite("Its acknowledgement") struct DurabilityTests {
    static let strace = ["/usr/bin/strace", "/usr/local/bin/strace"].first { FileManager.default.isExecutableFile(atPath: $0) }

    /// One system call of the trace.
    struct Call {
      let name: String
      let rest: Substring
      /// The lines of the trace on which the call began and ended.
      let begin: Int
      let end: Int
      func isAbout(_ file: String) -> Bool { rest.contains("\(file)>") }
    }

    @Test("comes after the sync of the log, and that after the log's last write")
    func syncFirst() throws {
      guard let strace = Self.strace else {
        print("SKIPPED: strace is not installed, so it is not shown that the sync precedes the acknowledgement.")
        #expect(ProcessInfo.processInfo.environment["CI"] != "true", "strace is missing: install it on CI")
        return
      }
      let sandbox = try Sandbox()
      try sandbox.todo("add", "First")
      let trace = sandbox.folder + "/trace"
      let outcome = try sandbox.run(
        [strace, "-f", "-y", "-s", "64", "-e", "trace=fdatasync,fsync,pwrite64,write", "-o", trace, sandbox.executable, "add", "Second"])
      if outcome.status != 0, outcome.errors.contains("PTRACE") || outcome.errors.contains("ptrace") {
        print("SKIPPED: strace may not trace here, so it is not shown that the sync precedes the acknowledgement. \(outcome.errors)")
        #expect(ProcessInfo.processInfo.environment["CI"] != "true", "strace may not trace: allow it on CI")
        return
      }
      #expect(outcome.status == 0, "\(outcome)")
      let calls = try Self.calls(in: String(decoding: sandbox.bytes(of: "trace"), as: UTF8.self))
      let log = "list.alter-wal"
      let answer = try #require(calls.first { $0.name == "write" && $0.rest.hasPrefix("1<") && $0.rest.contains("Added 2") })
      let before = calls.filter { $0.begin < answer.begin && $0.isAbout(log) }
      let written = try #require(before.last { $0.name == "pwrite64" })
      let synced = try #require(before.last { ["fdatasync", "fsync"].contains($0.name) })
      #expect(written.end < synced.begin)
      #expect(synced.end < answer.begin)
    }

    /// The calls of a trace, in the order in which they began. If another thread interrupted a call, the trace has two lines for it: the
    /// first has its arguments, the second its end.
    private static func calls(in trace: String) throws -> [Call] {
      var begun: [Substring: (line: Int, text: Substring)] = [:]
      var calls: [Call] = []
      for (number, line) in trace.split(separator: "\n").enumerated() {
        guard let space = line.firstIndex(of: " ") else { continue }
        let thread = line[..<space]
        var text = line[space...].drop { $0 == " " }
        var begin = number
        if text.hasSuffix("<unfinished ...>") {
          begun[thread] = (number, text)
          continue
        }
        if text.hasPrefix("<... "), text.contains("resumed>") {
          guard let first = begun.removeValue(forKey: thread) else { continue }
          (begin, text) = first
        }
        guard let open = text.firstIndex(of: "(") else { continue }
        calls.append(Call(name: String(text[..<open]), rest: text[text.index(after: open)...], begin: begin, end: number))
      }
      return calls.sorted { $0.begin < $1.begin }
    }
  }
}

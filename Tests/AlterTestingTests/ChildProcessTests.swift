#if os(Linux)
  import Foundation
  import ProcessTesting
  import Testing

  @Suite("A process that a test starts") struct ChildProcessTests {
    @Test("has nothing of the tests' own but its streams, whatever is open") func inheritsNothing() throws {
      // Descriptors that every child inherits, as Foundation's processes and SwiftNIO's servers have them.
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      defer { for end in ends { close(end) } }
      let outcome = try ChildProcess.run(["/bin/ls", "/proc/self/fd"])
      // The last descriptor is that of the listed folder.
      #expect(outcome.status == 0 && outcome.lines == ["0", "1", "2", "3"], "\(outcome)")
    }

    @Test("ends by a broken pipe, as it would for anybody, though tests ignore it") func brokenPipe() throws {
      signal(SIGPIPE, SIG_IGN)
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      close(ends[0])
      defer { close(ends[1]) }
      #expect(try ChildProcess.run(["/bin/echo", "Hello"], output: ends[1]).status == 128 + SIGPIPE)
    }

    @Test("is heard to its last whole line, and gone with what holds it") func lines() async throws {
      var process: LineProcess? = try LineProcess(["/bin/sh", "-c", "while read -r line; do echo \"<$line>\"; done; printf rest"])
      process?.say("a\nb")
      #expect(await process?.line { $0 == "<b>" } == "<b>")
      process?.closeInput()
      #expect(process?.readLines() == [] && process?.lines == ["<a>", "<b>"])
      let other = try LineProcess(["/bin/cat"])
      let pid = other.child.pid
      #expect(kill(pid, 0) == 0)
      #expect(other.child.end() == 128 + SIGKILL && kill(pid, 0) == -1)
      process = nil
    }
  }
#endif

#if SQLite
  import Foundation
  import ProcessTesting
  import Testing

  @Suite("A durable feedback in processes that share a file", .serialized)
  struct ProcessTests {
    private func withFile(_ body: (String) async throws -> Void) async throws {
      let folder = try Folder()
      try await body(folder.path("job.alter"))
    }

    private func parts(_ line: String?) -> [String] { (line ?? "").split(separator: " ").map(String.init) }

    @Test("killed between request and answer: after a restart it runs again with the same key, and its answer is there once")
    func killed() async throws {
      try await withFile { path in
        let first = try Worker(path)
        #expect(await first.line("ready") != nil)
        first.say("begin")
        let begun = parts(await first.line("performing"))
        first.end()
        let second = try Worker(path)
        let again = parts(await second.line("performing"))
        try #require(begun.count == 3 && again.count == 3)
        #expect(begun[1] == again[1], "another key")
        #expect(Int(again[2]) == Int(begun[2]).map { $0 + 1 }, "no higher epoch")
        second.say("answer done")
        #expect(await second.line("answered") == "answered done")
        second.close()
        let third = try Worker(path)
        #expect(await third.line("ready") != nil)
        third.say("begin")
        // Another request has another key. The first answer arrived exactly once.
        let other = parts(await third.line("performing"))
        #expect(other.count == 3 && other[1] != begun[1])
        third.say("answer other")
        #expect(await third.line("answered") == "answered other")
        #expect(third.count("answered") == 1 && second.count("answered") == 1)
        third.close()
      }
    }

    @Test("killed, it leaves a lease of ten minutes: the next process takes it over without waiting, and no file is left behind")
    func killedHolder() async throws {
      try await withFile { path in
        let minutes = 600_000
        let first = try Worker(path, lease: minutes)
        #expect(await first.line("ready") != nil)
        first.say("begin")
        let begun = parts(await first.line("performing"))
        // The process keeps its lease while it lives.
        let waiting = try Worker(path, lease: minutes)
        #expect(await waiting.line("ready") != nil)
        waiting.close()
        #expect(waiting.count("performing") == 0)
        first.end()
        let second = try Worker(path, lease: minutes)
        let again = parts(await second.line("performing"))
        try #require(begun.count == 3 && again.count == 3)
        #expect(begun[1] == again[1] && begun[2] == "1" && again[2] == "2")
        second.say("answer done")
        #expect(await second.line("answered") == "answered done")
        second.close()
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let left = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(left == ["job.alter", "job.alter-bell", "job.alter-lock"])
      }
    }

    @Test("of two one performs it; killed, it is followed by the other")
    func takeover() async throws {
      try await withFile { path in
        let first = try Worker(path)
        #expect(await first.line("ready") != nil)
        first.say("begin")
        let begun = parts(await first.line("performing"))
        let second = try Worker(path)
        #expect(await second.line("ready") != nil)
        first.end()
        let again = parts(await second.line("performing"))
        #expect(begun.count == 3 && again.count == 3 && begun[1] == again[1] && begun[2] != again[2])
        second.say("answer second")
        #expect(await second.line("answered") == "answered second")
        second.close()
      }
    }

    @Test("stopped, it is followed by the other; when it comes back, its late answer is rejected by its epoch")
    func stopped() async throws {
      try await withFile { path in
        // Long enough for a slow machine: if the second lost its lease, too, neither answer would count.
        let lease = 5_000
        let first = try Worker(path, lease: lease)
        #expect(await first.line("ready") != nil)
        first.say("begin")
        #expect(await first.line("performing") != nil)
        let second = try Worker(path, lease: lease)
        #expect(await second.line("ready") != nil)
        first.signal(SIGSTOP)
        #expect(await second.line("performing") != nil)
        first.say("answer late")
        first.signal(SIGCONT)
        second.say("answer in time")
        #expect(await second.line("answered") == "answered in time")
        #expect(await first.line("answered") == "answered in time")
        first.close()
        second.close()
        #expect(first.count("answered") == 1 && second.count("answered") == 1)
      }
    }
  }
#endif

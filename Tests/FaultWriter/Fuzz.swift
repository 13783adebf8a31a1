#if SQLite
  import AlterTesting
  import FaultModel
  import FuzzTargets
  import InterposedCalls

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// Feeds a target its corpus, then mutations of it. Prints the number of each input first, so that the last number identifies an input
  /// that traps.
  func fuzz(_ name: String, seed: UInt64, from first: Int, count: Int) async throws {
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else { return say("unknown: \(name)") }
    let mutation = Mutation(of: target.corpus)
    // A quarter of a gigabyte, for inputs of a few kilobytes.
    interposed_limit_memory(256 << 20)
    for number in first..<first + count {
      say("\(number)")
      // Ends the process if an input hangs.
      alarm(120)
      var random = SeededGenerator(seed: seed &+ UInt64(number) &* 0x9E37_79B9)
      let bytes = number < target.corpus.count ? target.corpus[number] : mutation.next(using: &random)
      do { try await target.run(bytes) } catch {
        say("surprise: \(error)")
      }
    }
    say("done")
  }
#endif

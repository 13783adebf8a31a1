#if SQLite
  import FaultModel
  import FuzzTargets
  import InterposedCalls

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// Feeds a target its corpus, and then mutations of it, and says the number of each beforehand: the last number is that of the one that trapped.
  func fuzz(_ name: String, seed: UInt64, from first: Int, count: Int) async throws {
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else { return say("unknown: \(name)") }
    let mutation = Mutation(of: target.corpus)
    // A quarter of a gigabyte for inputs of some kilobytes.
    interposed_limit_memory(256 << 20)
    for number in first..<first + count {
      say("\(number)")
      // Ends the process if one input hangs.
      alarm(120)
      var random = SplitMix64(seed: seed &+ UInt64(number) &* 0x9E37_79B9)
      let bytes = number < target.corpus.count ? target.corpus[number] : mutation.next(using: &random)
      do { try await target.run(bytes) } catch {
        say("surprise: \(error)")
      }
    }
    say("done")
  }
#endif

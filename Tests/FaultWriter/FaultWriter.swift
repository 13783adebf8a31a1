// A process that the fault tests start, stop, kill, and whose system calls fail.
//
//   fault-writer write PATH NAME PADDING             counts batches under a name, and says each number once it is durable; ends by a signal
//   fault-writer fail SCENARIO KIND ERROR MODE PATH  plays a scenario again and again, the n-th call failing, for n = 1, 2, … until none fails
//   fault-writer record SIZE DURABILITY PATH TRACE N     plays one once, its n-th sync failing, and records what changes on the disk
//   fault-writer hold WHAT PATH                      takes a turn or a lease, says so, waits for a line, and then writes under it
//   fault-writer fuzz TARGET SEED FIRST COUNT        reads bytes that are a little wrong
//   fault-writer clock PATH                          writes while the wall clock is set back, and leases outlive it

#if SQLite
  import InterposedCalls

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  @main struct FaultWriter {
    static func main() async throws {
      // Nothing here takes so long: a process that hangs, or whose test is gone, ends.
      alarm(900)
      var arguments = CommandLine.arguments.dropFirst()
      switch (arguments.popFirst(), Array(arguments)) {
      case ("possible", _): say(interposed_is_possible() == 1 ? "yes" : "no")
      case ("write", let rest) where rest.count == 3: try await write(to: rest[0], as: rest[1], padding: Int(rest[2]) ?? 0)
      case ("fail", let rest) where rest.count == 5: await failEachCall(rest)
      case ("record", let rest) where rest.count == 5: try await record(rest)
      case ("hold", let rest) where rest.count == 2: try await hold(rest[0], at: rest[1])
      case ("fuzz", let rest) where rest.count == 4:
        try await fuzz(rest[0], seed: UInt64(rest[1]) ?? 0, from: Int(rest[2]) ?? 0, count: Int(rest[3]) ?? 0)
      case ("clock", let rest) where rest.count == 1: try await setClockBack(at: rest[0])
      default: say("usage: see FaultWriter.swift")
      }
    }
  }
#else
  @main struct FaultWriter {
    static func main() { print("Built without the trait SQLite.") }
  }
#endif

// A process for the fault tests, which start, stop and kill it, and make its system calls fail.
//
//   fault-writer write PATH NAME PADDING             counts batches under a name and prints each number when it is durable; ends by a
//   signal
//   fault-writer fail SCENARIO KIND ERROR MODE DISTANCE PATH  plays a scenario repeatedly; the n-th call fails, for n = 1, 2, … 10, and
//   then at this distance, until none fails
//   fault-writer record SCENARIO DURABILITY PATH TRACE N plays a scenario once; its n-th sync fails; records the changes of the disk
//   fault-writer hold WHAT PATH                      takes a turn or a lease, prints a line, waits for a line, and then writes under it
//   fault-writer fuzz TARGET SEED FIRST COUNT        parses slightly damaged bytes
//   fault-writer compact PATH COUNT                  compacts, and prints a line when it has planned and when it is done
//   fault-writer clock PATH                          writes while the wall clock is set back, which leases must survive

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
      // The limit exceeds the duration of every task. It ends a process that hangs or whose test is gone.
      alarm(900)
      var arguments = CommandLine.arguments.dropFirst()
      switch (arguments.popFirst(), Array(arguments)) {
      case ("possible", _): say(interposed_is_possible() == 1 ? "yes" : "no")
      case ("write", let rest) where rest.count == 3: try await write(to: rest[0], as: rest[1], padding: Int(rest[2]) ?? 0)
      case ("fail", let rest) where rest.count == 6: await failEachCall(rest)
      case ("record", let rest) where rest.count == 5: try await record(rest)
      case ("hold", let rest) where rest.count == 2: try await hold(rest[0], at: rest[1])
      case ("fuzz", let rest) where rest.count == 4:
        try await fuzz(rest[0], seed: UInt64(rest[1]) ?? 0, from: Int(rest[2]) ?? 0, count: Int(rest[3]) ?? 0)
      case ("compact", let rest) where rest.count == 2: try await compact(rest[0], keeping: Int(rest[1]) ?? 0)
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

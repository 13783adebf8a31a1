#if SQLite
  import AlterTesting
  import ProcessTesting

  extension Faults {
    /// The seed of the simulated power losses.
    static let powerLossSeed: UInt64 = 0x5EED_0D15C
  }

  extension Trace {
    /// Simulates power losses before each sync and after each acknowledgement.
    ///
    /// - Parameters:
    ///   - folder: The folder of the recorded files.
    ///   - disks: The number of disks at each of these moments. The first one may have lost anything.
    ///   - random: Decides what else is lost.
    ///   - mark: Receives the number of each acknowledgement.
    ///   - check: Receives the remaining files, and a description of the moment.
    /// - Returns: The number of moments.
    func powerLosses(
      in folder: String, disks: Int, using random: inout SeededGenerator, mark: (Int64) -> Void,
      check: ([String: [UInt8]], String) async throws -> Void
    ) async throws -> Int {
      var disk = Disk(folder: folder)
      var moments = 0
      for (number, event) in events.enumerated() {
        switch event {
        case .sync: break
        case .mark(let number): mark(number)
        default:
          disk.take(event)
          continue
        }
        moments += 1
        for round in 0..<disks {
          let fate = round == 0 ? Disk.Fate.anything : Disk.Fate.allCases.randomElement(using: &random)!
          try await check(
            disk.afterPowerLoss(fate, using: &random), "event \(number), disk \(round), \(fate), seed \(Faults.powerLossSeed)")
        }
        disk.take(event)
      }
      return moments
    }

    /// Simulates power losses after each acknowledgement of a process in which a sync has failed.
    ///
    /// SQLite syncs the folder after it has created a log, and ignores a failure of that sync. The file systems of Linux write the name of
    /// a new file to disk when the file is synced.
    func powerLossesAfterFailedSync(
      in folder: String, fates: [Disk.Fate], using random: inout SeededGenerator, mark: (Int64) -> Void,
      check: ([String: [UInt8]], String) async throws -> Void
    ) async throws -> Int {
      var disk = Disk(folder: folder, syncsNames: true)
      var moments = 0
      for (number, event) in events.enumerated() {
        disk.take(event)
        guard case .mark(let acknowledged) = event else { continue }
        mark(acknowledged)
        moments += 1
        for fate in fates {
          try await check(disk.afterPowerLoss(fate, using: &random), "event \(number), \(fate), seed \(Faults.powerLossSeed)")
        }
      }
      return moments
    }

    /// Writes the files that a power loss has left into a new folder. The shared memory of SQLite is never on the disk.
    static func restore(_ files: [String: [UInt8]], of recorded: String) throws -> Folder {
      let folder = try Folder(inMemory: true)
      for (path, bytes) in files where !path.hasSuffix("-shm") {
        try folder.write(bytes, to: String(path.dropFirst(recorded.count + 1)))
      }
      return folder
    }
  }
#endif

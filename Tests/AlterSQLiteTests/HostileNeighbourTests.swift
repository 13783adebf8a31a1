#if SQLite
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import AlterTesting
  import Foundation
  import ProcessTesting
  import StoreTesting
  import Testing

  /// Each of the names that a journal's own files have, and each kind of thing that may lie there instead.
  @Suite("A thing in the place of a file beside a journal", .timeLimit(.minutes(20)))
  struct HostileNeighbourTests {
    enum Thing: String, CaseIterable, Sendable {
      case symbolicLink, linkToNothing, hardLink, pipe, folder, device, socket

      /// Creates the thing at the path.
      ///
      /// - Returns: Whether this user can create it.
      func put(at path: String, target: String) -> Bool {
        switch self {
        case .symbolicLink: return symlink(target, path) == 0
        case .linkToNothing: return symlink(target + "-none", path) == 0
        case .hardLink: return link(target, path) == 0
        case .pipe: return mkfifo(path, 0o600) == 0
        case .folder: return mkdir(path, 0o700) == 0
        // The device /dev/null.
        case .device:
          var status = stat()
          return stat("/dev/null", &status) == 0 && mknod(path, S_IFCHR | 0o600, status.st_rdev) == 0
        case .socket: return mknod(path, S_IFSOCK | 0o600, 0) == 0
        }
      }
    }

    @Test("is refused or left alone, and what it leads to is as it was", arguments: HelperName.allCases)
    func things(_ name: HelperName) async throws {
      let secret = Data("The content of another file, longer than 32 bytes".utf8)
      for thing in Thing.allCases {
        try await Folder.use { folder in
          var writer = TestWriter()
          let path = folder.path("journal.db")
          let made = try await SQLiteJournal(at: path)
          _ = try await made.append(writer.drafts(3), after: try await made.head())
          await made.close()
          try folder.write(secret, to: "target")
          let place = path + name.rawValue + (name == .holder ? String(repeating: "0", count: 32) : name == .talker ? "1" : "")
          guard thing.put(at: place, target: folder.path("target")) else { return }
          for isReadOnly in [false, true] {
            do {
              let journal = try await SQLiteJournal(at: path, lockTimeout: .seconds(1), isReadOnly: isReadOnly)
              if !isReadOnly { _ = try await journal.append(writer.drafts(1), after: try await journal.head()) }
              #expect(try await journal.entries(after: .zero, limit: 10).count >= 3)
              await journal.close()
            } catch let error as JournalError {
              // Only the files that an opening uses are refused, and the error names them.
              #expect([.lock, .bell, .wal, .shm, .journal].contains(name), "\(name) is a \(thing): \(error)")
              #expect(error.description.contains("'\(place)' beside it"), "\(name) is a \(thing): \(error)")
            }
            #expect(try folder.bytes("target") == secret, "\(name) is a \(thing)")
            #expect(!FileManager.default.fileExists(atPath: folder.path("target-none")), "\(name) is a \(thing)")
          }
        }
      }
    }
  }
#endif

#if SQLite
  import AlterCore
  import AlterJournal
  import AlterSQLite
  import AlterTesting
  import FaultModel
  import Foundation
  import ProcessTesting
  import Testing

  extension Accidents {
    /// A journal whose process was killed: half of its entries are in the file, half in the log beside it. The tests change every byte of
    /// both, one at a time, and truncate both at every length. `FlippedByteTests` does the same to a journal that was closed.
    @Suite("A journal that lies there with its log", .timeLimit(.minutes(60))) struct EveryByteTests {
      /// The files of the killed process.
      private struct Files {
        let contents: [String: [UInt8]]
        let entries: [Entry]
        /// The revisions at which an append ended.
        let ends: Set<Int64>
        /// The number of entries in the database file itself.
        let inFile: Int
      }

      private func files() async throws -> Files {
        let folder = try Folder(inMemory: true)
        let path = folder.path("journal.db")
        var drafts = Drafts()
        var ends: Set<Int64> = [0]
        let inFile = 12
        for count in [inFile, 12] {
          let journal = try await SQLiteJournal(at: path)
          var head = try await journal.head()
          for number in 0..<count / 3 {
            head = try await journal.append(drafts.next(3, size: number * 20), after: head).head
            ends.insert(head.revision.number)
          }
          guard head.revision.number > Int64(inFile) else {
            await journal.close()
            continue
          }
          var contents: [String: [UInt8]] = [:]
          for name in folder.contents where !name.hasSuffix("-shm") { contents[name] = [UInt8](try folder.bytes(name)) }
          let entries = try await journal.entries(after: .zero, limit: 100)
          await journal.close()
          return Files(contents: contents, entries: entries, ends: ends, inFile: inFile)
        }
        throw JournalError(.failed, journal: path, message: "was not made.")
      }

      /// The result of opening the journal and reading everything.
      private func reading(_ files: [String: [UInt8]]) async throws -> Result<[Entry], JournalError> {
        let folder = try Folder(inMemory: true)
        for (name, bytes) in files { try folder.write(bytes, to: name) }
        do throws(JournalError) {
          let journal = try await SQLiteJournal(at: folder.path("journal.db"))
          let outcome: Result<[Entry], JournalError>
          do throws(JournalError) {
            try await journal.verify()
            outcome = .success(try await journal.entries(after: .zero, limit: 100))
          } catch { outcome = .failure(error) }
          await journal.close()
          return outcome
        } catch { return .failure(error) }
      }

      private static let refusals: Set<JournalError.Code> = [.damaged, .notAJournal, .newerFormat]

      /// The numbers of damaged files by the results of reading them.
      private struct Counts {
        var (tried, refused, equal, different, misnamed) = (0, 0, 0, 0, 0)

        /// Counts a result. Records an issue if the damage changed entries silently, or if the error names no damage.
        ///
        /// - Parameter entries: The only entries that may be read; nil if the damage must be reported.
        mutating func add(_ result: Result<[Entry], JournalError>, expecting entries: [Entry]?, _ place: String) {
          tried += 1
          switch result {
          case .success(let found) where found == entries: equal += 1
          case .success(let found):
            different += 1
            Issue.record("\(place): \(found.count) other entries are read")
          case .failure(let error) where refusals.contains(error.code): refused += 1
          case .failure(let error):
            misnamed += 1
            Issue.record("\(place): \(error)")
          }
        }

        /// Prints the numbers, if every damage was reported or changed nothing.
        func report(_ name: String, equal meaning: String) throws {
          try #require(different == 0 && misnamed == 0)
          print("\(name): \(tried) tried, \(refused) reported, \(equal) \(meaning), silent differences \(different)")
        }
      }

      @Test("is told to be damaged, or gives every entry as it was, whichever byte of the file is another") func file() async throws {
        let files = try await files()
        let whole = try #require(files.contents["journal.db"])
        var counts = Counts()
        for position in stride(from: 0, to: whole.count, by: Effort.count(short: 307, full: 1)) {
          for mask: UInt8 in Effort.isFull ? [0x01, 0x80, 0xFF] : [0x41] {
            var changed = files.contents
            changed["journal.db"]?[position] ^= mask
            counts.add(try await reading(changed), expecting: files.entries, "byte \(position)")
          }
        }
        #expect(counts.equal > 0)
        try counts.report("flipped bytes, the file beside a log", equal: "harmless")
      }

      @Test("reads as one whose log ends earlier, between two appends, whichever byte of the log is another") func log() async throws {
        let files = try await files()
        let whole = try #require(files.contents["journal.db-wal"])
        var (tried, shorter, harmless, refused) = (0, 0, 0, 0)
        for position in stride(from: 0, to: whole.count, by: Effort.count(short: 401, full: 1)) {
          var changed = files.contents
          changed["journal.db-wal"]?[position] ^= 0x41
          tried += 1
          switch try await reading(changed) {
          case .success(let entries):
            expectPrefix(entries, files, "byte \(position)")
            if entries.count < files.entries.count { shorter += 1 } else { harmless += 1 }
          case .failure(let error):
            refused += 1
            #expect(Self.refusals.contains(error.code), "byte \(position): \(error)")
          }
        }
        #expect(shorter > 0)
        print("flipped bytes, the log: \(tried) tried, \(shorter) read as a shorter log, \(refused) reported, \(harmless) harmless")
      }

      @Test("reads as one whose log ends earlier, between two appends, wherever the log is cut off") func shortLog() async throws {
        let files = try await files()
        let whole = try #require(files.contents["journal.db-wal"])
        var lengths: Set<Int> = []
        for length in stride(from: 0, to: whole.count, by: Effort.count(short: 509, full: 7)) {
          var changed = files.contents
          changed["journal.db-wal"] = Array(whole.prefix(length))
          switch try await reading(changed) {
          case .success(let entries):
            expectPrefix(entries, files, "length \(length)")
            lengths.insert(entries.count)
          case .failure(let error): Issue.record("length \(length): \(error)")
          }
        }
        // The shortest result is the database file alone. Each longer one adds an append of the log. The last append is never complete.
        #expect(lengths == [12, 15, 18, 21])
      }

      @Test("is told to be damaged wherever the file is cut off, unless its log has what is missing") func shortFile() async throws {
        let files = try await files()
        let whole = try #require(files.contents["journal.db"])
        var counts = Counts()
        for length in stride(from: 0, to: whole.count, by: Effort.count(short: 191, full: 1)) {
          for hasLog in [true, false] {
            var changed = files.contents
            changed["journal.db"] = Array(whole.prefix(length))
            if !hasLog { changed["journal.db-wal"] = nil }
            counts.add(try await reading(changed), expecting: hasLog ? files.entries : nil, "length \(length)")
          }
        }
        try counts.report("cut off files", equal: "whole in their log")
      }

      @Test("is told to be damaged, or gives every entry as it was, when several places of the file are others", arguments: 0..<4)
      func several(_ part: Int) async throws {
        let files = try await files()
        let whole = try #require(files.contents["journal.db"])
        var random = SeededGenerator(seed: 0x5EED_B17E + UInt64(part))
        let mutation = Mutator(pages: whole.count / 4_096)
        var counts = Counts()
        for round in 0..<Effort.count(short: 50, full: 5_000) {
          var changed = files.contents
          let isClosed = Bool.random(using: &random)
          if isClosed { changed["journal.db-wal"] = nil }
          changed["journal.db"] = mutation.mutated(whole, using: &random)
          let expected = isClosed ? Array(files.entries.prefix(files.inFile)) : files.entries
          counts.add(try await reading(changed), expecting: expected, "part \(part) round \(round)")
        }
        try counts.report("several changed places, part \(part)", equal: "harmless")
      }

      private func expectPrefix(_ entries: [Entry], _ files: Files, _ place: String) {
        #expect(entries.elementsEqual(files.entries.prefix(entries.count)), "\(place): other entries")
        #expect(files.ends.contains(Int64(entries.count)), "\(place): \(entries.count) entries are no whole batches")
        #expect(entries.count >= files.inFile, "\(place): entries of the file are missing")
      }
    }

    /// Changes several positions of a database file, preferably sensitive ones: page headers and pointers.
    private struct Mutator {
      let pages: Int

      func mutated(_ whole: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
        var bytes = whole
        for _ in 0..<Int.random(in: 1...8, using: &random) {
          let page = Int.random(in: 0..<pages, using: &random) * 4_096
          switch Int.random(in: 0..<5, using: &random) {
          case 0: bytes[page + Int.random(in: 0..<64, using: &random)] = UInt8.random(in: 0...255, using: &random)
          case 1: bytes[page + Int.random(in: 0..<4_096, using: &random)] = [0, 0xFF, 0x7F, 0x80].randomElement(using: &random)!
          case 2:
            // Replaces a page by a copy of another one.
            let other = Int.random(in: 0..<pages, using: &random) * 4_096
            bytes.replaceSubrange(page..<page + 4_096, with: whole[other..<other + 4_096])
          case 3: bytes.replaceSubrange(page..<page + 512, with: repeatElement(0, count: 512))
          default: bytes[page + Int.random(in: 0..<4_096, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
          }
        }
        return bytes
      }
    }
  }
#endif

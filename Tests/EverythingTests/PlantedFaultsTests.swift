#if SQLite && Macros
  import Testing

  @Suite("The planted faults")
  struct PlantedFaultsTests {
    private static let folders = ["EverythingTests", "StoreSimulation", "AlterFeedbackTests", "AlterSyncTests"]

    /// A hunk of a patch: the file, and the lines that it replaces.
    private static func hunks(of patch: String) throws -> [(file: String, lines: String)] {
      var hunks: [(file: String, lines: String)] = []
      var file: String?
      for line in patch.split(separator: "\n", omittingEmptySubsequences: false) {
        if line.hasPrefix("--- a/") {
          file = String(line.dropFirst(6))
        } else if line.hasPrefix("@@") {
          hunks.append((try #require(file), "\n"))
        } else if line.hasPrefix(" ") || line.hasPrefix("-"), !hunks.isEmpty, !line.hasPrefix("---") {
          hunks[hunks.count - 1].lines += line.dropFirst() + "\n"
        }
      }
      return hunks
    }

    @Test("fit the sources, so that script/plant-faults can plant them")
    func fit() throws {
      var count = 0
      for folder in Self.folders {
        for name in try Evidence.names(in: "Tests/\(folder)/Faults") where name.hasSuffix(".patch") {
          let hunks = try Self.hunks(of: Evidence.text("Tests/\(folder)/Faults/\(name)"))
          #expect(!hunks.isEmpty, "\(name) has no hunk")
          for hunk in hunks {
            count += 1
            let source = try? Evidence.text(hunk.file)
            #expect(source?.contains(hunk.lines) == true, "\(name) does not fit \(hunk.file) any more: make a new patch")
          }
        }
      }
      #expect(count > 30)
    }
  }
#endif

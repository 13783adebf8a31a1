import Alter
import Foundation
import Testing

/// Checks that each block of Swift in the guides and in the README appears unchanged in a test or in an example.
@Suite("The guides' code")
struct GuideBlocks {
  struct Block {
    let place: String
    let lines: [Substring]
    /// Whether the line before the block says that it is not compiled here, because it needs another system.
    let isNotCompiled: Bool
  }

  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func files(under folders: [String], withExtension end: String) throws -> [URL] {
    try folders.flatMap { folder in
      let names = try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
      return names.filter { $0.hasSuffix(".\(end)") && !$0.contains(".build/") }.sorted().map {
        root.appendingPathComponent(folder).appendingPathComponent($0)
      }
    }
  }

  /// The blocks of Swift code in a text.
  static func blocks(in text: String, of name: String) -> [Block] {
    var blocks: [Block] = []
    var open: [Substring]?
    var before: Substring = ""
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if let lines = open {
        if line == "```" {
          blocks.append(
            Block(place: "\(name):\(number - lines.count)", lines: lines, isNotCompiled: before.lowercased().contains("not compiled here")))
          open = nil
          before = ""
        } else {
          open = lines + [line]
        }
      } else if line == "```swift" {
        open = []
      } else if !line.isEmpty {
        before = line
      }
    }
    return blocks
  }

  /// Whether the lines appear in a file in sequence. Their indentation may be larger there, by the same number of spaces for all lines.
  static func contains(_ block: [Substring], in file: [Substring]) -> Bool {
    // The file may import more modules, at other positions.
    let block = Array(block.drop { $0.hasPrefix("import ") || $0.hasPrefix("@testable import ") || $0.isEmpty })
    guard let first = block.first else { return true }
    for start in file.indices where file[start].hasSuffix(first) && file.count - start >= block.count {
      let indentation = file[start].dropLast(first.count)
      guard indentation.allSatisfy({ $0 == " " }) else { continue }
      let isHere = zip(block, file[start...]).allSatisfy { line, found in
        line.isEmpty ? found.isEmpty : found == indentation + line
      }
      if isHere { return true }
    }
    return false
  }

  @Test("stands in a test or an example, to the letter")
  func isCompiled() throws {
    let sources = try Self.files(under: ["Tests", "Examples"], withExtension: "swift").map {
      try String(contentsOf: $0, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    }
    var (compiled, notCompiled) = (0, 0)
    let guides =
      try Self.files(under: ["Sources/Alter/Documentation.docc"], withExtension: "md") + [Self.root.appendingPathComponent("README.md")]
    for guide in guides {
      for block in Self.blocks(in: try String(contentsOf: guide, encoding: .utf8), of: guide.lastPathComponent) {
        if block.isNotCompiled {
          notCompiled += 1
          continue
        }
        compiled += 1
        #expect(
          sources.contains { Self.contains(block.lines, in: $0) },
          "\(block.place): this code is in no test and no example, or differs there:\n\(block.lines.joined(separator: "\n"))")
      }
    }
    #expect(compiled > 40)
    print("Guides: \(compiled) blocks of code are compiled, \(notCompiled) are marked as not compiled here.")
  }

  @Test("that differs by a letter is found")
  func finds() {
    let file: [Substring] = ["  let a = 1", "", "  let b = 2", "let c = 3"]
    #expect(Self.contains(["let a = 1", "", "let b = 2"], in: file))
    #expect(!Self.contains(["let a = 1", "", "let b = 3"], in: file))
    #expect(!Self.contains(["let b = 2", "let c = 3"], in: file))
    #expect(
      Self.blocks(in: "x\n\n```swift\na\n```\n*not compiled here*\n\n```swift\nb\n```", of: "t").map(\.isNotCompiled) == [false, true])
  }

  @Test("the version is the changelog's newest, or the next one")
  func version() throws {
    let changelog = try String(contentsOf: Self.root.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
    let newest = try #require(changelog.split(separator: "\n").first { $0.hasPrefix("## ") })
    #expect((newest == "## Unreleased") == AlterVersion.current.hasSuffix("-dev"), "\(newest): \(AlterVersion.current)")
    #expect(newest == "## Unreleased" || newest.hasPrefix("## \(AlterVersion.current)"), "\(newest): \(AlterVersion.current)")
  }
}

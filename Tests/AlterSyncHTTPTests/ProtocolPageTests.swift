#if SyncServer
  import AlterJournal
  @testable import AlterSyncCore
  import Foundation
  import Testing

  @Suite("The page about the protocol, docs/sync.md")
  struct ProtocolPageTests {
    let lines: [String]

    init() throws {
      let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../docs/sync.md")
      lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    }

    /// The names in the first column of the table that has this head.
    private func names(under head: String) -> [String] {
      rows(under: head).compactMap { $0.wholeMatch(of: #/\| `(\w+)` \|.*/#).map { String($0.1) } }
    }

    private func rows(under head: String) -> [String] {
      guard let start = lines.firstIndex(where: { $0.hasPrefix(head) }) else { return [] }
      return Array(lines[(start + 2)...].prefix { $0.hasPrefix("|") })
    }

    private func objects(where isWanted: (JSONValue) -> Bool) throws -> [JSONValue] {
      try lines.filter { $0.hasPrefix("{\"") }.map { try JSONValue(parsing: Data($0.utf8)) }.filter(isWanted)
    }

    @Test("names each code of a refusal and of a hold, in the order of the code, and no other one")
    func codes() {
      #expect(names(under: "| refusal |") == RefusalCode.allCases.map(\.rawValue))
      #expect(names(under: "| hold |") == SyncHold.Code.allCases.map(\.rawValue))
    }

    @Test("names each limit with its default, and the name of each that answers name")
    func limits() throws {
      let limits = SyncLimits()
      let expected = Swift.Mirror(reflecting: limits).children.map { child -> String in
        var digits = Substring("\(child.value)")
        var groups: [Substring] = []
        while !digits.isEmpty {
          groups.insert(digits.suffix(3), at: 0)
          digits = digits.dropLast(3)
        }
        return "| `\(child.label ?? "")` | \(groups.joined(separator: ",")) |"
      }
      let rows = rows(under: "| limit |")
      #expect(rows.count == expected.count)
      for (row, start) in zip(rows, expected) { #expect(row.hasPrefix(start)) }
      let told = Set(rows.compactMap { $0.wholeMatch(of: #/.*\| `(\w+)` \|/#).map { String($0.1) } })
      #expect(told == Set(SyncHTTP.numbers(limits.field).keys))
      #expect(lines.contains { $0.contains("`\(SyncHTTP.limits): \(limits.field)`") })
    }

    @Test("names each header field, and the version")
    func fields() {
      for name in [SyncHTTP.version, SyncHTTP.principal, SyncHTTP.limits, SyncHTTP.outbox] {
        #expect(lines.contains { $0.hasPrefix("| `\(name): ") }, "\(name)")
      }
      #expect(lines.contains { $0.hasPrefix("| `\(SyncHTTP.version): \(SyncMessage.version)` |") })
      let report = SyncHTTP.OutboxReport(count: 3, oldest: 1_795_600_000_000_001)
      #expect(lines.contains { $0.hasPrefix("| `\(SyncHTTP.outbox): \(report.field)` |") })
    }

    @Test("names each answer, and each key of a message")
    func answers() throws {
      let lineage = Lineage(Generation(1))
      let answers: [Answer] = [.absent, .gone, .diverged(lineage), .unauthorised, .forbidden, .badEnvelope, .busy(1), .notUnderstood]
      var keys: Set<String> = []
      for answer in answers {
        let line = try JSONValue(parsing: SyncMessage.encode(answer))
        #expect(lines.contains { $0.hasPrefix("| `4") || $0.hasPrefix("| `5") ? $0.contains("`\(line["answer"]?.text ?? "")`") : false })
        keys.formUnion(line.members.map { Array($0.keys) } ?? [])
      }
      for object in try objects(where: { _ in true }) { keys.formUnion(object.members.map { Array($0.keys) } ?? []) }
      for key in keys { #expect(lines.contains { $0.contains("`\(key)`") || $0.contains("\"\(key)\"") }, "\(key)") }
    }

    @Test("has examples that the code reads: a push, its answer, a snapshot and a hint")
    func examples() throws {
      let text = lines.joined(separator: "\n")
      let blocks = text.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }
        .map { Data($0.element.drop { $0 != "\n" }.dropFirst().utf8) }
      let requests = blocks.compactMap { try? SyncMessage.decodeRequest($0) }
      #expect(requests.map(\.key) == ["lists/7"])
      guard case .push(let submissions)? = requests.first?.request.body else {
        Issue.record("the request is no push")
        return
      }
      // Malformed ones have no draft: the hashes are right.
      #expect(submissions.count == 2 && submissions.allSatisfy { $0.draft != nil })
      #expect(submissions[1].after == submissions[0].id)
      #expect(requests.first.map { SyncMessage.encode($0) } == blocks.first { (try? SyncMessage.decodeRequest($0)) != nil })

      var (pages, snapshots): ([Page], [Fetched]) = ([], [])
      for block in blocks {
        switch try? SyncMessage.decodeAnswer(block) {
        case .page(let page)?:
          pages.append(page)
          #expect(SyncMessage.encode(Answer.page(page)) == block)
        case .snapshot(let fetched)?:
          snapshots.append(fetched)
          #expect(SyncMessage.encode(Answer.snapshot(fetched)) == block)
        default: break
        }
      }
      let page = try #require(pages.first)
      #expect(page.head?.revision == 3 && page.entries.count == 2)
      #expect(page.lines.map(\.id) == submissions.map(\.id) && page.lines == snapshots.first?.lines)
      let hints = lines.filter { $0.hasPrefix("data: ") }.compactMap { SyncMessage.decodeHint(Data($0.dropFirst(6).utf8)) }
      #expect(hints.map(\.hint.head.revision) == [3, 2] && hints.first?.hint.head == page.head)
      // The event with an entry.
      let told = lines.filter { $0.hasPrefix("data: ") }.map { Data($0.dropFirst(6).utf8) }.suffix(1)
      let entries = SyncMessage.decodeEntries(told)
      #expect(entries == Array(page.entries.prefix(1)) && entries.first?.checksum == hints.last?.hint.head.checksum)
    }

    @Test("has checksums that the code computes")
    func checksums() throws {
      let entries = try objects { $0["checksum"] != nil && $0["kind"] != nil }.compactMap(ExportLine.entry).sorted {
        $0.revision < $1.revision
      }
      #expect(entries.map(\.revision) == [1, 2, 3])
      let heads = try objects { $0["head"] != nil }.compactMap { $0["head"].flatMap { SyncMessage.head(LineValue($0)) } }
      var head = Head(empty: try #require(heads.first?.journal))
      for entry in entries { try head.verify(entry, in: "docs/sync.md") }
      #expect(heads.contains(head))
      // The key of a draft's hash.
      #expect(lines.contains { $0.contains("`\(Checksum(high: 0x416C_7472, low: 0x4472_6166))`") })
    }
  }
#endif

import AlterCore
import AlterJournal
import AlterTesting
import Foundation
import ProcessTesting
import SyncModel
import Testing

@testable import AlterSyncCore

@Suite("The messages of sync", .timeLimit(.minutes(30)))
struct MessageTests {
  /// Makes random parts of messages.
  private struct Maker {
    var random: SeededGenerator
    var number: Int64 = 0

    mutating func id() -> EntryID {
      number += 1
      return EntryID(origin: Origin(random.uuid()), sequence: number)
    }

    mutating func draft() -> SyncDraft {
      let payloads = [
        Data("[]".utf8), Data(#"[{"note":"ü\n ‘a’"}]"#.utf8), Data("[ 1 ]".utf8), Data([0xFF, 0x0A, 0x00]), Data(),
        Data(repeating: UInt8(ascii: "["), count: 600),
      ]
      let target = id()
      let content: SyncDraft.Content =
        switch random.below(6) {
        case 0: .undo(target)
        case 1: .redo(target)
        default: .changes(random.pick(payloads))
        }
      return SyncDraft(
        id: id(), time: Int64.random(in: .min ... .max, using: &random), scope: random.oneIn(3) ? "a \"scope\"\n" : .journal,
        schema: random.below(3), content: content,
        cause: Cause(
          answers: random.oneIn(3) ? id() : nil, feedback: random.oneIn(3) ? "pay" : nil, requires: random.oneIn(3) ? id() : nil,
          retries: random.oneIn(3) ? id() : nil, request: random.oneIn(3) ? id().requestText : nil,
          depth: random.oneIn(3) ? random.below(9) : nil))
    }

    mutating func head() -> Head {
      Head(journal: JournalID(random.uuid()), revision: Revision(Int64(random.below(1_000))), checksum: checksum())
    }

    mutating func checksum() -> Checksum { Checksum(high: random.next(), low: random.next()) }

    mutating func lineage() -> Lineage {
      Lineage(Generation(random.next()), former: Set((0..<random.below(3)).map { _ in Generation(random.next()) }))
    }

    mutating func line() -> VerdictLine {
      let revision = Revision(Int64(random.below(100)))
      let code = random.pick(RefusalCode.allCases)
      return VerdictLine(
        id: id(), hash: checksum(), verdict: random.oneIn(2) ? .accepted(revision) : .refused(code, at: code == .foreign ? nil : revision))
    }

    mutating func hold() -> SyncHold { SyncHold(random.pick(SyncHold.Code.allCases), at: id(), seconds: random.below(60)) }

    mutating func page() -> Page {
      var head = head()
      var page = Page(head.journal, lineage())
      page.lines = (0..<random.below(4)).map { _ in line() }
      if random.oneIn(2) { page.hold = hold() }
      for _ in 0..<random.below(4) {
        let draft = draft()
        let isRefused = random.oneIn(3)
        let receipt = random.oneIn(4) ? nil : Receipt(author: Pseudonym(bits: random.next()), arrival: Int64(random.below(99)))
        let body: SyncEntry.Body =
          isRefused
          ? .refused(draft.id, hash: draft.hash, random.pick(RefusalCode.allCases))
          : random.oneIn(9) ? .initial(draft.id, Data("{}".utf8)) : .draft(draft)
        let entry = SyncEntry(body, receipt: receipt, after: head)
        head = head.advanced(by: entry.stored)
        page.entries.append(entry)
        if isRefused, random.oneIn(2) { page.reasons[draft.id] = "because\nof ‘this’" }
      }
      page.head = head
      return page
    }

    mutating func request() -> SyncMessage.Addressed {
      let body: Request.Body =
        switch random.below(3) {
        case 0: .pull
        case 1:
          .push(
            (0..<random.below(5)).map { _ in
              let draft = draft()
              let after = random.oneIn(2) ? id() : nil
              return switch random.below(5) {
              case 0: Submission(.oversized(draft.id, size: random.below(9_999), hash: draft.hash), after: after)
              case 1: Submission(.malformed(draft.id, hash: draft.hash), after: after)
              default: Submission(.draft(draft), after: after)
              }
            })
        default: .fetch((0..<random.below(5)).map { _ in id() })
        }
      return SyncMessage.Addressed(
        Request(
          body, position: random.oneIn(3) ? nil : head(), floor: Revision(Int64(random.below(9))), principal: Principal("änn \"x\""),
          generation: random.oneIn(3) ? nil : Generation(random.next()), known: Revision(Int64(random.below(9))),
          hint: random.oneIn(2) ? nil : Hint(Generation(random.next()), head())), to: "lists/42")
    }

    mutating func answer() -> Answer {
      switch random.below(10) {
      case 0..<5: .page(page())
      case 5, 6:
        .snapshot(
          Fetched(
            lineage(),
            floor: Floor(head: head(), state: StateBytes(random.pick([Data("{}".utf8), Data([0xFE])]), schema: random.below(4))),
            lines: (0..<random.below(4)).map { _ in line() }))
      case 7: .diverged(lineage())
      case 8: .busy(random.below(99))
      default: random.pick([.absent, .gone, .unauthorised, .forbidden, .badEnvelope, .notUnderstood])
      }
    }
  }

  @Test("carry every request and answer without a loss")
  func everything() throws {
    var maker = Maker(random: SeededGenerator(seed: 1))
    var count = 0
    for _ in 0..<2_000 {
      let request = maker.request()
      #expect(try SyncMessage.decodeRequest(SyncMessage.encode(request)) == request)
      let answer = maker.answer()
      let data = SyncMessage.encode(answer)
      let read = try SyncMessage.decodeAnswer(data)
      // The bytes tell apart what the values consider equal.
      #expect(SyncMessage.encode(read) == data)
      if case (.page(let page), .page(let other)) = (answer, read) {
        #expect(page == other && page.entries.map(\.stored) == other.entries.map(\.stored))
        count += page.entries.count
      }
      let hint = Hint(Generation(maker.random.next()), maker.head())
      let announced = try #require(SyncMessage.decodeHint(SyncMessage.encode(hint, of: "a key")))
      #expect(announced.key == "a key" && announced.hint == hint)
      if case .page(let page) = answer {
        let lines = page.entries.map { SyncMessage.encode($0) }
        #expect(SyncMessage.decodeEntries(lines).map(\.stored) == page.entries.map(\.stored))
        // No entry is taken for a hint, nor is what follows a line that is not understood.
        #expect(lines.allSatisfy { SyncMessage.decodeHint($0) == nil })
        #expect(SyncMessage.decodeEntries([Data("{}".utf8)] + lines).isEmpty)
      }
    }
    #expect(count > 1_000)
  }

  @Test("name the version of an unknown message")
  func versions() throws {
    var maker = Maker(random: SeededGenerator(seed: 2))
    for data in [SyncMessage.encode(maker.request()), SyncMessage.encode(.page(maker.page()))] {
      let newer = Data(String(decoding: data, as: UTF8.self).replacingOccurrences(of: #""version":1"#, with: #""version":2"#).utf8)
      let errors = [
        #expect(throws: SyncMessage.Failure.self) { try SyncMessage.decodeRequest(newer) },
        #expect(throws: SyncMessage.Failure.self) { try SyncMessage.decodeAnswer(newer) },
      ]
      #expect(errors.allSatisfy { $0 == .version(2) && "\($0!)".contains("has version 2, and this program speaks version 1") })
    }
  }

  @Test("use an answer up to the byte where the network has cut it")
  func prefixes() throws {
    var maker = Maker(random: SeededGenerator(seed: 3))
    var parts: Set<Int> = []
    for _ in 0..<Effort.count(short: 5, full: 12) {
      let page = maker.page()
      let data = SyncMessage.encode(.page(page))
      let first = data.firstIndex(of: UInt8(ascii: "\n"))!
      for end in 0..<data.count {
        guard end > first else {
          #expect(throws: SyncMessage.Failure.incomplete) { try SyncMessage.decodeAnswer(data[..<end]) }
          continue
        }
        guard case .page(let read) = try SyncMessage.decodeAnswer(data[..<end]) else {
          Issue.record("another answer")
          continue
        }
        let count = read.lines.count + read.entries.count
        #expect(read == page.cut(after: count))
        // Never less than the whole lines that have arrived.
        let lines = data[..<end].count { $0 == UInt8(ascii: "\n") } - 1
        #expect(count == lines - (lines > page.lines.count && page.hold != nil ? 1 : 0))
        parts.insert(count)
      }
    }
    #expect(parts.count > 4)
    for _ in 0..<40 {
      let answer = maker.answer()
      guard case .snapshot = answer else { continue }
      let data = SyncMessage.encode(answer)
      for end in 0..<data.count { #expect(throws: SyncMessage.Failure.incomplete) { try SyncMessage.decodeAnswer(data[..<end]) } }
    }
  }

  @Test("give a verdict to a draft that cannot be decoded, and to no draft of an unsound envelope")
  func malformed() throws {
    var maker = Maker(random: SeededGenerator(seed: 4))
    let drafts = [maker.draft(), maker.draft()]
    let request = Request(.push(drafts.map { Submission(.draft($0), after: nil) }), position: nil, principal: Principal("ann"))
    let text = String(decoding: SyncMessage.encode(SyncMessage.Addressed(request, to: "k")), as: UTF8.self)
    // The time is missing; the kind is not known; the schema is not the one that the device has hashed.
    for (old, new) in [(#""time":"#, #""time":null,"other":"#), (#""kind":""#, #""kind":"x"#), (#""schema":"#, #""schema":7"#)] {
      let place = text.range(of: old)!
      let changed = text.replacingCharacters(in: place, with: new)
      let read = try SyncMessage.decodeRequest(Data(changed.utf8)).request
      let malformed = Submission(.malformed(drafts[0].id, hash: drafts[0].hash), after: nil)
      #expect(read.body == .push([malformed, Submission(.draft(drafts[1]), after: nil)]))
    }
    let lines = text.split(separator: "\n").map { "\($0)\n" }
    let start: String = lines[0] + lines[1]
    var unsound: [String] = [lines[0] + lines[1], start + lines[2] + lines[2], start + "{}\n", start + "{\n", text + "x\n"]
    for (old, new) in [
      (#""hash":""#, #""hash":"x"#), (#""lines":2"#, #""lines":-1"#), ("push", "pull"), (#""floor":0"#, #""floor":-1"#),
    ] {
      unsound.append(text.replacingOccurrences(of: old, with: new))
    }
    for message in unsound {
      #expect(throws: SyncMessage.Failure.self, "\(message)") { try SyncMessage.decodeRequest(Data(message.utf8)) }
    }
  }

  @Test("do not trap on damaged bytes")
  func damage() {
    var maker = Maker(random: SeededGenerator(seed: 5))
    var (understood, refused) = (0, 0)
    for _ in 0..<3_000 {
      var bytes = Array(maker.random.oneIn(2) ? SyncMessage.encode(maker.request()) : SyncMessage.encode(maker.answer()))
      for _ in 0...maker.random.below(4) {
        let place = maker.random.below(bytes.count)
        switch maker.random.below(4) {
        case 0: bytes.removeSubrange(place..<min(bytes.count, place + 1 + maker.random.below(20)))
        case 1: bytes.insert(contentsOf: bytes[..<place].suffix(30), at: maker.random.below(bytes.count))
        case 2: bytes[place] = UInt8.random(in: 0...255, using: &maker.random)
        default: bytes[place] = maker.random.pick(Array("0123456789-{}[]\",:e\n".utf8))
        }
        if bytes.isEmpty { bytes = [0] }
      }
      do {
        _ = try SyncMessage.decodeRequest(Data(bytes))
        understood += 1
      } catch { refused += 1 }
      do {
        _ = try SyncMessage.decodeAnswer(Data(bytes))
        understood += 1
      } catch { refused += 1 }
    }
    #expect(understood > 300 && refused > 300, "\(understood) understood, \(refused) refused")
  }
}

extension SeededGenerator {
  fileprivate mutating func uuid() -> UUID {
    var bytes = [UInt8]()
    for _ in 0..<16 { bytes.append(UInt8.random(in: 0...255, using: &self)) }
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}

import AlterCore
import Foundation
import Testing

@Suite("A value that changes by its own vocabulary")
struct AlterableTests {
  /// A model that refuses nothing and records its changes and stamps.
  struct Diary: Alterable, EmptyInitializable, Equatable {
    enum Change { case write(String) }
    struct Line: Equatable {
      let text: String
      let stamp: Stamp
    }
    private(set) var lines: [Line] = []

    mutating func apply(_ change: Change, at stamp: Stamp) {
      switch change {
      case .write(let text): lines.append(Line(text: text, stamp: stamp))
      }
    }
  }

  /// A model that refuses with its own error type.
  struct Glass: Alterable, EmptyInitializable, Equatable {
    enum Change { case fill(Int), drink }
    enum Failure: Error, Equatable { case overflow(by: Int), empty }
    private(set) var amount = 0

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Failure) {
      switch change {
      case .fill(let more):
        guard amount + more <= 10 else { throw .overflow(by: amount + more - 10) }
        amount += more
      case .drink:
        guard amount > 0 else { throw .empty }
        amount = 0
      }
    }
  }

  let stamp = Stamp(time: 1_000, origin: Origin(SipHash128.uuid(seed: 1)), sequence: 7)

  // This test contains no `try` and no `throws`: half of the test is that it compiles.
  @Test("needs no try when it refuses nothing")
  func never() {
    let diary = Diary().alter(.write("a"), .write("b"))
    #expect(diary.lines.map(\.text) == ["a", "b"])
    #expect(Diary(.write("a"), .write("b")) == diary)
    var inPlace = Diary()
    inPlace.apply([.write("a"), .write("b")], at: .none)
    #expect(inPlace == diary)
  }

  @Test("gives a new value and leaves the old one alone")
  func copies() {
    let before = Diary(.write("a"))
    let after = before.alter(.write("b"))
    #expect(before.lines.count == 1)
    #expect(after.lines.count == 2)
  }

  @Test("shows each change of a batch the batch's stamp, with the change's own place")
  func indices() {
    let diary = Diary().alter([.write("a"), .write("b"), .write("c")], at: stamp)
    #expect(diary.lines.map(\.stamp.index) == [0, 1, 2])
    #expect(diary.lines.allSatisfy { $0.stamp.time == 1_000 && $0.stamp.sequence == 7 && $0.stamp.origin == stamp.origin })
    #expect(Set(diary.lines.map { $0.stamp.uuid() }).count == 3, "each change gets fresh ids of its own")
    #expect(Diary(.write("a"), .write("b"), at: stamp) == Diary().alter(.write("a"), .write("b"), at: stamp))
  }

  @Test("is made at a date outside a store, and without a date at none")
  func dates() {
    for date in [Date(microseconds: 0), Date(microseconds: 1_000)] {
      let stamps = Diary().alter(.write("a"), .write("b"), at: date).lines.map(\.stamp)
      #expect(stamps.map(\.date) == [date, date])
      #expect(stamps.map(\.index) == [0, 1])
      #expect(RequestID(stamps[0]).isNone, "an id of such a stamp is not unique")
    }
    #expect(Diary().alter(.write("a")).lines[0].stamp.date == nil)
  }

  @Test("is made of what has happened: a list of changes, each with its own place")
  func history() throws {
    let history: [Diary.Change] = [.write("a"), .write("b")]
    #expect(Diary(history, at: stamp) == Diary(.write("a"), .write("b"), at: stamp))
    #expect(Diary(history, at: stamp).lines.map(\.stamp.index) == [0, 1])
    #expect(Diary(history) == Diary().alter(history))
    #expect(Diary([]) == Diary())
    #expect(throws: Glass.Failure.overflow(by: 1)) { try Glass([.fill(6), .fill(5)]) }
  }

  @Test("throws its own failure, typed")
  func typed() {
    do throws(Glass.Failure) {
      _ = try Glass().alter(.fill(8), .fill(5))
      Issue.record("The glass was too full.")
    } catch {
      #expect(error == .overflow(by: 3))
    }
    #expect(throws: Glass.Failure.empty) { try Glass(.drink) }
  }

  @Test("makes all changes of a batch or none when altered, and those before the refused one when applied in place")
  func refusedBatch() {
    var glass = Glass()
    #expect(throws: Glass.Failure.overflow(by: 1)) { try glass.alter([.fill(6), .fill(5)]) }
    #expect(glass.amount == 0)
    #expect(throws: Glass.Failure.overflow(by: 1)) { try glass.apply([.fill(6), .fill(5), .drink], at: .none) }
    #expect(glass.amount == 6)
  }

  @Test("stays as it is when nothing happens")
  func emptyBatch() throws {
    #expect(Diary(.write("a")).alter([]) == Diary(.write("a")))
    #expect(try Glass().alter() == Glass())
  }

  @Test("has an identity apart from its equality")
  func identity() {
    struct Person: Identifiable, Equatable {
      let id: Int
      let salary: Int
    }
    let jack = Person(id: 1, salary: 1)
    #expect(isTheSameIdentity(jack, Person(id: 1, salary: 2)))
    #expect(!isTheSameIdentity(jack, Person(id: 2, salary: 1)))
  }
}

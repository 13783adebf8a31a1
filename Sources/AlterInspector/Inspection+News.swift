import AlterJournal

/// A change of a journal, or of the inspection's knowledge of it.
package enum InspectionNews: Sendable, Hashable {
  /// The journal has grown to this revision, or begins after another floor.
  case head(Int64, floor: Int64 = 0)
  /// The number of entries in the index. It is complete when this is the journal's revision.
  case indexed(Int64)
  /// A device's file has had this number of transactions: its outbox, its refusals or its mirror may have changed.
  case device(Int64)
  /// The effects of a live store, when they differ from the last reported ones.
  case effects([FeedbackReport.Effect])
  /// The journal can no longer be read, with the reason. The sequence ends after it.
  case gone(String)
}

extension Inspection {
  /// Returns the changes as they happen, beginning with the present status. It starts to read and follow the journal, if that has not
  /// started.
  ///
  /// The sequence ends when the journal can no longer be read, or when the inspection ends. It buffers nothing: a slow consumer receives
  /// fewer values, and always the present status.
  package func news() -> InspectionNewsSequence { news(readingAll: true) }

  /// Returns the changes as they happen, beginning with the present status.
  ///
  /// - Parameter isWhole: Whether to read the whole journal into the index, or only new entries.
  package func news(readingAll isWhole: Bool) -> InspectionNewsSequence {
    if isWhole { follow() } else { keeper.follow() }
    return InspectionNewsSequence(inspection: self)
  }
}

/// The changes of an ``Inspection``, as they happen.
package struct InspectionNewsSequence: AsyncSequence, Sendable {
  let inspection: Inspection

  /// Iterates over the changes.
  package struct AsyncIterator: AsyncIteratorProtocol {
    let inspection: Inspection
    var changes: AsyncStream<Void>.AsyncIterator
    var pending: [InspectionNews] = []
    var told: IndexKeeper.Moment?
    var toldEffects: [FeedbackReport.Effect] = []

    /// Waits for the next change; nil when the sequence has ended.
    package mutating func next() async -> InspectionNews? {
      while pending.isEmpty {
        if told?.gone != nil { return nil }
        guard await changes.next() != nil else { return nil }
        await look()
      }
      return pending.removeFirst()
    }

    private mutating func look() async {
      if told == nil { _ = try? await inspection.keeper.start() }
      let moment = inspection.keeper.moment
      if moment.revision != told?.revision || moment.floor != told?.floor {
        pending.append(.head(moment.revision, floor: moment.floor))
      }
      if moment.indexed != told?.indexed { pending.append(.indexed(moment.indexed)) }
      if moment.transactions != told?.transactions ?? 0 { pending.append(.device(moment.transactions)) }
      let effects = inspection.shownEffects()
      if effects != toldEffects { pending.append(.effects(effects)) }
      if let gone = moment.gone { pending.append(.gone(gone)) }
      told = moment
      toldEffects = effects
    }
  }

  /// Subscribes to the changes.
  package func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(inspection: inspection, changes: inspection.keeper.changes().makeAsyncIterator())
  }
}

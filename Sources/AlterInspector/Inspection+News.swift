import AlterJournal

/// Something that has happened to a journal, or to the inspection of it.
package enum InspectionNews: Sendable, Hashable {
  /// The journal has grown to this revision.
  case head(Int64)
  /// So many entries have been read into the index, newest first; it is complete when that is the journal's revision.
  case indexed(Int64)
  /// The effects of a live store differ from those told last.
  case effects([FeedbackReport.Effect])
  /// The journal can't be read any more; why.
  case gone(String)
}

extension Inspection {
  /// What is new, as it comes: first where everything stands now. Begins to follow the journal, if it isn't followed yet.
  ///
  /// It ends when the journal can't be read any more, or the inspection ends. Whoever listens slowly hears less often, and never of something
  /// old: nothing is kept for him.
  package func news() -> InspectionNewsSequence { news(readingAll: true) }

  /// What is new, as it comes.
  ///
  /// - Parameter isWhole: Whether to read all of the journal meanwhile, or only what comes.
  package func news(readingAll isWhole: Bool) -> InspectionNewsSequence {
    if isWhole { follow() } else { keeper.follow() }
    return InspectionNewsSequence(inspection: self)
  }
}

/// What is new at an ``Inspection``, as it comes.
package struct InspectionNewsSequence: AsyncSequence, Sendable {
  let inspection: Inspection

  /// Tells one thing after the other.
  package struct AsyncIterator: AsyncIteratorProtocol {
    let inspection: Inspection
    var changes: AsyncStream<Void>.AsyncIterator
    var pending: [InspectionNews] = []
    var told: IndexKeeper.Moment?
    var toldEffects: [FeedbackReport.Effect] = []

    /// The next one; nil when there will be none.
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
      if moment.revision != told?.revision { pending.append(.head(moment.revision)) }
      if moment.indexed != told?.indexed { pending.append(.indexed(moment.indexed)) }
      let effects = inspection.shownEffects()
      if effects != toldEffects { pending.append(.effects(effects)) }
      if let gone = moment.gone { pending.append(.gone(gone)) }
      told = moment
      toldEffects = effects
    }
  }

  /// Begins to listen.
  package func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(inspection: inspection, changes: inspection.keeper.changes().makeAsyncIterator())
  }
}

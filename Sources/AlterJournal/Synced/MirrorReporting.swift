/// A journal that may be a device's file, and tells an inspector what the file has beside the entries.
package protocol MirrorReporting: Journal {
  /// Describes the device's file; nil if the journal is not a device's copy.
  func mirrorReport() async throws(JournalError) -> MirrorReport?
}

/// The parts of a device's file beside the entries.
package struct MirrorReport: Sendable, Hashable {
  /// The name of the principal to whom the file belongs.
  package let principal: String
  /// The generation of the server's journal; nil before the first contact.
  package let generation: Generation?
  /// The number of drafts that the server has not decided, as far as the mirror knows.
  package let drafts: Int
  /// The number of refused changes that are neither retried nor dismissed.
  package let refusals: Int
  /// The number of accepted changes whose entries must come again after a restart.
  package let awaited: Int

  package init(principal: String, generation: Generation?, drafts: Int, refusals: Int, awaited: Int) {
    self.principal = principal
    self.generation = generation
    self.drafts = drafts
    self.refusals = refusals
    self.awaited = awaited
  }
}

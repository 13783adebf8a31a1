import AlterCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The payloads of the kinds of entries that do not depend on the state's type.
extension Entry {
  /// The entries that an undo or a redo reverts.
  ///
  /// A journal that is not synced lists all of them: `{"targets":[{"origin":"…","sequence":7}]}`. In a synced journal a device names only
  /// the entry that the user undoes or redoes, `{"target":{"origin":"…","sequence":7}}`, because it does not know which answers of
  /// feedbacks the journal will have when the server decides. The active answers up to the undo's place are then reverted with it, by rule.
  package struct Targets: Sendable, Hashable {
    /// The ids of the reverted entries: first the one that the user undoes or redoes, then the feedback's answers.
    package let targets: [EntryID]
    /// Whether the answers to the first target are reverted by rule, and not listed.
    package let isByRule: Bool

    /// Creates a list of targets, in this order.
    package init(_ targets: [EntryID]) { (self.targets, isByRule) = (targets, false) }

    /// Creates the payload that names one entry. Its answers are reverted with it, by rule.
    package init(byRule target: EntryID) { (targets, isByRule) = ([target], true) }
  }

  /// The server's reason for a `refused` entry. The JSON is `{"code":"denied","hash":"…"}`.
  ///
  /// The explanation for people is not part of it: it is stored beside the chain, for the author of the draft alone.
  public struct Refusal: Sendable, Hashable {
    /// The stable code of the reason.
    public let code: String
    /// The hash of the refused draft, so that its author can recognise it.
    package let hash: Checksum

    /// Creates a refusal.
    package init(code: String, hash: Checksum) {
      self.code = code
      self.hash = hash
    }
  }

  /// The refusal that is this entry's payload; nil if the entry is of another kind, or if its payload is no refusal.
  ///
  /// - Complexity: O(bytes of the payload).
  public var refusal: Refusal? {
    guard kind == .refused else { return nil }
    return try? JournalCoding.decode(from: payload)
  }
}

extension Entry.Draft {
  /// The hash of all fields, of 128 bits. Two drafts of one id are the same if their hashes are equal.
  ///
  /// It is the checksum that the draft would have at revision 0, after the checksum 'Altr' 'Draf' (see `Design/0003-journal-format.md`).
  ///
  /// - Complexity: O(bytes of the draft).
  package var hash: Checksum { Checksum(high: 0x416C_7472, low: 0x4472_6166).next(revision: .zero, draft: self) }

  /// Checks that a store may append drafts: that none of them is a refusal, which only the server of a synced journal writes. Every
  /// implementation of ``Journal/append(_:after:in:under:)`` begins with it.
  ///
  /// - Throws: ``JournalError`` `readOnly`.
  public static func checkAppendable(_ drafts: [Entry.Draft], in journal: String) throws(JournalError) {
    guard let refusal = drafts.first(where: { $0.kind == .refused }) else { return }
    throw JournalError(
      .readOnly, journal: journal,
      message: """
        rejected the append: the draft \(refusal.id) is a refusal, which only the server of a synced journal writes. Nothing was written. \
        Leave it out: refusals change no state.
        """)
  }

  /// Creates the draft of a `refused` entry, which has the id of the refused draft.
  ///
  /// - Parameters:
  ///   - refusal: The reason.
  ///   - id: The id of the refused draft.
  ///   - time: The server's clock: microseconds since 1970-01-01 00:00 UTC.
  package init(refusing id: EntryID, _ refusal: Entry.Refusal, time: Int64) {
    // Written by hand, so that it cannot fail: a code is a word, and a hash has hexadecimal digits alone.
    let payload = JSONValue.object(["code": .string(refusal.code), "hash": .string(refusal.hash.description)])
    self.init(kind: .refused, id: id, time: time, payload: payload.data)
  }
}

extension Entry.Targets: Codable {
  private enum CodingKeys: String, CodingKey { case target, targets }

  /// Decodes an object with one target or with the list.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let target = try container.decodeIfPresent(EntryID.self, forKey: .target) {
      self.init(byRule: target)
    } else {
      self.init(try container.decode([EntryID].self, forKey: .targets))
    }
  }

  /// Encodes an object with one target or with the list.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if isByRule { try container.encode(targets[0], forKey: .target) } else { try container.encode(targets, forKey: .targets) }
  }
}

extension Entry.Refusal: Codable {
  private enum CodingKeys: String, CodingKey { case code, hash }

  /// Decodes an object of the two parts.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    code = try container.decode(String.self, forKey: .code)
    let digits = try container.decode(String.self, forKey: .hash)
    guard let hash = Checksum(hexadecimal: digits) else {
      throw DecodingError.dataCorruptedError(forKey: .hash, in: container, debugDescription: "a hash has 32 hexadecimal digits")
    }
    self.hash = hash
  }

  /// Encodes an object of the two parts.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(code, forKey: .code)
    try container.encode(hash.description, forKey: .hash)
  }
}

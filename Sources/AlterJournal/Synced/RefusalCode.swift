/// The reason for which a server has refused a draft. The codes are stable.
package enum RefusalCode: String, Sendable, Hashable, CaseIterable {
  /// The id belongs to another draft already. The verdict is no entry.
  case clone
  /// The origin is bound to another principal. The verdict is no entry, because the id is not the sender's.
  case foreign
  /// The origin has used a later sequence already, and this one was never decided.
  case late
  /// The kind of the entry is not `changes`, `undo` or `redo`.
  case kind
  /// The policy does not grant the undo scope, or an undo names an entry of another scope.
  case scope
  /// The draft requires one that was refused, or that the journal does not have.
  case requirement
  /// Another attempt of the same change was accepted.
  case retried
  /// The attempt that the draft names belongs to another principal.
  case retries
  /// The entry is undone already.
  case superseded
  /// The undo or redo is about a refused draft. It is not listed to the user.
  case moot
  /// The undo or redo would make the state refuse other entries.
  case suppresses
  /// The undo or redo would withdraw a request that was performed.
  case performed
  /// The undo or redo is about an entry outside the undo window.
  case outsideWindow
  /// The policy denies the change.
  case denied
  /// The state refuses the change.
  case refused
  /// The draft exceeds the limit in bytes.
  case tooLarge
  /// The draft cannot be decoded.
  case malformed
  /// The change was accepted in an earlier generation, and the operator has discarded it. Devices make this refusal themselves.
  case lost

  /// Whether the verdict is an entry of the journal.
  package var isEntry: Bool { self != .clone && self != .foreign && self != .lost }

  /// Whether the refusal is listed to the user.
  package var isListed: Bool { self != .moot }

  /// Whether another attempt has the stamp of the first one. Under these codes the id, and with it the stamp, belongs to another draft or to
  /// another principal, so that another attempt is a change of its own.
  package var keepsStamp: Bool { self != .clone && self != .foreign && self != .retries }
}

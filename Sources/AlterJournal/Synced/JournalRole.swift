/// The part that a journal has in sync.
public enum JournalRole: String, Sendable, Hashable, Codable {
  /// None: each store that has it open appends its changes.
  case plain
  /// A server decides every change of every device, and appends the verdicts.
  case server
  /// A device's copy of a server's journal. Only the entries of the server are appended.
  case mirror
}

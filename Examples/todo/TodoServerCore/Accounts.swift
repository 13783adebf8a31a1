public import Alter
import TodoCore

/// The users of a server, the hashes of their tokens, and the lists that they share. The server keeps it in a journal of its own.
public struct Accounts: Journaled, Hashable {
  /// The access to a list that its owner shares.
  public enum Access: String, Hashable, Codable, Sendable {
    /// To see the list.
    case read
    /// To add items and to change them. Only the owner removes items.
    case write
  }

  /// A change of the accounts.
  public enum Change: Hashable, Codable, Sendable {
    /// Adds a user.
    case add(user: String)
    /// Adds a token of a user, by its hash.
    case addToken(user: String, hash: String)
    /// Removes all tokens of a user.
    case revokeTokens(user: String)
    /// Shares a list with a user, or changes the access.
    case share(list: String, user: String, access: Access)
    /// Ends the access of a user to a list.
    case unshare(list: String, user: String)
  }

  /// The hashes of the tokens of each user.
  public private(set) var users: [String: [String]] = [:]
  /// The users that each list is shared with.
  public private(set) var shares: [String: [String: Access]] = [:]

  /// No users.
  public init() {}

  /// Makes a change.
  public mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .add(let user):
      guard SyncSettings.isName(user) else { throw .custom("'\(user)' is not a name: use 1 to 64 letters, digits, - and _.") }
      guard users[user] == nil else { throw .duplicate("user", user) }
      users[user] = []
    case .addToken(let user, let hash):
      guard users[user] != nil else { throw .missing("user", user) }
      users[user]?.append(hash)
    case .revokeTokens(let user):
      guard users[user] != nil else { throw .missing("user", user) }
      users[user] = []
    case .share(let list, let user, let access):
      try check(list)
      guard users[user] != nil else { throw .missing("user", user) }
      guard Self.owner(of: list) != user else { throw .custom("\(user) owns the list '\(list)'.") }
      shares[list, default: [:]][user] = access
    case .unshare(let list, let user):
      guard shares[list]?.removeValue(forKey: user) != nil else { throw .missing("share of '\(list)' with", user) }
      if shares[list]?.isEmpty == true { shares[list] = nil }
    }
  }

  private func check(_ list: String) throws(Refusal) {
    guard SyncSettings.isList(list) else {
      throw .custom("'\(list)' is not a list: it is the name of its owner, a slash, and its own name, as in ann/todo.")
    }
    guard users[Self.owner(of: list)] != nil else { throw .missing("user", Self.owner(of: list)) }
  }

  /// The owner of a list: the first part of its name.
  public static func owner(of list: String) -> String { String(list.prefix { $0 != "/" }) }

  /// The user with a token of a hash; nil if there is none.
  ///
  /// - Complexity: O(tokens).
  public func user(withTokenHash hash: String) -> String? { users.first { $0.value.contains(hash) }?.key }

  /// The access of a user to a list; nil for none. The owner may do everything.
  public func access(of user: String, to list: String) -> Access? {
    guard users[user] != nil, SyncSettings.isList(list) else { return nil }
    return Self.owner(of: list) == user ? .write : shares[list]?[user]
  }
}

/// The answer of a policy about one draft.
package enum Permission: Sendable, Hashable {
  case permitted
  case denied(String)
  /// The policy threw an error of its own, for example because its database is down. It is no verdict.
  case failed
}

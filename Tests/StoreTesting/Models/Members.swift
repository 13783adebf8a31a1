package import Alter

/// People with identities, whose data can be erased.
package struct Members: Journaled, Hashable {
  package struct Member: Identifiable, Hashable, Codable, Sendable {
    package let id: Int
    package var name: String

    package init(id: Int, name: String) { (self.id, self.name) = (id, name) }
  }

  package enum Change: Hashable, Codable { case put(Member), rename(id: Int, String), erase(Int) }

  package private(set) var members = IdentityArray<Member>()

  package init() {}

  package mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .put(let member): members.put(member)
    case .rename(let id, let name):
      guard members.modify(id: id, { $0.name = name }) != nil else { throw .missing("member", id) }
    case .erase(let id): try members.remove(id: id)
    }
  }
}

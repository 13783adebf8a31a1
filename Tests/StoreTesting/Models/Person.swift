internal import AlterCore

/// A person, identified by a number and a country. All other properties may change, as a whole: there is no change of a part.
package struct Person: Identifiable, Hashable, Codable, Alterable {
  package typealias Change = Never

  package struct ID: Hashable, Codable, Sendable {
    package let country: String
    package let number: Int

    package init(country: String, number: Int) { (self.country, self.number) = (country, number) }
  }

  package let id: ID
  package var name: String
  package var salary: Int

  package init(id: ID, name: String, salary: Int) { (self.id, self.name, self.salary) = (id, name, salary) }
}

public import AlterCollections
public import AlterCore
public import AlterJournal

/// An identity array can be the whole state of a store: `Store<IdentityArray<Person>>` holds the latest value of each person.
extension IdentityArray: Journaled where Element: Alterable & Codable, Element.ID: Codable, Element.Change: Codable {
  /// The schema of the elements if they are ``/AlterJournal/Journaled``; version 1 otherwise.
  public static var schema: StateSchema { (Element.self as? any Journaled.Type)?.schema ?? StateSchema(version: 1) }
}

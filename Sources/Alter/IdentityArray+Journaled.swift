public import AlterCollections
public import AlterJournal

/// An identity array can be the whole state of a store: `Store<IdentityArray<Person>>` holds the latest value of each person.
extension IdentityArray: Journaled where Element: Codable, Element.ID: Codable {
  /// The schema of the elements if they are ``/AlterJournal/Journaled``; generation 1 otherwise.
  public static var schema: StateSchema { (Element.self as? any Journaled.Type)?.schema ?? StateSchema(version: 1) }
}

public import AlterCollections
public import AlterJournal

/// An identity array can be kept in a journal by itself: `Store<IdentityArray<Person>>` is a store of the latest value of every person.
extension IdentityArray: Journaled where Element: Codable, Element.ID: Codable {
  /// The elements' own schema when they have one (when they are ``/AlterJournal/Journaled``), the first generation otherwise.
  public static var schema: StateSchema { (Element.self as? any Journaled.Type)?.schema ?? StateSchema(version: 1) }
}

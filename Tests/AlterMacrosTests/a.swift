import Alter
import Foundation
import Testing

@Alterable struct TodoItem: Identifiable, Hashable {
  let id: UUID
  let text: String
  @Default(false) let completed: Bool
  let due: Date?
  @Stamped let altered: Date?
}
@Alterable struct Settings: Hashable { @Default("light") private(set) var theme: String }
@Alterable struct AppState: Hashable {
  @Each let items: IdentityArray<TodoItem>
  @Default(Settings()) @Nested let settings: Settings
}
@Alterable struct Folder: Identifiable, Hashable {
  let id: Int
  let name: String
  @Each let folders: IdentityArray<Folder>
}
@Test func go() throws {
  let item = TodoItem(id: UUID(), text: "a")
  let s = try AppState().alter(.add(.item(item)), .item(item.id, .completed(true)), .settings(.theme("x")), .move(.item(item.id, to: 0)))
  print(s, String(decoding: try JournalCoding.encode(s), as: UTF8.self))
}

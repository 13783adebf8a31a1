import Alter
import Testing
import TodoCore
import TodoServerCore

@Suite("The rules of todo-server") struct ServerRulesTests {
  @Test("the owner removes items; other users add and change them") func removals() throws {
    let state = try list("Pay rent")
    let rules = ListRules()
    let removal = [AppState.Change.remove(.item(id(1)))]
    #expect(rules.objection(to: removal, in: state, of: "ann/todo", by: "ann") == nil)
    #expect(rules.objection(to: removal, in: state, of: "ann/todo", by: "bob")?.hasPrefix("Only ann") == true)
    #expect(rules.objection(to: [.replace(AppState())], in: state, of: "ann/todo", by: "bob")?.hasPrefix("Only ann") == true)
    let edit = [AppState.Change.item(id(1), .completed(true)), .add(.item(TodoItem(id: id(2), try line("Buy bread"))))]
    #expect(rules.objection(to: edit, in: state, of: "ann/todo", by: "bob") == nil)
  }

  @Test("a full list takes no more items, and still takes other changes") func limit() throws {
    let state = try list("Pay rent")
    let rules = ListRules(items: 1)
    let addition = AppState.Change.add(.item(TodoItem(id: id(2), try line("Buy bread"))))
    #expect(rules.objection(to: [addition], in: state, of: "ann/todo", by: "ann")?.hasPrefix("The list is full") == true)
    #expect(rules.objection(to: [.remove(.item(id(1))), addition], in: state, of: "ann/todo", by: "ann") == nil)
    #expect(rules.objection(to: [.item(id(1), .completed(true))], in: state, of: "ann/todo", by: "ann") == nil)
  }

  @Test("access belongs to the owner, and to the users of a share, until it ends") func access() throws {
    var accounts = Accounts()
    try accounts.apply(.add(user: "ann"), at: .seconds(1))
    try accounts.apply(.add(user: "bob"), at: .seconds(1))
    #expect(accounts.access(of: "ann", to: "ann/todo") == .write)
    #expect(accounts.access(of: "bob", to: "ann/todo") == nil)
    try accounts.apply(.share(list: "ann/todo", user: "bob", access: .read), at: .seconds(1))
    #expect(accounts.access(of: "bob", to: "ann/todo") == .read)
    try accounts.apply(.share(list: "ann/todo", user: "bob", access: .write), at: .seconds(1))
    #expect(accounts.access(of: "bob", to: "ann/todo") == .write)
    #expect(accounts.access(of: "bob", to: "ann/other") == nil)
    #expect(accounts.access(of: "eve", to: "eve/todo") == nil)
    try accounts.apply(.unshare(list: "ann/todo", user: "bob"), at: .seconds(1))
    #expect(accounts.access(of: "bob", to: "ann/todo") == nil)
  }

  @Test(
    "malformed accounts are refused",
    arguments: [
      Accounts.Change.add(user: "a b"), .add(user: ""), .add(user: "ann"), .addToken(user: "eve", hash: "x"), .revokeTokens(user: "eve"),
      .share(list: "ann", user: "ann", access: .read), .share(list: "ann/todo", user: "ann", access: .read),
      .share(list: "ann/todo", user: "eve", access: .read), .share(list: "eve/todo", user: "ann", access: .read),
      .unshare(list: "ann/todo", user: "ann"),
    ])
  func malformed(_ change: Accounts.Change) throws {
    var accounts = Accounts()
    try accounts.apply(.add(user: "ann"), at: .seconds(1))
    let before = accounts
    #expect(throws: Refusal.self) { try accounts.apply(change, at: .seconds(2)) }
    #expect(accounts == before)
  }

  @Test("a token identifies its user by its hash, until the tokens are revoked") func tokens() throws {
    var accounts = Accounts()
    try accounts.apply(.add(user: "ann"), at: .seconds(1))
    try accounts.apply(.addToken(user: "ann", hash: "h"), at: .seconds(1))
    #expect(accounts.user(withTokenHash: "h") == "ann")
    #expect(accounts.user(withTokenHash: "") == nil)
    try accounts.apply(.revokeTokens(user: "ann"), at: .seconds(1))
    #expect(accounts.user(withTokenHash: "h") == nil)
  }

  @Test("SHA-256 of the examples of FIPS 180-4, and around the length of a block") func hashes() {
    #expect(SHA256.hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(SHA256.hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      SHA256.hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    #expect(SHA256.hex(String(repeating: "a", count: 1_000_000)) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }
}

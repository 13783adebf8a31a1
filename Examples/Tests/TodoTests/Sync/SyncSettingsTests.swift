import Testing
import TodoCore

@Suite("The settings of a synced list") struct SyncSettingsTests {
  private static let token = "ann.0123456789abcdef"

  @Test("the token names the user, and the user's own list is the default") func defaults() throws {
    let settings = try SyncSettings(url: "https://todo.example/sync", list: nil, token: "  \(Self.token)\r\n")
    #expect(settings.user == "ann" && settings.list == "ann/todo" && settings.token == Self.token)
    #expect(settings.description == "ann/todo on https://todo.example/sync")
  }

  @Test("http is for this machine alone", arguments: ["http://127.0.0.1:80/sync", "http://localhost/sync", "http://[::1]:8080/sync"])
  func local(_ url: String) throws { #expect(try SyncSettings(url: url, list: nil, token: Self.token).url == url) }

  @Test(
    "an address that is malformed or not safe is refused",
    arguments: [
      ("", SyncSettings.Problem.malformedURL), ("todo.example", .malformedURL), ("https://", .malformedURL),
      ("https://a:99999/", .malformedURL),
      ("https://a b/", .malformedURL), ("https://[::1/", .malformedURL), ("http://todo.example/sync", .insecure),
      ("http://127.0.0.1.example/sync", .insecure), ("http://localhost@todo.example/", .secretInURL), ("https://a/?token=x", .secretInURL),
      ("https://a/#x", .secretInURL),
    ])
  func malformed(_ url: String, _ problem: SyncSettings.Problem) {
    #expect(throws: problem) { try SyncSettings(url: url, list: nil, token: Self.token) }
  }

  @Test(
    "a token or a list of another form is refused, and not repeated",
    arguments: ["", "ann", "ann.short", ".0123456789abcdef", "a n.0123456789abcdef", "ann.0123456789abcdef.x"])
  func tokens(_ token: String) {
    #expect(throws: SyncSettings.Problem.malformedToken) { try SyncSettings(url: "https://a/", list: nil, token: token) }
    #expect(throws: SyncSettings.Problem.malformedList) { try SyncSettings(url: "https://a/", list: "\(token)x", token: Self.token) }
  }
}

import Alter
import TodoCommands
import TodoCore
import _AlterWeb

/// The events for one page: `list` with the content of the page when it has changed, otherwise `beat`, which shows that the connection is
/// alive.
struct PageEvents: AsyncSequence, Sendable {
  let moments: AsyncStream<ListMoment>
  let request: ListRequest

  struct AsyncIterator: AsyncIteratorProtocol {
    var moments: AsyncStream<ListMoment>.AsyncIterator
    let request: ListRequest
    var last: ListPage?

    mutating func next() async throws -> ServerEvent? {
      guard let moment = await moments.next() else { return nil }
      let page = ListPage(moment, request, today: Clock.today())
      if page == last { return ServerEvent("beat", "{}") }
      last = page
      return ServerEvent("list", String(decoding: try JournalCoding.encode(page), as: UTF8.self), id: page.revision.description)
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(moments: moments.makeAsyncIterator(), request: request) }
}

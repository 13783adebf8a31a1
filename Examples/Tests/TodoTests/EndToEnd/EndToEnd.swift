import Testing

/// The built `todo`, in processes of its own. One test at a time: each starts enough of them.
@Suite("todo, from end to end", .serialized) enum EndToEnd {}

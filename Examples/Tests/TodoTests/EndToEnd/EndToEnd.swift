import Testing

/// Tests of the built `todo` in separate processes. The tests run one at a time, because each of them starts many processes.
@Suite("todo, from end to end", .serialized) enum EndToEnd {}

import Foundation

// The processes of the sync works. Design/0013-performance.md describes them; `Benchmarks` starts them.

signal(SIGPIPE, SIG_IGN)
do {
  let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
  switch arguments.command {
  case "serve": try await LoadServer(arguments).run()
  case "fill": try await fill(arguments)
  case "push":
    var load = try PushLoad(arguments)
    try load.run()
  case "live": try LiveLoad(arguments).run()
  case "echo": try EchoLoad(arguments).run()
  case "hand": try await HandServer(arguments).run()
  case "post": try PostLoad(arguments).run()
  #if Postgres
    case "notify": try NotifyLoad(arguments).run()
    case "inserts": try InsertLoad(arguments).run()
  #endif
  case "latency": try await LatencyLoad(arguments).run()
  case "drafts": try await makeDrafts(arguments)
  case "view": try await view(arguments)
  case "drain": try await drain(arguments)
  case "join": try await join(arguments)
  case "sqlite": try SQLiteLoad(arguments).run()
  case "fetch": try FetchLoad(arguments).run()
  case "roll": try await roll(arguments)
  case "soak": try await soak(arguments)
  default: throw Failure("'\(arguments.command)' is no command")
  }
} catch {
  say("failed: \(error)")
  exit(1)
}

import Foundation

// Sync over real HTTP on this machine: a server process with durable settings, and load generators and devices in other processes. A note behind
// each work has the shares of a processor: a load generator that uses much of one measures itself.

func syncWorks(_ options: Options) -> [Work] {
  guard syncLoad != nil else {
    FileHandle.standardError.write(Data("'sync-load' is not built, and sync is not measured: run script/benchmark.\n".utf8))
    return []
  }
  var works = latencyWorks("SQLite", goals: (3e6, 8e6), options) { nil }
  #if Postgres
    if !options.isQuick {
      works += latencyWorks("PostgreSQL", goals: (6e6, 12e6), options) { syncDatabase("latency") }
    }
  #endif
  return works + changeWorks(options) + liveWorks(options) + deviceWorks(options) + [rollingWork(options)]
}

#if Postgres
  /// A database of its own in the server of this run.
  private func syncDatabase(_ name: String) -> String {
    let name = "sync_\(name)_\(UUID().uuidString.prefix(8).lowercased())"
    BenchmarkServer.shared.sql("CREATE DATABASE \(name)")
    return "host=\(BenchmarkServer.shared.folder) user=alter dbname=\(name)"
  }
#endif

private func noteShares(_ work: String, _ figures: [String: Double]) {
  func percent(_ share: Double?) -> String { "\(Int(((share ?? .nan) * 100).rounded())) %" }
  note("\(work): load generator \(percent(figures["share"])) of a core, server \(percent(figures["serverShare"]))")
}

// MARK: - A change on one device, shown on another

/// A hand-written server with the same database: `sync-load hand`.
private let byHand = "a server written by hand"

private func latencyWorks(
  _ name: String, goals: (Double, Double), _ options: Options, database: @escaping () -> String?
) -> [Work] {
  // The contenders take turns, so that a load on the machine affects them equally.
  let rounds = options.isQuick ? 1 : 4
  let count = options.isQuick ? 40 : 400
  let measured = Once { () -> [(name: String, figures: [String: Double])] in
    let (server, hand) = (SyncServerProcess(database: database()), SyncServerProcess("hand", database: database()))
    defer { for process in [server, hand] { process.end() } }
    let share = ["count": "\(count / rounds)"]
    var contenders: [(name: String, run: () -> [String: Double])] = [
      ("Alter", { server.run("latency", share) }), ("a bare Hummingbird echo", { server.run("echo", share) }),
      (byHand, { hand.run("echo", share.merging(["hand": "17"]) { $1 }) }),
    ]
    if let address = database() {
      contenders.append(("bare INSERT and NOTIFY", { runSyncLoad(["notify", "--postgres", address, "--count", "\(count / rounds)"]) }))
    }
    var figures = contenders.map { _ in [[String: Double]]() }
    for _ in 0..<rounds { for place in contenders.indices { figures[place].append(contenders[place].run()) } }
    noteShares("\(name), shown on another device", figures[0][0])
    return contenders.indices.map { place in
      (
        contenders[place].name,
        Dictionary(
          uniqueKeysWithValues: ["p50", "p95"].map { name in (name, median(figures[place].map { $0[name] ?? .nan })) })
      )
    }
  }
  func work(_ title: String, _ figure: String, _ goal: Double) -> Work {
    Work("sync, \(name): \(title)", count, unit: .nanoseconds, goals: ["a bare Hummingbird echo": .figure(atMost: goal)]) {
      measured.result.map { ($0.name, $0.figures[figure] ?? .nan) }
    }
  }
  return [work("shown elsewhere, p50", "p50", goals.0), work("shown elsewhere, p95", "p95", goals.1)]
}

// MARK: - Changes per second

/// Simulated devices that always have more drafts.
private struct PushCase {
  var devices = 100
  var journals = 1_000
  var drafts = 10
  /// The goal for each change, against the baseline without HTTP.
  var goal: Goal?
  /// The name of the baseline without HTTP.
  var bare = "bare SQLite"
  var database: () -> String? = { nil }
}

private func changeWorks(_ options: Options) -> [Work] {
  let cases: [(name: String, n: KeyPath<PushCase, Int>, PushCase)] =
    options.isQuick
    ? [
      ("change, by drafts a push", \.drafts, PushCase(devices: 20, journals: 100, drafts: 10)),
      ("change, one journal, by devices", \.devices, PushCase(devices: 10, journals: 1)),
    ]
    : [
      ("change, by drafts a push", \.drafts, PushCase(drafts: 1)),
      ("change, by drafts a push", \.drafts, PushCase(drafts: 10, goal: .ratio(atMost: 2.5))),
      ("change, by drafts a push", \.drafts, PushCase(drafts: 100)),
      ("change, by devices", \.devices, PushCase(devices: 10)), ("change, by devices", \.devices, PushCase(devices: 100)),
      ("change, by devices", \.devices, PushCase(devices: 1_000)),
      ("change, by journals", \.journals, PushCase(journals: 100)), ("change, by journals", \.journals, PushCase(journals: 1_000)),
      ("change, one journal, by devices", \.devices, PushCase(devices: 10, journals: 1)),
      ("change, one journal, by devices", \.devices, PushCase(devices: 100, journals: 1, goal: .figure(atMost: 1e9 / 3_000))),
    ]
  var works = cases.map { name, n, pushes in changeWork("sync: \(name)", pushes[keyPath: n], pushes, options) }
  #if Postgres
    if !options.isQuick {
      works.append(
        changeWork(
          "sync, PostgreSQL: change", 10, PushCase(goal: .figure(atMost: 100_000), bare: "bare libpq") { syncDatabase("changes") }, options)
      )
    }
  #endif
  return works
}

private func changeWork(_ name: String, _ n: Int, _ pushes: PushCase, _ options: Options) -> Work {
  let goals: [String: Goal] = pushes.goal.map { [pushes.bare: $0] } ?? [:]
  return Work(name, n, unit: .nanoseconds, goals: goals) {
    let (journals, drafts) = ("\(pushes.journals)", "\(pushes.drafts)")
    func measure(_ command: String, _ load: String, _ milliseconds: Int, _ more: [String: String] = [:]) -> [String: Double] {
      let server = SyncServerProcess(command, database: pushes.database())
      defer { server.end() }
      return server.run(
        load,
        [
          "devices": "\(pushes.devices)", "journals": journals, "drafts": drafts,
          "milliseconds": "\(options.isQuick ? milliseconds / 5 : milliseconds)",
        ].merging(more) { $1 })
    }
    func noteRate(_ contender: String, _ figures: [String: Double]) {
      let (rate, share) = (figures["changes"] ?? .nan, figures["serverShare"] ?? .nan)
      note(
        "\(name), \(n), \(contender): \(Int(rate)) changes/s, \(Int(rate / share)) for each second of the server's processor; a request takes \(Work.Unit.nanoseconds.format(figures["p50"] ?? .nan))"
      )
    }
    let alter = measure("serve", "push", 8_000)
    noteShares("\(name), \(n)", alter)
    noteRate("Alter", alter)
    let hand = measure("hand", "post", 4_000)
    noteRate(byHand, hand)
    let echo = measure("serve", "post", 2_000, ["bare": "1"])
    let milliseconds = options.isQuick ? "500" : "3000"
    let bare =
      pushes.database().map { runSyncLoad(["inserts", "--postgres", $0, "--drafts", drafts, "--milliseconds", milliseconds]) }
      ?? runSyncLoad(["sqlite", "--journals", journals, "--drafts", drafts, "--milliseconds", milliseconds])
    return [("Alter", alter), (pushes.bare, bare), (byHand, hand), ("a bare Hummingbird answer", echo)]
      .map { ($0.0, 1e9 / ($0.1["changes"] ?? .nan)) }
  }
}

// MARK: - Idle devices

private func liveWorks(_ options: Options) -> [Work] {
  let count = options.isQuick ? 200 : 5_000
  let measured = Once { () -> (alter: [String: Double], bare: [String: Double]) in
    func measure(_ bare: String) -> [String: Double] {
      // Of 20,000 descriptors, most are for the devices' connections.
      let server = SyncServerProcess(stores: 200)
      defer { server.end() }
      return server.run(
        "live",
        [
          "devices": "\(count)", "journals": options.isQuick ? "10" : "100", "milliseconds": options.isQuick ? "1000" : "45000",
          "bare": bare,
        ])
    }
    let alter = measure("0")
    noteShares("idle devices, \(Int(alter["devices"] ?? 0))", alter)
    return (alter, measure("1"))
  }
  func work(_ title: String, _ figure: String, _ unit: Work.Unit, _ goal: Double) -> Work {
    let baseline = "a bare Hummingbird stream"
    return Work("sync: \(title)", count, unit: unit, goals: options.isQuick ? [:] : [baseline: .figure(atMost: goal)]) {
      [("Alter", measured.result.alter[figure] ?? .nan), (baseline, measured.result.bare[figure] ?? .nan)]
    }
  }
  return [
    work("memory of an idle device", "memory", .bytes, 50_000), work("share of all idle devices", "serverShare", .share, 0.05),
  ]
}

// MARK: - Devices with much to do

private func deviceWorks(_ options: Options) -> [Work] {
  let view = options.isQuick ? 2_000 : 20_000
  let drain = options.isQuick ? 1_000 : 10_000
  let (entries, items) = (options.isQuick ? [10_000] : [100_000, 1_000_000], options.isQuick ? 1_000 : 10_000)
  let opening = Work(
    "sync: view with drafts", view, unit: .nanoseconds, goals: ["with a tenth of them": .figure(atMost: 500e6)]
  ) {
    func measure(_ drafts: Int) -> Double {
      let file = runFolder.appendingPathComponent("view-\(drafts).alter").path
      _ = runSyncLoad(["drafts", "--file", file, "--key", "view", "--drafts", "\(drafts)"])
      return median((0..<options.rounds).map { _ in runSyncLoad(["view", "--file", file, "--key", "view"])["view"] ?? .nan })
    }
    return [("Alter", measure(view)), ("with a tenth of them", measure(view / 10))]
  }
  let draining = Work(
    "sync: drafts, offline to confirmed", drain, unit: .nanoseconds, goals: ["bare SQLite, twice": .figure(atMost: 1.5e9)]
  ) {
    let server = SyncServerProcess()
    defer { server.end() }
    let times = (0..<(options.isQuick ? 1 : 5)).map { round in
      let file = runFolder.appendingPathComponent("drain-\(round).alter").path
      _ = runSyncLoad(["drafts", "--file", file, "--key", "drain/\(round)", "--drafts", "\(drain)"])
      let figures = server.run("drain", ["file": file, "key": "drain/\(round)"])
      if round == 0 { noteShares("drafts, offline to confirmed", figures) }
      return figures["drained"] ?? .nan
    }
    // The device's file and the server's: pushes of 1,000 drafts.
    let bare = runSyncLoad(["sqlite", "--journals", "1", "--drafts", "1000", "--milliseconds", "500"])
    return [("Alter", median(times)), ("bare SQLite, twice", 2e9 * Double(drain) / (bare["changes"] ?? .nan))]
  }
  let joining = entries.map { count in
    Work("sync: new device, entries", count, unit: .nanoseconds, goals: ["the snapshot's bytes": .figure(atMost: 150e6)]) {
      let server = SyncServerProcess()
      defer { server.end() }
      _ = runSyncLoad(["fill", "--folder", server.folder, "--key", "join", "--entries", "\(count)", "--items", "\(items)"])
      // The first device pays for the check that no undo reaches below the snapshot.
      let first = server.run("join", ["key": "join", "lines": "\(items)"])
      noteShares("new device, \(count) entries", first)
      note("new device, \(count) entries: the very first one takes \(Work.Unit.nanoseconds.format(first["joined"] ?? .nan))")
      let times = (0..<options.rounds).map { _ in server.run("join", ["key": "join", "lines": "\(items)"])["joined"] ?? .nan }
      let bytes = (0..<options.rounds).map { _ in server.run("fetch", ["key": "join"])["fetched"] ?? .nan }
      return [("Alter", median(times)), ("the snapshot's bytes", median(bytes))]
    }
  }
  return [opening, draining] + joining
}

// MARK: - A rolling restart

private func rollingWork(_ options: Options) -> Work {
  Work(
    "sync: failed actions, rolling", options.isQuick ? 10 : 50, unit: .count, goals: ["actions": .figure(atMost: 0)]
  ) {
    var arguments = [
      "roll", "--seconds", options.isQuick ? "3" : "60", "--devices", options.isQuick ? "10" : "50", "--keys", options.isQuick ? "2" : "10",
    ]
    #if Postgres
      if !options.isQuick { arguments += ["--postgres", syncDatabase("rolling")] }
    #endif
    let figures = runSyncLoad(arguments)
    let format = Work.Unit.nanoseconds.format
    note(
      "rolling restart: \(Int(figures["restarts"] ?? .nan)) restarts; the longest wait for a verdict \(format(figures["longest"] ?? .nan)), for the end of a server \(format(figures["longestEnd"] ?? .nan))"
    )
    return [("Alter", figures["failures"] ?? .nan), ("actions", figures["actions"] ?? .nan)]
  }
}

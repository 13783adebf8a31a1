// Measures Alter against alternatives in one run. Only the ratios matter.

#if canImport(Glibc)
  @preconcurrency import Glibc
#else
  @preconcurrency import Darwin
#endif

setvbuf(stdout, nil, _IOLBF, 0)
if CommandLine.arguments.count == 4, CommandLine.arguments[1] == "--writer" {
  // The child process of the work "another process's commit".
  runWriter(CommandLine.arguments[2], Int(CommandLine.arguments[3]) ?? 0)
  exit(0)
}
if CommandLine.arguments.count == 4, CommandLine.arguments[1] == "--observers" {
  // For a profiler.
  runObservers(Int(CommandLine.arguments[2]) ?? 1, changes: Int(CommandLine.arguments[3]) ?? 0)
  exit(0)
}
// For script/benchmark --instructions.
if CommandLine.arguments.dropFirst() == ["--hot-paths"] {
  for path in HotPath.all { print(path.name) }
  exit(0)
}
if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--hot-path" {
  runHotPath(CommandLine.arguments[2])
  exit(0)
}
do {
  let options = try Options(Array(CommandLine.arguments.dropFirst()))
  let works =
    (identityArrayWorks(options) + versionWorks(options) + deepChangeWorks(options) + macroWorks() + codingWorks()
    + storeWorks(options) + wholeFileWorks(options) + fanOutWorks(options)
    + historyWorks(options) + compactionWorks(options) + rowsWorks(options) + postgresWorks(options) + postgresRowsWorks(options)
    + syncWorks(options))
    .filter { work in
      options.filter.map { work.name.contains($0) } ?? true
    }
  guard !works.isEmpty else { throw Options.UsageError(message: "no work has '\(options.filter ?? "")' in its name") }
  var json: UnsafeMutablePointer<FILE>?
  if let path = options.json {
    json = fopen(path, "w")
    guard json != nil else { throw Options.UsageError(message: "can't write '\(path)': \(String(cString: strerror(errno)))") }
  }
  print(Row.header)
  let runner = Runner(options: options)
  let clock = ContinuousClock()
  let start = clock.now
  var rows: [Row] = []
  for work in works {
    for row in runner.run(work) {
      print(row.description)
      rows.append(row)
      if let json { fputs(row.json + "\n", json) }
    }
  }
  if let json { fclose(json) }
  if let path = options.page {
    do { try Page(rows: rows, options: options, seconds: Int((clock.now - start).components.seconds)).write(to: path) } catch {
      throw Options.UsageError(message: "can't write '\(path)': \(error)")
    }
  }
  let unmet = rows.count { $0.isMet == false }
  print(unmet == 0 ? "Every goal is met." : "Goals not met: \(unmet).")
} catch let error as Options.UsageError {
  fputs((error.message.isEmpty ? "" : "error: \(error.message)\n") + Options.usage + "\n", stderr)
  exit(error.message.isEmpty ? 0 : 64)
}

// Measures the time from the start to the end of commands, and prints the ratios. Run by script/benchmark --startup.
//
// The arguments are the number of rounds, then groups of words: a name, settings of the environment, and a command, each group ended by a
// word ';'. A word '@FILE=COPY' in place of a setting copies FILE to COPY before each run, outside of the measured time.

import Foundation

struct Command {
  var name = ""
  var copies: [(from: String, to: String)] = []
  var environment: [String] = []
  var words: [String] = []
  /// Wall-clock and processor time of each run, in milliseconds.
  var runs: [(wall: Double, processor: Double)] = []
}

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data((message + "\n").utf8))
  exit(1)
}

/// Reads the groups of words.
func commands(in words: ArraySlice<String>) -> [Command] {
  words.split(separator: ";").map { group in
    var command = Command(name: group.first ?? "")
    for word in group.dropFirst() {
      if command.words.isEmpty, word.hasPrefix("@"), let equals = word.firstIndex(of: "=") {
        command.copies.append((String(word[word.index(after: word.startIndex)..<equals]), String(word[word.index(after: equals)...])))
      } else if command.words.isEmpty, word.contains("=") {
        command.environment.append(word)
      } else {
        command.words.append(word)
      }
    }
    return command
  }
}

/// Runs a command once, without input and output.
func run(_ command: Command) -> (wall: Double, processor: Double) {
  for (from, to) in command.copies {
    try? FileManager.default.removeItem(atPath: to)
    do { try FileManager.default.copyItem(atPath: from, toPath: to) } catch { fail("can't copy '\(from)': \(error)") }
  }
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  for descriptor: Int32 in 0...2 { posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0) }
  let inherited = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
  let given = Set(command.environment.map { $0.prefix { $0 != "=" } })
  let environment = inherited.filter { !given.contains($0.prefix { $0 != "=" }) } + command.environment
  var arguments: [UnsafeMutablePointer<CChar>?] = command.words.map { strdup($0) } + [nil]
  var settings: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
  defer { for text in arguments + settings { free(text) } }
  var child: pid_t = 0
  let start = ContinuousClock.now
  let code = posix_spawnp(&child, command.words[0], &actions, nil, &arguments, &settings)
  guard code == 0 else { fail("can't start '\(command.words[0])': \(String(cString: strerror(code)))") }
  var (status, usage) = (Int32(0), rusage())
  while wait4(child, &status, 0, &usage) < 0 { guard errno == EINTR else { fail("can't wait for '\(command.words[0])'") } }
  let wall = (ContinuousClock.now - start) / .milliseconds(1)
  guard status == 0 else { fail("'\(command.words.joined(separator: " "))' failed: status \(status >> 8).") }
  func milliseconds(_ time: timeval) -> Double { Double(time.tv_sec) * 1_000 + Double(time.tv_usec) / 1_000 }
  return (wall, milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime))
}

func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}

func number(_ value: Double) -> String { String(format: value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value) }

guard CommandLine.arguments.count > 2, let rounds = Int(CommandLine.arguments[1]), rounds > 0 else {
  fail("usage: startup ROUNDS NAME [@FILE=COPY]… [SETTING=VALUE]… COMMAND… ';' …")
}
var all = commands(in: CommandLine.arguments.dropFirst(2))
// The first round fills the caches, and is not counted. In each round the commands take turns, so that a busy moment affects all of them.
for round in 0...rounds {
  for place in all.indices {
    let result = run(all[place])
    if round > 0 { all[place].runs.append(result) }
  }
}
print("| command | median of \(rounds) | least | most | processor | × the first | processor × |")
print("|---|---|---|---|---|---|---|")
let unit = (wall: median(all[0].runs.map(\.wall)), processor: median(all[0].runs.map(\.processor)))
for command in all {
  let walls = command.runs.map(\.wall)
  let (wall, processor) = (median(walls), median(command.runs.map(\.processor)))
  print(
    """
    | \(command.name) | \(number(wall)) ms | \(number(walls.min() ?? 0)) ms | \(number(walls.max() ?? 0)) ms | \(number(processor)) ms \
    | \(number(wall / unit.wall)) | \(number(processor / unit.processor)) |
    """)
}

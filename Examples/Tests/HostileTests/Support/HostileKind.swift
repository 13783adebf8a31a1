/// The kind of an option or a parameter, with the values that an attacker may use.
enum HostileKind: String, CaseIterable, Sendable {
  case number, seconds, time, day, letter, choice, text, key, tag, item, pointer, condition, url
  case change, journal, inputFile, outputFile, tokenFile, host, port, token, hostName, flag

  /// A text with every kind of sequence that acts on a terminal: ECMA-48 sequences with ESC and with C1 controls, a title, and characters
  /// that change the direction of reading.
  static let needle = "\u{1B}]0;owned\u{07}\u{1B}[2J\u{9B}2J\u{7F}\u{202E}6202\u{2066}\u{200F}\u{061C}\u{2028}"

  private static let numbers = [
    "-1", "0", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e99", "", " 1", "\u{0663}", needle,
  ]

  /// The hostile values. The `switch` has no default: a new case doesn't compile until it has values.
  var hostileValues: [String] {
    switch self {
    case .number: Self.numbers
    case .seconds: Self.numbers + ["nan", "inf", "-0.5", "1e308"]
    case .time: ["9223372036854775807", "-9223372036854775808", "999999999-01-01", "2026-13-45T99:99:99Z", "0000-00-00", "", Self.needle]
    case .day: ["9999-12-31", "0000-00-00", "+999999999999999999999d", "-9999999d", "+99999999y", "next next", "", Self.needle]
    case .letter: ["", "AA", "é", Self.needle]
    case .choice: ["", "nothing", Self.needle]
    case .text: ["", Self.needle, String(repeating: "a", count: 100_000), "(A) 2026-02-30 due:9999-99-99", "\r\n"]
    case .key: ["", Self.needle, "id"]
    case .tag: ["", "two words", "@\(Self.needle)", "+"]
    case .item: ["0", "-1", "9223372036854775808", "zzzz", "", Self.needle]
    case .change: ["", "#", "1f0c#0", "1f0c#-1", "1f0c#9223372036854775808", "zzzz#1", "1f0c#1\(Self.needle)", Self.needle]
    case .pointer: ["nothing", "/~2", "/-1", "/9223372036854775808", "/\(Self.needle)", String(repeating: "/0", count: 10_000)]
    case .condition: ["", Self.needle]
    case .url:
      [
        "", "file:///etc/passwd", "http://", "http://a b/", "http://[::1", "http://127.0.0.1:1/{1..9}[a-z]",
        "http://127.0.0.1:1/\(Self.needle)",
      ]
    case .journal:
      [
        "", "FOLDER", "FOLDER/none/x", "FOLDER/\(Self.needle)", "FOLDER/two\nlines", "http://x", "postgres:",
        String(repeating: "x", count: 5_000),
      ]
    case .inputFile: ["", "FOLDER", "FOLDER/none", "FOLDER/\(Self.needle)", "FOLDER/two\nlines"]
    case .outputFile: ["", "FOLDER", "FOLDER/none/x", "FOLDER/none/\(Self.needle)"]
    case .tokenFile: ["", "FOLDER", "FOLDER/none", "FOLDER/\(Self.needle)"]
    case .host: ["", "192.0.2.1", "::ffff:192.0.2.1"]
    case .port: ["-1", "65536", "0x50", "99999999999999999999", "", Self.needle]
    case .token: ["short", String(repeating: "t", count: 300), "with spaces in it", "a;b,c\"\\&=#xxxx", "xxxxxxxx\(Self.needle)"]
    case .hostName: ["", "*", "evil:99999999999999999999", Self.needle]
    case .flag: []
    }
  }

  /// A correct value, for the arguments that are not tested.
  var usualValue: String {
    switch self {
    case .number, .item: "1"
    case .seconds: "1"
    case .time, .day: "2026-12-01"
    case .letter: "A"
    case .choice: "auto"
    case .text, .key: "x"
    case .tag: "home"
    case .pointer: ""
    case .condition: "all-done"
    case .change: "1f0c#1"
    case .url: "http://127.0.0.1:1/list"
    case .journal: "JOURNAL"
    case .inputFile: "-"
    case .outputFile, .tokenFile: "FOLDER/none"
    case .host: "127.0.0.1"
    case .port: "0"
    case .token: "a-usual-token"
    case .hostName: "localhost"
    case .flag: ""
    }
  }

  /// The kind of each option and argument. An option that is missing here fails the suite.
  static let ofArguments: [String: HostileKind] = [
    "--store": .journal, "--journal": .journal, "<journal>": .journal, "<location>": .journal,
    "<database>": .journal, "--key": .text, "--wait": .seconds,
    "--limit": .number, "--depth": .number, "--before": .number, "--from": .number, "--to": .number, "--at": .number, "<revision>": .number,
    "<from>": .number, "<to>": .number, "--since": .time, "--until": .time,
    "--text": .text, "--origin": .text, "--scope": .text, "--kind": .choice, "--hide": .key, "--path": .pointer, "<condition>": .condition,
    "--due": .day, "--due-before": .day, "--due-after": .day, "<day>": .day, "--priority": .letter, "<priority>": .letter,
    "--tag": .tag, "<tags>": .tag, "--sort": .choice, "--format": .choice, "<text>": .text, "<words>": .text, "<item>": .item,
    "<url>": .url, "<id>": .change,
    "--host": .host, "--port": .port, "--token": .token, "--token-file": .tokenFile, "--allow-host": .hostName,
    "--json": .flag, "--undone": .flag, "--no-undone": .flag, "--all": .flag, "--scan": .flag, "--no-token": .flag, "--open": .flag,
    "--done": .flag,
    "--after": .item, "--first": .flag, "--last": .flag, "--overdue": .flag, "--strict": .flag, "--version": .flag,
    "--list": .text, "--status": .flag, "--stop": .flag, "--discard": .flag, "--retry": .flag,
    "--from-key": .text, "--dismiss": .flag, "<numbers>": .number, "--keep": .number, "--dry-run": .flag, "--vacuum": .flag,
  ]

  /// The exceptions: names with another meaning in one command.
  static let ofOneCommand: [String: HostileKind] = [
    "todo move --before": .item, "todo sync --token": .flag, "todo sync --keep": .choice, "todo import <file>": .inputFile,
    "todo export <file>": .outputFile,
    "todo inspect export <file>": .outputFile,
    "alter export <file>": .outputFile, "alter recover --from": .journal,
  ]
}

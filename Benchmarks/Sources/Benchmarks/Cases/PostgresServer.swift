#if Postgres
  import AlterPostgres
  import Foundation

  /// A server for this run, with `fsync`. It is removed at the end.
  struct BenchmarkServer {
    let folder: String
    let programs: String

    static let shared = BenchmarkServer()

    private init() {
      folder = "/tmp/alter-benchmark-\(getpid())-postgres"
      programs = Self.output("ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1; true").first ?? ""
      let path = programs.isEmpty ? "" : "PATH=\(programs):$PATH; "
      let asUser = getuid() == 0 ? "runuser -u postgres -- " : ""
      let script = """
        set -e; \(path)mkdir \(folder); \(getuid() == 0 ? "chown postgres \(folder);" : "") cd /
        \(asUser)env PATH="$PATH" initdb -D \(folder)/data -A trust -U alter --no-sync -E UTF8 --locale=C.UTF-8
        chmod 711 \(folder)
        \(asUser)env PATH="$PATH" pg_ctl -D \(folder)/data -w -s -l \(folder)/data/log -o "-c listen_addresses='' -k \(folder) -c max_connections=200" start
        """
      guard Self.status(script) == 0 else { fatalError("No PostgreSQL server could be started.") }
      Self.stopping = "cd /; \(path)\(asUser)env PATH=\"$PATH\" pg_ctl -D \(folder)/data -s -m immediate stop; rm -rf \(folder)"
      atexit { _ = BenchmarkServer.status(BenchmarkServer.stopping) }
    }

    nonisolated(unsafe) private static var stopping = ""

    func address(_ name: String = "benchmark") -> PostgresServer {
      PostgresServer("host=\(folder) user=alter dbname=postgres application_name=\(name)")
    }

    func sql(_ text: String) {
      let file = "\(NSTemporaryDirectory())/alter-benchmark-\(getpid()).sql"
      _ = FileManager.default.createFile(atPath: file, contents: Data(text.utf8))
      let path = programs.isEmpty ? "" : "PATH=\(programs):$PATH; "
      guard Self.status("\(path)psql -X -q -v ON_ERROR_STOP=1 -h \(folder) -U alter -d postgres -f \(file)") == 0 else {
        fatalError("A benchmark's SQL failed.")
      }
      unlink(file)
    }

    /// Runs pgbench with a script.
    ///
    /// - Returns: The nanoseconds for each transaction.
    func pgbench(_ script: String, clients: Int, seconds: Int) -> Double {
      let file = "\(NSTemporaryDirectory())/alter-benchmark-\(getpid()).pgbench"
      _ = FileManager.default.createFile(atPath: file, contents: Data(script.utf8))
      defer { unlink(file) }
      let path = programs.isEmpty ? "" : "PATH=\(programs):$PATH; "
      let lines = Self.output(
        "\(path)pgbench -n -M prepared -c \(clients) -j 2 -T \(seconds) -f \(file) -h \(folder) -U alter postgres 2>/dev/null")
      let rate = lines.first { $0.hasPrefix("tps = ") }.flatMap { Double($0.split(separator: " ")[2]) } ?? .nan
      return 1e9 / rate
    }

    private static func status(_ script: String) -> Int32 { system("{ \(script)\n} >/dev/null 2>&1 </dev/null") }

    private static func output(_ script: String) -> [String] {
      guard let pipe = popen(script, "r") else { return [] }
      defer { pclose(pipe) }
      var lines: [String] = []
      var line = [CChar](repeating: 0, count: 4_096)
      while fgets(&line, 4_096, pipe) != nil {
        lines.append(String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
      }
      return lines
    }
  }
#endif

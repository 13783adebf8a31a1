import Foundation

/// Monotonic nanoseconds, the same in all processes of a machine.
var nanoseconds: Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// The processor time of this process in nanoseconds: user and system, of all threads.
var ownProcessorTime: Int64 {
  var usage = rusage()
  #if canImport(Glibc)
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  #else
    getrusage(RUSAGE_SELF, &usage)
  #endif
  func nanoseconds(_ time: timeval) -> Int64 { Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_usec) * 1_000 }
  return nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime)
}

/// Another process, as `/proc` shows it. On a system without `/proc` all figures are 0.
struct OtherProcess {
  let id: Int32

  /// The processor time in nanoseconds, with a resolution of 10 ms.
  var processorTime: Int64 {
    // The name in parentheses may have spaces. Behind it: the state is field 3; user and system ticks are fields 14 and 15.
    guard let text = Self.text("/proc/\(id)/stat"), let end = text.lastIndex(of: ")") else { return 0 }
    let fields = text[end...].split(separator: " ")
    guard fields.count > 13, let user = Int64(fields[12]), let system = Int64(fields[13]) else { return 0 }
    return (user + system) * (1_000_000_000 / Int64(sysconf(Int32(_SC_CLK_TCK))))
  }

  /// The resident memory in bytes.
  var memory: Int64 {
    guard let line = Self.text("/proc/\(id)/status")?.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }) else { return 0 }
    return (line.split(separator: " ").dropFirst().first.flatMap { Int64($0) } ?? 0) * 1_024
  }

  /// The number of open descriptors.
  var descriptors: Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd").count) ?? 0 }

  private static func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// The shares of a processor that this process and the server have used since the start of a measurement.
struct Shares {
  private let server: OtherProcess
  private let start = (wall: nanoseconds, own: ownProcessorTime)
  private let serverStart: Int64

  init(server: Int32) {
    self.server = OtherProcess(id: server)
    serverStart = self.server.processorTime
  }

  /// The seconds since the start.
  var seconds: Double { Double(nanoseconds - start.wall) / 1e9 }

  /// Writes both shares; 1 is a whole processor.
  func report() {
    let wall = Double(max(1, nanoseconds - start.wall))
    tell("share", Double(ownProcessorTime - start.own) / wall)
    // At least one: the figure is divided by.
    tell("serverShare", Double(max(1, server.processorTime - serverStart)) / wall)
  }
}

/// Raises the limit of descriptors of this process to the highest that the system permits.
///
/// - Returns: The limit.
@discardableResult
func raiseDescriptorLimit() -> Int {
  var limit = rlimit()
  #if canImport(Glibc)
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    let resource = RLIMIT_NOFILE
  #endif
  getrlimit(resource, &limit)
  limit.rlim_cur = limit.rlim_max
  setrlimit(resource, &limit)
  getrlimit(resource, &limit)
  return Int(limit.rlim_cur)
}

/// The value below which a part of the values lies.
func quantile(_ part: Double, of values: [Double]) -> Double {
  let sorted = values.sorted()
  return sorted.isEmpty ? .nan : sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
}

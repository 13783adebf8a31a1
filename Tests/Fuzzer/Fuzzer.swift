// The functions that libFuzzer calls. `script/fuzz` builds this file; it is not part of the package, because the package manager can't link
// a fuzzer.

import Dispatch
import Foundation
import FuzzTargets
import TodoFuzzTargets

private let targets = FuzzTarget.all + FuzzTarget.todo

private let target: FuzzTarget = {
  let name = ProcessInfo.processInfo.environment["ALTER_FUZZ_TARGET"] ?? ""
  guard let target = targets.first(where: { $0.name == name }) else {
    fatalError("ALTER_FUZZ_TARGET is '\(name)', which is none of: \(targets.map(\.name).joined(separator: ", "))")
  }
  return target
}()

/// Writes the initial inputs into a folder, if one is given.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutableRawPointer) -> CInt {
  if let folder = ProcessInfo.processInfo.environment["ALTER_FUZZ_CORPUS"] {
    for (number, bytes) in target.corpus.enumerated() {
      try? Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/begin-\(number)"))
    }
  }
  return 0
}

/// Parses the bytes, and traps on a surprise.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = data.map { Array(UnsafeBufferPointer(start: $0, count: count)) } ?? []
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    do { try await target.run(bytes) } catch { fatalError("\(error)") }
    done.signal()
  }
  done.wait()
  return 0
}

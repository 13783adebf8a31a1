import AlterTesting
import FaultModel

/// A folder on a disk that may lose power. It distinguishes the durable content from the changes since the last sync.
///
/// The model is harsher than most disks:
///
/// - A write or a change of length without a later sync of its file may survive or not, independently of others.
/// - A write may be torn: each of its sectors of 512 bytes is old, new, or garbage. Bytes outside the write stay unchanged.
/// - Changes of names (create, rename, link, remove) are ordered. After a power loss some of the last ones may be missing, back to the last
///   sync of the folder. They are independent of the contents: a name may exist without the content of its file, and vice versa.
/// - Data that a failed sync should have written is not written by the next sync either, even if that succeeds, unless the process writes
///   the data again. The Linux kernel behaves like this: it marks pages that it could not write as clean.
///
/// SQLite tests itself in a similar way: its `test6.c` writes, drops or tears unsynced data.
struct Disk {
  private enum Change {
    case write(offset: Int, bytes: [UInt8])
    case truncate(length: Int)
  }

  private struct File {
    var durable: [UInt8] = []
    var unsynced: [Change] = []
    /// The number of changes, from the first one, that a sync has failed to write.
    var doubtful = 0
  }

  private enum NameChange {
    case put(String, file: Int)
    case remove(String)
  }

  /// The part of the unsynced changes that survives.
  enum Fate: CaseIterable {
    case nothing, everything, namesOnly, contentsOnly, prefixes, anything
  }

  private let folder: String
  private let syncsNames: Bool
  private var files: [File] = []
  private var names: [String: Int] = [:]
  private var durableNames: [String: Int] = [:]
  private var unsyncedNames: [NameChange] = []
  /// The file for each descriptor; nil for the folder.
  private var open: [Int: Int?] = [:]

  /// An empty folder.
  ///
  /// - Parameters:
  ///   - folder: The path.
  ///   - syncsNames: Whether the sync of a file also makes its name durable, with all earlier changes of names.
  init(folder: String, syncsNames: Bool = false) {
    self.folder = folder
    self.syncsNames = syncsNames
  }

  /// Applies an event.
  mutating func take(_ event: Trace.Event) {
    switch event {
    case .open(let descriptor, let path, let creates):
      if path == folder {
        open[descriptor] = .some(nil)
      } else if let file = names[path] {
        open[descriptor] = .some(file)
      } else if creates {
        files.append(File())
        rename(.put(path, file: files.count - 1))
        open[descriptor] = .some(files.count - 1)
      }
    case .close(let descriptor): open[descriptor] = nil
    case .write(let descriptor, let offset, let bytes): change(descriptor, .write(offset: offset, bytes: bytes))
    case .truncate(let descriptor, let length): change(descriptor, .truncate(length: length))
    case .sync(let descriptor):
      switch open[descriptor] {
      case .some(.some(let file)):
        for change in files[file].unsynced.dropFirst(files[file].doubtful) { Self.apply(change, to: &files[file].durable) }
        files[file].unsynced = []
        files[file].doubtful = 0
        if syncsNames { syncName(of: file) }
      case .some(nil):
        durableNames = names
        unsyncedNames = []
      case nil: break
      }
    case .failedSync(let descriptor):
      if case .some(.some(let file)) = open[descriptor] { files[file].doubtful = files[file].unsynced.count }
    case .rename(let from, let to):
      guard let file = names[from] else { return }
      rename(.put(to, file: file))
      // A rename is atomic on disk, too: one of the two names always exists, possibly both.
      rename(.remove(from))
    case .link(let from, let to):
      guard let file = names[from] else { return }
      rename(.put(to, file: file))
    case .unlink(let path): rename(.remove(path))
    case .mark: break
    }
  }

  private mutating func change(_ descriptor: Int, _ change: Change) {
    if case .some(.some(let file)) = open[descriptor] { files[file].unsynced.append(change) }
  }

  private mutating func syncName(of file: Int) {
    let last = unsyncedNames.lastIndex { if case .put(_, file) = $0 { true } else { false } }
    guard let last else { return }
    for change in unsyncedNames[...last] { Self.apply(change, to: &durableNames) }
    unsyncedNames.removeFirst(last + 1)
  }

  private mutating func rename(_ change: NameChange) {
    Self.apply(change, to: &names)
    unsyncedNames.append(change)
  }

  private static func apply(_ change: NameChange, to names: inout [String: Int]) {
    switch change {
    case .put(let name, let file): names[name] = file
    case .remove(let name): names[name] = nil
    }
  }

  private static func apply(_ change: Change, to bytes: inout [UInt8]) {
    switch change {
    case .write(let offset, let new):
      if bytes.count < offset + new.count { bytes += [UInt8](repeating: 0, count: offset + new.count - bytes.count) }
      bytes.replaceSubrange(offset..<offset + new.count, with: new)
    case .truncate(let length):
      if bytes.count > length { bytes.removeLast(bytes.count - length) }
      if bytes.count < length { bytes += [UInt8](repeating: 0, count: length - bytes.count) }
    }
  }

  // MARK: Power loss

  /// A possible content of the disk after a power loss at this moment: the files by their paths.
  func afterPowerLoss(_ fate: Fate, using random: inout SeededGenerator) -> [String: [UInt8]] {
    var names = durableNames
    let kept: Int
    switch fate {
    case .nothing, .contentsOnly: kept = 0
    case .everything, .namesOnly: kept = unsyncedNames.count
    case .prefixes, .anything: kept = Int.random(in: 0...unsyncedNames.count, using: &random)
    }
    for change in unsyncedNames.prefix(kept) { Self.apply(change, to: &names) }
    var contents: [Int: [UInt8]] = [:]
    for file in Set(names.values).sorted() { contents[file] = bytes(of: files[file], fate, using: &random) }
    return names.compactMapValues { contents[$0] }
  }

  private func bytes(of file: File, _ fate: Fate, using random: inout SeededGenerator) -> [UInt8] {
    var bytes = file.durable
    switch fate {
    case .nothing, .namesOnly: break
    case .everything, .contentsOnly: for change in file.unsynced { Self.apply(change, to: &bytes) }
    case .prefixes:
      for change in file.unsynced.prefix(Int.random(in: 0...file.unsynced.count, using: &random)) { Self.apply(change, to: &bytes) }
    case .anything:
      for change in file.unsynced {
        switch (Int.random(in: 0..<3, using: &random), change) {
        case (0, _): break
        case (1, .write(let offset, let new)): tear(offset, new, in: &bytes, using: &random)
        default: Self.apply(change, to: &bytes)
        }
      }
    }
    return bytes
  }

  private func tear(_ offset: Int, _ new: [UInt8], in bytes: inout [UInt8], using random: inout SeededGenerator) {
    var start = 0
    while start < new.count {
      let end = min(new.count, ((offset + start) / 512 + 1) * 512 - offset)
      switch Int.random(in: 0..<8, using: &random) {
      case 0..<4: Self.apply(.write(offset: offset + start, bytes: Array(new[start..<end])), to: &bytes)
      // Only a sector that was being written as a whole may become garbage.
      case 4 where end - start == 512:
        Self.apply(.write(offset: offset + start, bytes: (0..<512).map { _ in UInt8.random(in: 0...255, using: &random) }), to: &bytes)
      default: break
      }
      start = end
    }
  }
}

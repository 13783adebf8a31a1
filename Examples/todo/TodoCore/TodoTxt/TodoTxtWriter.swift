import Alter

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes a list as a todo.txt file.
///
/// An imported item that was not modified is written with its original bytes. A modified item is written in canonical form
/// (``TodoLine/rendered``), between the same blank lines.
public enum TodoTxtWriter {
  /// The bytes of the file.
  ///
  /// If an item belongs to tags that its text doesn't name, they are written after the text.
  ///
  /// - Complexity: O(bytes of the file + members of all tags).
  public static func bytes(of state: AppState) -> [UInt8] {
    let members = state.membership
    var bytes: [UInt8] = []
    func startLine() {
      if let last = bytes.last, last != Byte.newline { bytes.append(Byte.newline) }
    }
    for item in state.items {
      startLine()
      bytes += (item.source?.before ?? "").utf8
      bytes += line(of: item, tags: members[item.id] ?? []).utf8
      bytes += (item.source?.ending ?? .newline).rawValue.utf8
    }
    if !state.trailer.isEmpty {
      startLine()
      bytes += state.trailer.utf8
    }
    return bytes
  }

  /// The line of an item, without its ending.
  static func line(of item: TodoItem, tags: [String]) -> String {
    var fields = item.fields
    let named = tags.isEmpty ? [] : Set(fields.tags)
    let missing = tags.filter { !named.contains($0) }
    if missing.isEmpty, let line = item.source?.line, let written = try? TodoLine(parsing: Array(line.utf8)[...]),
      written.hasSameFields(as: fields)
    {
      return line
    }
    for tag in missing { fields.text += fields.text.isEmpty ? tag : " \(tag)" }
    return fields.rendered
  }
}

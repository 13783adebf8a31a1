/// A file of a page, compiled into the program: nothing is missing when the program is moved.
public struct WebAsset: Sendable {
  /// Its path on the server, as in "/inspector.css".
  public let path: String
  /// Its media type.
  public let type: String
  /// The content.
  public let bytes: [UInt8]
  /// Changes with its content.
  public let tag: String

  /// A file of a page.
  ///
  /// - Parameters:
  ///   - path: Its path on the server. Its extension tells its type; a path that ends in "/" is a page's.
  ///   - bytes: Its content.
  public init(_ path: String, _ bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    let types = [
      "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
      "svg": "image/svg+xml", "md": "text/plain; charset=utf-8",
    ]
    let end = path.lastIndex(of: ".").map { String(path[path.index(after: $0)...]) } ?? (path.hasSuffix("/") ? "html" : "")
    type = types[end] ?? "application/octet-stream"
    // FNV-1a, 64 bits: it tells versions apart, no more.
    let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    tag = "\"\(String(hash, radix: 16))\""
  }

  /// The files that every page here may use: `/library/render.js` renders it, `/library/virtual-list.js` is the list of a part of many rows, and
  /// `/library/base.css` is the look.
  public static let library = [
    WebAsset("/library/render.js", PackageResources.render_js),
    WebAsset("/library/virtual-list.js", PackageResources.virtual_list_js),
    WebAsset("/library/base.css", PackageResources.base_css),
  ]
}

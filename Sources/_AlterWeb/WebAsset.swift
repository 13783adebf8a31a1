/// A file of a page. It is compiled into the program, so that the program can be moved as a single file.
public struct WebAsset: Sendable {
  /// The path on the server, like '/inspector.css'.
  public let path: String
  /// The media type.
  public let type: String
  /// The content.
  public let bytes: [UInt8]
  /// The entity tag: a quoted hash of the content.
  public let tag: String

  /// Creates a file of a page.
  ///
  /// - Parameters:
  ///   - path: The path on the server. Its extension determines the media type; a path that ends in '/' is an HTML page.
  ///   - bytes: The content.
  public init(_ path: String, _ bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    let types = [
      "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
      "svg": "image/svg+xml", "md": "text/plain; charset=utf-8",
    ]
    let end = path.lastIndex(of: ".").map { String(path[path.index(after: $0)...]) } ?? (path.hasSuffix("/") ? "html" : "")
    type = types[end] ?? "application/octet-stream"
    // FNV-1a, 64 bits. The hash only distinguishes versions; it is not a protection against forgery.
    let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    tag = "\"\(String(hash, radix: 16))\""
  }

  /// The files that every page here may use: `/library/render.js` renders the page, `/library/virtual-list.js` is a list that keeps only
  /// the visible rows in the document, and `/library/base.css` is the common style.
  public static let library = [
    WebAsset("/library/render.js", PackageResources.render_js),
    WebAsset("/library/virtual-list.js", PackageResources.virtual_list_js),
    WebAsset("/library/base.css", PackageResources.base_css),
  ]
}

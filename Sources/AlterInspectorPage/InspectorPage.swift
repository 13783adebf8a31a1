/// The page of the inspector: its files, compiled into the program.
package enum InspectorPage {
  /// Each file by its name in the page's folder.
  package static let files: [(name: String, bytes: [UInt8])] = [("index.html", PackageResources.index_html)]
}

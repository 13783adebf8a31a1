/// The files of the inspector's page, compiled into the program.
package enum InspectorPage {
  /// All files, each with its name in the page's folder.
  package static let files: [(name: String, bytes: [UInt8])] = [
    ("index.html", PackageResources.index_html),
    ("inspector.css", PackageResources.inspector_css),
    ("api.js", PackageResources.api_js),
    ("app.js", PackageResources.app_js),
    ("detail.js", PackageResources.detail_js),
    ("device.js", PackageResources.device_js),
    ("feedback.js", PackageResources.feedback_js),
    ("filters.js", PackageResources.filters_js),
    ("format.js", PackageResources.format_js),
    ("hooks.js", PackageResources.hooks_js),
    ("journal.js", PackageResources.journal_js),
    ("overview.js", PackageResources.overview_js),
    ("route.js", PackageResources.route_js),
    ("scrubber.js", PackageResources.scrubber_js),
    ("search.js", PackageResources.search_js),
    ("timeline.js", PackageResources.timeline_js),
    ("tree.js", PackageResources.tree_js),
  ]
}

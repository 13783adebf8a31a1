/// The files of the web page, compiled into the program.
public enum TodoPage {
  /// The path of each file on the server, and its content.
  public static var files: [(path: String, bytes: [UInt8])] {
    [
      ("/", PackageResources.index_html), ("/todo.css", PackageResources.todo_css), ("/todo.svg", PackageResources.todo_svg),
      ("/todo.js", PackageResources.todo_js), ("/todo-server.js", PackageResources.todo_server_js),
      ("/todo-item.js", PackageResources.todo_item_js), ("/todo-parts.js", PackageResources.todo_parts_js),
      ("/todo-keys.js", PackageResources.todo_keys_js),
    ]
  }
}

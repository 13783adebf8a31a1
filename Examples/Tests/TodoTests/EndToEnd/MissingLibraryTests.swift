#if Postgres && os(Linux)
  import Testing

  extension EndToEnd {
    @Suite("Without PostgreSQL's client library") struct MissingLibraryTests {
      let sandbox: Sandbox

      init() throws { sandbox = try Sandbox() }

      @Test("files work, and a database has an error that names the package") func missing() throws {
        // The system finds this file first, and refuses it.
        try sandbox.write("no library".utf8, to: "libpq.so.5")
        let environment = ["LD_LIBRARY_PATH": sandbox.folder]
        #expect(try sandbox.todo("add", "Buy milk", environment: environment).status == 0)
        let store = "postgres://jack:s3cret@localhost/list"
        for arguments in [["list"], ["add", "Buy milk"]] {
          let outcome = try sandbox.run([sandbox.executable] + arguments + ["--store", store], environment: environment)
          #expect(outcome.status == 73 && outcome.output == "", "\(arguments): \(outcome)")
          #expect(outcome.errors.contains("libpq5") && !outcome.errors.contains("s3cret"), "\(arguments): \(outcome)")
        }
      }
    }
  }
#endif

import Testing

@main
enum Main {
  // The function that the package manager calls in the programs of tests that it generates.
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}

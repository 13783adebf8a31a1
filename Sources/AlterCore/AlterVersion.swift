/// The version of Alter that a program was built with.
public enum AlterVersion {
  /// The version by Semantic Versioning: a release, as in '1.2.3', or the release that comes next, as in '1.3.0-dev'.
  public static let current = "0.1.0-dev"
}

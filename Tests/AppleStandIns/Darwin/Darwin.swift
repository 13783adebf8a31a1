// This is not Darwin. Where it can be imported, the branches for Apple's systems are type-checked on Linux. Glibc has the calls of POSIX.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import FoundationEssentials
@_exported public import Glibc

extension FileManager {
  // Apple's documentation: "The URL, or nil when the group identifier is invalid" (on iOS).
  public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { fatalError() }
}

#if canImport(SwiftUI)
  enum TodoWidget { static func reload() {} }
#endif

import Alter
import TodoCore

#if Examples
  import ArgumentParser

  /// What somebody wants a field to be, which may be nothing.
  struct Wish<Value: Sendable>: Sendable {
    let value: Value?
  }
#endif

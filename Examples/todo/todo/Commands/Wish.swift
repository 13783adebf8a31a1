import Alter
import ArgumentParser
import TodoCore

/// What somebody wants a field to be, which may be nothing.
struct Wish<Value: Sendable>: Sendable {
  let value: Value?
}

import Dispatch

/// Whether the caller runs on the main actor, also in code that is not declared so, as the closures of many controls.
///
/// The main actor runs on Dispatch's main queue. On Linux this queue moves between threads, so the thread tells nothing.
var isOnMainActor: Bool { DispatchQueue.getSpecific(key: mainQueue) != nil }

private let mainQueue: DispatchSpecificKey<Void> = {
  let key = DispatchSpecificKey<Void>()
  DispatchQueue.main.setSpecific(key: key, value: ())
  return key
}()

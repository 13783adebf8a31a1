import Alter

extension StoreOptions {
  /// Options for several stores that share one journal object. None of them closes it.
  static var sharedJournal: StoreOptions {
    var options = StoreOptions()
    options.keepsJournalOpen = true
    return options
  }

  /// The same options, for a store that reads other writers' entries only when it appends.
  static var notFollowing: StoreOptions {
    var options = sharedJournal
    options.followsOthers = false
    return options
  }
}

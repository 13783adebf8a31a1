import Alter

extension StoreOptions {
  /// For several stores on one journal object, which none of them closes.
  static var sharedJournal: StoreOptions {
    var options = StoreOptions()
    options.keepsJournalOpen = true
    return options
  }

  /// The same, and a store takes in others' work only when it appends.
  static var notFollowing: StoreOptions {
    var options = sharedJournal
    options.followsOthers = false
    return options
  }
}

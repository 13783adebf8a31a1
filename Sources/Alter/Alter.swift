/// Everything that an app needs from Alter, under one name.
@_exported import AlterCollections
@_exported import AlterCore
@_exported import AlterFeedback
@_exported import AlterJournal
@_exported import AlterMacros
@_exported import AlterStore

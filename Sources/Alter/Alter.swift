/// The umbrella module: it exports the modules that an app needs.
@_exported import AlterCollections
@_exported import AlterCore
@_exported import AlterFeedback
@_exported import AlterJournal
@_exported import AlterMacros
@_exported import AlterStore

// The page's copy of the journal: its head, and the rows around the visible ones. It follows the server's events, and reconnects when the
// server returns.
import {ask} from './api.js'
import {Observed} from './hooks.js'

// Rows are loaded and dropped in blocks of this size.
const blockSize = 100
const blocksKept = 40
// The minimum time between two reloads of the visible rows while the journal grows, in milliseconds.
const patience = 250

export class Journal extends Observed {
  // The last revision; null while it is unknown.
  head = null
  // The last revision that the journal does not have: a compacted journal begins after a floor, and a device's copy of a server's journal may. 0 for a whole journal.
  floor = 0
  overview = null
  effects = []
  // 'opening', 'live' or 'lost'.
  connection = 'opening'
  // The reason why the journal can't be read, as the server reports it.
  problem = null
  // The number of updates from the server. Requests that depend on the head use it as a key.
  version = 0
  // The number of times that the server has returned.
  returns = 0

  #blocks = new Map()
  #wanted = [0, -1]
  #timer = 0
  #refresh = 0
  #stream = null
  #retry = 500
  #id = null

  start() {
    this.#connect()
    // A browser has few connections for a server, so a hidden page closes its own.
    const look = () => {
      if (document.visibilityState === 'visible') this.#stream ?? this.#connect()
      else this.#disconnect()
    }
    addEventListener('visibilitychange', look)
    addEventListener('pagehide', () => this.#disconnect())
    addEventListener('pageshow', look)
  }

  // The earliest revision that can be selected: that of the first entry, or the floor, whose state is known.
  get first() { return this.floor > 0 ? this.floor : 1 }

  // Whether the server has counted all entries.
  get isCounted() { return this.overview.indexed >= this.overview.revision - this.overview.floor }

  // The row of a revision; undefined if it is not loaded.
  row(revision) { return this.#blocks.get(Math.floor((revision - 1) / blockSize))?.rows?.get(revision) }

  // Whether the page has requested a revision, and the server could not read it.
  isUnreadable(revision) {
    const block = this.#blocks.get(Math.floor((revision - 1) / blockSize))
    return !!block?.rows && (!block.isStale || this.problem !== null) && !block.abort && !block.rows.has(revision)
  }

  // Sets the visible revisions. Their rows are loaded once the range has not changed for 50 ms; the first range is loaded at once.
  want(first, last) {
    if (first === this.#wanted[0] && last === this.#wanted[1]) return
    const isFirst = this.#wanted[1] < 0
    this.#wanted = [first, last]
    if (isFirst) return this.#load()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#load(), 50)
  }

  async refreshOverview() {
    try {
      const overview = await ask('journal')
      if (this.#id !== null && overview.journal !== this.#id) this.#blocks.clear()
      this.#id = overview.journal
      this.overview = overview
      this.problem = overview.problem ?? null
      this.head = overview.revision
      if (this.#begin(overview.floor)) this.#load()
    } catch (failure) {
      if (!failure.isLost) this.problem = failure.message
      if (failure.status === 401) this.connection = 'lost'
    }
    this.changed()
  }

  // Takes over the floor. Returns whether the journal begins at another one than before.
  #begin(floor) {
    if (floor === this.floor) return false
    this.floor = floor
    this.#blocks.clear()
    return true
  }

  #disconnect() {
    this.#stream?.close()
    this.#stream = null
  }

  #connect() {
    this.#disconnect()
    const stream = this.#stream = new EventSource('api/events')
    stream.onopen = () => {
      if (this.connection === 'lost') this.returns++
      this.connection = 'live'
      this.#retry = 500
      this.#stale()
      this.refreshOverview()
      this.#load()
    }
    stream.onerror = () => {
      this.connection = 'lost'
      this.changed()
      // The browser reconnects by itself, unless the response was not a stream.
      if (stream.readyState === EventSource.CLOSED && stream === this.#stream) {
        this.refreshOverview()
        setTimeout(() => { if (stream === this.#stream) this.#connect() }, this.#retry)
        this.#retry = Math.min(this.#retry * 2, 5000)
      }
    }
    const on = (name, act) => stream.addEventListener(name, event => {
      let data = event.data
      try { data = JSON.parse(data) } catch { /* a text */ }
      act(data)
      this.changed()
    })
    on('head', ({revision, floor}) => {
      this.#begin(floor ?? 0)
      // If the journal is shorter than before, it was replaced or restored.
      if (this.head !== null && revision < this.head) this.#blocks.clear()
      this.head = revision
      this.#refreshSoon()
    })
    for (const name of ['indexed', 'device']) on(name, () => this.#refreshSoon())
    on('effects', effects => { this.effects = Array.isArray(effects) ? effects : effects.effects ?? [] })
    on('gone', why => { this.problem = typeof why === 'string' ? why : why.error ?? why.why ?? why.problem ?? 'The journal can’t be read any more.' })
  }

  // An undo changes rows that are visible already, and the index learns of undone entries gradually. So the visible rows are requested
  // again.
  #refreshSoon() {
    if (this.#refresh) return
    this.#refresh = setTimeout(() => {
      this.#refresh = 0
      this.version++
      this.#stale()
      this.#load()
      this.refreshOverview()
    }, this.version === 0 ? 0 : patience)
  }

  #stale() { for (const block of this.#blocks.values()) block.isStale = true }

  #load() {
    const [first, last] = this.#wanted
    if (this.head === null || last < first) return
    const from = Math.floor((Math.max(first, 1) - 1) / blockSize), to = Math.floor((Math.min(last, this.head) - 1) / blockSize)
    // Cancel requests for rows that are no longer visible.
    for (const [index, block] of this.#blocks) if ((index < from || index > to) && block.abort) block.abort.abort()
    for (let index = from; index <= to; index++) {
      const block = this.#blocks.get(index) ?? {rows: null, isStale: true, abort: null}
      // Makes the block the most recently used one.
      this.#blocks.delete(index)
      this.#blocks.set(index, block)
      if (block.isStale && !block.abort) this.#loadBlock(index, block)
    }
    for (const index of this.#blocks.keys()) {
      if (this.#blocks.size <= blocksKept) break
      if (index < from || index > to) this.#blocks.delete(index)
    }
  }

  async #loadBlock(index, block) {
    const abort = block.abort = new AbortController()
    block.isStale = false
    try {
      const {entries, problem} = await ask('entries', {after: index * blockSize, limit: blockSize}, abort.signal)
      block.rows = new Map(entries.map(row => [row.revision, row]))
      if (problem) this.problem = problem
    } catch (failure) {
      block.isStale = true
      if (failure.name !== 'AbortError' && !failure.isLost) this.problem = failure.message
    }
    block.abort = null
    // The journal has grown in the meantime.
    if (block.isStale && !abort.signal.aborted && this.connection === 'live' && !this.problem) this.#load()
    this.changed()
  }
}

// A search. It goes back through the journal in steps, as far as the user scrolls, and follows appended entries.
import {ask} from './api.js'
import {Observed} from './hooks.js'

export const filterKeys = ['q', 'kind', 'origin', 'scope', 'from', 'to', 'undone']

// The server's query for the filters of a route; null if no filter is set.
export const queryOf = route => {
  const time = text => text && !Number.isNaN(Date.parse(text)) ? Date.parse(text) * 1000 : null
  const query = {
    text: route.q || null, kind: route.kind || null, origin: route.origin || null, scope: route.scope || null,
    from: time(route.from), to: time(route.to), undone: route.undone || null,
  }
  return Object.values(query).some(value => value !== null) ? query : null
}

export class Search extends Observed {
  rows = []
  // The position of the next step; undefined before the first step, null at the beginning of the journal.
  next = undefined
  failure = null
  isRunning = false
  isStopped = false
  #abort = new AbortController()
  #wanted = 200
  #head
  #isFollowing = false

  constructor(query, head) {
    super()
    this.query = query
    this.#head = head
    this.#run()
  }

  get isDone() { return this.next === null }

  // Continues the search until it has found this number of rows.
  want(count) {
    if (count <= this.#wanted) return
    this.#wanted = count
    this.#run()
  }

  stop() {
    this.isStopped = true
    this.changed()
  }

  goOn() {
    this.isStopped = false
    this.failure = null
    this.#run()
  }

  end() { this.#abort.abort() }

  async #run() {
    if (this.isRunning) return
    this.isRunning = true
    this.changed()
    while (!this.isDone && !this.isStopped && this.rows.length < this.#wanted) {
      try {
        const found = await ask('search', {...this.query, before: this.next ?? this.#head + 1, limit: 200}, this.#abort.signal)
        this.rows = this.rows.concat(found.entries)
        this.next = found.next
        this.failure = null
      } catch (failure) {
        if (failure.name === 'AbortError') return
        this.failure = failure
        break
      }
      this.changed()
    }
    this.isRunning = false
    this.changed()
  }

  // Adds the matching entries that were appended since. An undo or a redo may have changed earlier results, so they are requested again
  // then.
  async follow(head) {
    if (this.#isFollowing || head <= this.#head) return
    this.#isFollowing = true
    try {
      const after = this.#head
      const {entries} = await ask('entries', {after, limit: 500}, this.#abort.signal)
      if (entries.length === 0) return
      const to = entries.at(-1).revision
      const fresh = []
      for (let before = to + 1; before !== null && before > after + 1;) {
        const found = await ask('search', {...this.query, before, limit: Math.min(500, to - after)}, this.#abort.signal)
        fresh.push(...found.entries.filter(row => row.revision > after))
        before = found.next
      }
      let known = this.rows
      if (entries.some(row => row.kind === 'undo' || row.kind === 'redo')) known = await this.#again(known)
      this.rows = fresh.concat(known)
      this.#head = to
      this.changed()
    } catch (failure) {
      if (failure.name !== 'AbortError') this.failure = failure
    } finally {
      this.#isFollowing = false
    }
    if (!this.#abort.signal.aborted && !this.failure) this.follow(head)
  }

  // Requests the given rows again.
  async #again(rows) {
    if (rows.length === 0) return rows
    const again = []
    const last = rows.at(-1).revision
    for (let before = rows[0].revision + 1; before !== null && before > last && again.length < 1000;) {
      const found = await ask('search', {...this.query, before, limit: 500}, this.#abort.signal)
      again.push(...found.entries.filter(row => row.revision >= last))
      before = found.next
    }
    const lastAgain = again.at(-1)?.revision ?? last
    return again.concat(rows.filter(row => row.revision < lastAgain))
  }
}

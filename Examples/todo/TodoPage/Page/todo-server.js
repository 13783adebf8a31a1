// Talks to the server: asks for changes, and listens to what the list has become.

/** How long a page hears nothing before it no longer believes in the connection, in milliseconds. The server speaks every 15 seconds. */
const patience = 40_000

/** Listens to the list, through restarts of the server, sleep and networks that come and go. */
export class Listener {
  #source = null
  #query = ''
  #heard = 0
  #pause = 500
  #timer = 0

  /**
   * @param {(page: object) => void} onPage Takes what is to be shown, whenever it has changed.
   * @param {(problem: string | null) => void} onProblem Takes what keeps the page from hearing anything; null when all is well again.
   */
  constructor(onPage, onProblem) {
    this.onPage = onPage
    this.onProblem = onProblem
    setInterval(() => { if (this.#source && Date.now() - this.#heard > patience) this.#open() }, 5_000)
    addEventListener('online', () => this.#open())
    // A browser opens six connections to a server, and no more. A page that nobody looks at gives its own back.
    document.addEventListener('visibilitychange', () => document.hidden ? this.#close() : this.#open())
  }

  /** Asks for another part of the list: what comes from now on is that. */
  listen(query) {
    this.#query = query
    this.#open()
  }

  #close() {
    clearTimeout(this.#timer)
    this.#source?.close()
    this.#source = null
  }

  #open() {
    this.#close()
    if (document.hidden) return
    this.#heard = Date.now()
    const source = new EventSource('/api/events' + this.#query)
    this.#source = source
    const hear = () => {
      this.#heard = Date.now()
      this.#pause = 500
      this.onProblem(null)
    }
    source.addEventListener('list', event => {
      hear()
      this.onPage(JSON.parse(event.data))
    })
    source.addEventListener('beat', hear)
    source.addEventListener('error', () => this.#fail(source))
  }

  async #fail(source) {
    if (this.#source !== source) return
    // The browser tries again by itself as long as nobody has answered; what was answered and is no list it takes for the end.
    if (source.readyState !== EventSource.CLOSED) return this.onProblem(unreachable)
    this.#timer = setTimeout(() => this.#open(), this.#pause)
    this.#pause = Math.min(this.#pause * 2, 5_000)
    const answer = await send('GET', '/api/list?limit=1')
    if (this.#source === source) this.onProblem(answer.error ?? unreachable)
  }
}

const unreachable = 'The server can’t be reached. Your text is kept, and the list catches up by itself.'

/** Asks for changes of the list: `{revision, …}`, or `{error, status}`. */
export const ask = (path, body) => send('POST', path, body)

/** Makes changes: an array of commands, all or none. */
export const change = (...commands) => ask('/api/changes', {changes: commands})

async function send(method, path, body) {
  try {
    const response = await fetch(path, {
      method, signal: AbortSignal.timeout(20_000),
      ...(body === undefined ? {} : {headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)}),
    })
    const text = await response.text()
    let answer = null
    try { answer = JSON.parse(text) } catch {}
    if (response.ok) return answer ?? {}
    return {error: answer?.error ?? (text.trim() || `The server answered ${response.status}.`), status: response.status}
  } catch {
    return {error: 'The server can’t be reached, so nothing was changed. Try again when it is back.', status: 0}
  }
}

/** A fresh id for something new: asked for twice, because the answer was lost, it is there once. */
export function newID() {
  // `crypto.randomUUID` is there for secure origins only: not for another machine's address.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = bytes[6] & 0x0f | 0x40
  bytes[8] = bytes[8] & 0x3f | 0x80
  const digits = [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

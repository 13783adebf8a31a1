// The client of the HTTP interface, which Design/0012 specifies.

// A failed request. The message is the server's, or the page's own if there was no response.
export class Failure extends Error {
  constructor(message, status) {
    super(message)
    this.status = status
  }

  // Whether there was no response at all.
  get isLost() { return this.status === 0 }
}

export const address = (path, parameters = {}) => {
  const given = Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined && value !== '')
  return given.length ? `api/${path}?${new URLSearchParams(given)}` : `api/${path}`
}

// Requests JSON. Throws a Failure; or the AbortError of the signal, which no caller needs to report.
export const ask = async (path, parameters, signal) => {
  let response
  try {
    response = await fetch(address(path, parameters), {signal})
  } catch (error) {
    if (error.name === 'AbortError') throw error
    throw new Failure('The server does not answer.', 0)
  }
  let text
  try { text = await response.text() } catch (error) {
    if (error.name === 'AbortError') throw error
    throw new Failure('The connection to the server ended before the whole answer arrived.', 0)
  }
  let answer = null
  try { answer = JSON.parse(text) } catch { /* a text for people */ }
  if (!response.ok) throw new Failure(answer?.error ?? (text.trim().slice(0, 500) || `The server answered ${response.status}.`), response.status)
  if (answer === null) throw new Failure('The answer of the server is not JSON.', response.status)
  return answer
}

// The HTTP interface: Design/0012 tells what is asked for and answered.

// A request that has failed, in the words of the server, or of the page when there was no answer.
export class Failure extends Error {
  constructor(message, status) {
    super(message)
    this.status = status
  }

  // Whether the server was not reached at all.
  get isLost() { return this.status === 0 }
}

export const address = (path, parameters = {}) => {
  const given = Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined && value !== '')
  return given.length ? `api/${path}?${new URLSearchParams(given)}` : `api/${path}`
}

// Asks for JSON. Throws a Failure; or the signal's AbortError, which nobody needs to hear of.
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
    throw new Failure('The server stopped in the middle of an answer.', 0)
  }
  let answer = null
  try { answer = JSON.parse(text) } catch { /* a text for people */ }
  if (!response.ok) throw new Failure(answer?.error ?? (text.trim().slice(0, 500) || `The server answered ${response.status}.`), response.status)
  if (answer === null) throw new Failure('The server answered something that is no JSON.', response.status)
  return answer
}

// The hooks that several components use.
import {useEffect, useRef, useRender, useState} from '/library/render.js'
import {ask} from './api.js'

// Renders the component again whenever the observed object has changed.
export const useChanges = observed => {
  const render = useRender()
  useEffect(() => {
    const end = observed.observe(render)
    // The object may have changed between the first rendering and now.
    render()
    return end
  }, [observed])
}

// An object that notifies its observers of changes. Changes in the same turn of the event loop give one notification.
export class Observed {
  #observers = new Set()
  #isTelling = false

  observe(observer) {
    this.#observers.add(observer)
    return () => { this.#observers.delete(observer) }
  }

  changed() {
    if (this.#isTelling) return
    this.#isTelling = true
    queueMicrotask(() => {
      this.#isTelling = false
      for (const observer of [...this.#observers]) observer()
    })
  }
}

// The server's response to a request. It is requested again if one of the keys has changed; the last response stays until the next one
// arrives. If the keys change again within `patience` milliseconds, the request waits until they have rested for that time: while a slider
// is dragged, only the positions where it rests are requested.
export const useAnswer = (path, parameters, keys, {when = true, patience = 0} = {}) => {
  const [state, setState] = useState({answer: null, failure: null, isLoading: when})
  const last = useRef(0)
  useEffect(() => {
    if (!when) return
    const abort = new AbortController()
    setState(state => ({...state, isLoading: true}))
    const begin = async () => {
      last.current = performance.now()
      try {
        const answer = await ask(path, parameters, abort.signal)
        setState({answer, failure: null, isLoading: false, keys})
      } catch (failure) {
        if (failure.name !== 'AbortError') setState(state => ({answer: failure.isLost ? state.answer : null, failure, isLoading: false, keys: state.keys}))
      }
    }
    const isHurried = performance.now() - last.current < patience
    last.current = performance.now()
    const timer = isHurried ? setTimeout(begin, patience) : (begin(), 0)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [path, when, ...keys])
  return state
}

// Whether a media query matches.
export const useMedia = query => {
  const [holds, setHolds] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const list = matchMedia(query)
    const look = () => setHolds(list.matches)
    list.addEventListener('change', look)
    return () => list.removeEventListener('change', look)
  }, [query])
  return holds
}

// The current time, updated every second, for durations that are still growing.
export const useNow = () => {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}

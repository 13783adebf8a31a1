// The hooks that several components use.
import {useEffect, useRef, useRender, useState} from '/library/render.js'
import {ask} from './api.js'

// Renders again whenever the object says that it has changed.
export const useChanges = observed => {
  const render = useRender()
  useEffect(() => {
    const end = observed.observe(render)
    // It may have changed between the first look and now.
    render()
    return end
  }, [observed])
}

// Objects that tell of their changes, once a frame at most.
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

// An answer of the server: asked for again when one of the keys differs; the last answer stays until the next one is there.
// While the slider is dragged, only what it rests on is asked for.
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

// Whether a media query holds.
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

// The time, told again every second, for what says how long something has been going on.
export const useNow = () => {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}

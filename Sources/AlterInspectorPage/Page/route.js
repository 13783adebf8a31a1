// The address tells which part of the journal is shown, so that it can be sent to somebody: #r=123&tab=state.
import {useEffect, useState} from '/library/render.js'

const read = () => {
  const parameters = new URLSearchParams(location.hash.slice(1))
  const text = (name, otherwise = '') => parameters.get(name) ?? otherwise
  const revision = name => {
    const value = Number(parameters.get(name))
    return Number.isSafeInteger(value) && value > 0 ? value : null
  }
  return {
    view: ['feedback', 'overview'].includes(text('view')) ? text('view') : 'timeline',
    // The revision that is looked at; null for the newest, whichever it is.
    r: revision('r'),
    // Null for the one that tells most of this journal.
    tab: ['state', 'difference', 'entry'].includes(text('tab')) ? text('tab') : null,
    // The revision that it is compared with; null for the one before.
    against: revision('against'),
    q: text('q'), kind: text('kind'), origin: text('origin'), scope: text('scope'), from: text('from'), to: text('to'), undone: text('undone'),
  }
}

const write = route => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(route)) {
    if (value === null || value === '' || (name === 'view' && value === 'timeline')) continue
    parameters.set(name, value)
  }
  const text = parameters.toString()
  return text ? '#' + text : location.pathname + location.search
}

// The route, and a function that changes it. Small steps replace what is in the browser's history, others add to it.
export const useRoute = () => {
  const [route, setRoute] = useState(read)
  const [hand] = useState({route, timer: 0})
  useEffect(() => {
    const look = () => {
      clearTimeout(hand.timer)
      setRoute(hand.route = read())
    }
    addEventListener('popstate', look)
    addEventListener('hashchange', look)
    return () => {
      removeEventListener('popstate', look)
      removeEventListener('hashchange', look)
    }
  }, [])
  const go = (changes, {isStep = false} = {}) => {
    hand.route = {...hand.route, ...changes}
    clearTimeout(hand.timer)
    // Browsers refuse many changes of the address in a short time, as a dragged slider makes them.
    if (isStep) hand.timer = setTimeout(() => history.replaceState(null, '', write(hand.route)), 120)
    else history.pushState(null, '', write(hand.route))
    setRoute(hand.route)
  }
  return [route, go]
}

export const linkTo = revision => `#r=${revision}`

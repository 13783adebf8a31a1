// The address contains the visible part of the journal, so that a link to it can be shared: #r=123&tab=state.
import {useEffect, useState} from '/library/render.js'

const read = () => {
  const parameters = new URLSearchParams(location.hash.slice(1))
  const text = (name, otherwise = '') => parameters.get(name) ?? otherwise
  const revision = name => {
    const value = Number(parameters.get(name))
    return Number.isSafeInteger(value) && value > 0 ? value : null
  }
  return {
    view: ['device', 'feedback', 'overview'].includes(text('view')) ? text('view') : 'timeline',
    // The selected revision; null to follow the newest.
    r: revision('r'),
    // The selected tab; null for the default, which depends on the journal.
    tab: ['state', 'difference', 'entry'].includes(text('tab')) ? text('tab') : null,
    // The revision to compare with; null for the previous one.
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

// The route, and a function that changes it. Small steps replace the current item of the browser's history, others add an item.
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
    // Browsers limit the rate of changes of the address, and a dragged slider would exceed it.
    if (isStep) hand.timer = setTimeout(() => history.replaceState(null, '', write(hand.route)), 120)
    else history.pushState(null, '', write(hand.route))
    setRoute(hand.route)
  }
  return [route, go]
}

export const linkTo = revision => `#r=${revision}`

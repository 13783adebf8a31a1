// The inspector's page: combines the views and handles the keyboard.
import {html, render, useEffect, useRef, useState} from '/library/render.js'
import {Detail} from './detail.js'
import {Device, Status, isMirror} from './device.js'
import {Feedback} from './feedback.js'
import {Icon, IconButton, count, number} from './format.js'
import {useChanges, useMedia} from './hooks.js'
import {Journal} from './journal.js'
import {Overview} from './overview.js'
import {useRoute} from './route.js'
import {Scrubber} from './scrubber.js'
import {Timeline, clamp} from './timeline.js'

const views = {timeline: 'Timeline', device: 'Device', feedback: 'Feedback', overview: 'Overview'}

const keys = [
  [['↓', '↑', 'j', 'k'], 'next line, previous line'], [['←', '→'], 'one revision older, newer'], [['Page Down', 'Page Up'], 'one page of lines'],
  [['Home', 'End'], 'first line, last line'], [['g'], 'go to a revision'], [['/'], 'search'], [['1', '2', '3'], 'state, difference, entry'],
  [['Esc'], 'close, go back'], [['?'], 'show the keys'],
]

// The page of the app that embeds this one, if there is one.
const home = document.querySelector('link[rel=up]')

const Help = ({onClose}) => {
  const dialog = useRef()
  useEffect(() => dialog.current.showModal(), [])
  return html`
    <dialog class="help" ref=${dialog} aria-label="Keys" onClose=${onClose} onClick=${event => { if (event.target === dialog.current) dialog.current.close() }}>
      <div class="help-inside">
        <header><h2>Keys</h2><${IconButton} icon="close" name="Close" onClick=${() => dialog.current.close()} /></header>
        <dl>${keys.map(([names, what]) => html`<div><dt>${names.map(name => html`<kbd>${name}</kbd> `)}</dt><dd>${what}</dd></div>`)}</dl>
        <p class="muted">On the slider, the arrow keys move by one revision, Home selects the first revision, and End the newest.</p>
      </div>
    </dialog>`
}

const Connection = ({journal}) => {
  if (journal.connection === 'lost') return html`<p class="banner warn" role="alert"><${Icon} name="warn" /> <span>The server does not answer. The page shows the last known state, and retries until the server answers again.</span></p>`
  if (journal.problem) return html`<p class="banner bad" role="alert"><${Icon} name="warn" /> <span>${journal.problem}</span></p>`
  return null
}

const App = ({journal}) => {
  useChanges(journal)
  const [place, go] = useRoute()
  const [isHelping, setIsHelping] = useState(false)
  const isNarrow = useMedia('(max-width: 720px)')
  const control = useRef(null)
  const {overview, head, first} = journal
  // Without the overview the page does not know where the journal begins.
  const isKnown = head !== null && (overview !== null || journal.problem !== null)
  // Without the app's types only some states are known, but every entry is. So the entry is the default tab then.
  const route = {...place, tab: place.tab ?? (overview === null ? null : overview.types ? 'state' : 'entry')}
  const selected = clamp(route.r ?? head ?? 0, 0, Math.max(head ?? 0, 0))
  const name = overview?.name.split('/').pop() || 'journal'
  useEffect(() => { document.title = `${name} · Inspector` }, [name])

  const press = useRef()
  press.current = event => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return
    const {target} = event
    if (!(target instanceof Element)) return
    const isTyping = target.matches('textarea, select, input:not([type=range], [type=checkbox])')
    if (isTyping || (target.type === 'range' && /^(Arrow|Page|Home|End)/.test(event.key))) return
    const focus = id => () => { const field = document.getElementById(id); field?.focus(); field?.select() }
    const act = {'?': () => setIsHelping(true)}
    if (route.view === 'timeline' && head > 0) {
      const list = control.current
      const step = by => () => go({r: clamp(selected + by, first, head)}, {isStep: true})
      // An element that scrolls with these keys keeps them.
      const isReading = target.closest('.panel')
      Object.assign(act, {'/': focus('search'), g: focus('jump'), j: () => list?.move(1), k: () => list?.move(-1), ArrowLeft: step(-1), ArrowRight: step(1)})
      for (const [index, tab] of ['state', 'difference', 'entry'].entries()) act[index + 1] = () => go({tab}, {isStep: true})
      if (!isReading) {
        Object.assign(act, {
          ArrowDown: () => list?.move(1), ArrowUp: () => list?.move(-1), PageDown: () => list?.move(list.page()), PageUp: () => list?.move(-list.page()),
          Home: () => list?.first(), End: () => list?.last(),
        })
      }
      if (isNarrow && route.r !== null) act.Escape = () => go({r: null})
    } else if (route.view !== 'timeline') act.Escape = () => go({view: 'timeline'})
    if (!act[event.key]) return
    act[event.key]()
    event.preventDefault()
  }
  useEffect(() => {
    const hear = event => press.current(event)
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [])

  const inFlight = journal.effects.filter(({phase}) => phase !== 'stuck').length
  const showsDetail = !isNarrow || route.r !== null
  return html`
    <header class="top">
      ${home && html`<a class="home" href=${home.href}><${Icon} name="back" /> ${home.title}</a>`}
      <h1 title=${overview?.name}><bdi>${name}</bdi></h1>
      <span class=${`link ${journal.connection}`} role="status"><span class="dot" aria-hidden="true"></span><span class="link-text">${{opening: 'connecting', live: overview?.isLive ? 'live' : 'following', lost: 'offline'}[journal.connection]}</span></span>
      <nav aria-label="Views">${Object.entries(views).filter(([view]) => view !== 'device' || isMirror(overview)).map(([view, title]) => html`
        <a href=${view === 'timeline' ? '#' : `#view=${view}`} aria-current=${route.view === view ? 'page' : undefined} onClick=${event => { event.preventDefault(); go({view}) }}>
          ${title}${view === 'device' && overview.sync.device?.drafts > 0 && html` <span class="badge" title=${`${count(overview.sync.device.drafts, 'change')} in the outbox`}>${number(overview.sync.device.drafts)}</span>`}${view === 'feedback' && inFlight > 0 && html` <span class="badge" title=${`${count(inFlight, 'request')} in flight`}>${number(inFlight)}</span>`}</a>`)}</nav>
      <${IconButton} icon="help" name="Keys" keys="?" onClick=${() => setIsHelping(true)} />
    </header>
    <${Connection} journal=${journal} />
    <${Status} overview=${overview} go=${go} />
    <main class=${`${route.view} ${isNarrow ? 'narrow' : ''}`}>
      ${!isKnown ? html`<p class="note big">${journal.connection === 'lost' || journal.problem ? 'Nothing is known of the journal yet.' : 'Opening the journal …'}</p>`
        : route.view === 'device' ? html`<${Device} journal=${journal} go=${go} />`
        : route.view === 'feedback' ? html`<${Feedback} journal=${journal} go=${go} />`
        : route.view === 'overview' ? html`<${Overview} journal=${journal} go=${go} />`
        : head === 0 ? html`<div class="empty"><p class="big">This journal is empty.</p><p class="muted">${isMirror(overview) ? 'The entries of the server appear here after the first contact with it.' : 'Its entries appear here as soon as there are any.'}</p></div>`
        : html`
          ${!(isNarrow && showsDetail) && html`<${Timeline} ...${{journal, route, go, selected, control}} />`}
          ${showsDetail && html`<${Detail} ...${{journal, route, go, selected}} isAlone=${isNarrow} />`}
          <${Scrubber} ...${{journal, route, go, selected}} />`}
    </main>
    ${isHelping && html`<${Help} onClose=${() => setIsHelping(false)} />`}`
}

const journal = new Journal()
journal.start()
render(html`<${App} journal=${journal} />`, document.getElementById('app'))

// The timeline: all entries, or the results of the search, newest first.
import {html, useEffect, useRef, useState} from '/library/render.js'
import {Code, Icon, Kind, Origin, Problem, brief, count, fullTime, nameOf, number, shortTime} from './format.js'
import {useChanges, useMedia} from './hooks.js'
import {VirtualList} from '/library/virtual-list.js'
import {Search, queryOf} from './search.js'
import {Filters} from './filters.js'

const Mark = ({row}) => html`<${Kind} kind=${row.kind} title=${row.kind === 'refused' ? 'The server refused this change. The entry is its verdict, and changes nothing.' : undefined} />
  ${row.kind === 'changes' && row.changes !== 1 && html`<span class="kind many" title=${count(row.changes, 'change') + ', all or none'}>×${number(row.changes)}</span>`}
  ${row.suppressed && html`<span class="kind refused" title="In force, but not part of the state: the state refused it">refused</span>`}`

const Cause = ({row}) => {
  if (!row.cause) return null
  const {answers, feedback, metadata, requires, retries} = row.cause
  const said = Object.entries(metadata ?? {}).map(([key, value]) => `${key}: ${value}`).join(', ')
  const text = feedback ?? (answers ? 'answer' : metadata ? Object.values(metadata)[0] : requires ? `requires ${nameOf(requires)}` : retries ? `retries ${nameOf(retries)}` : null)
  if (!text) return null
  return html`<span class="cause" title=${[answers && `answers ${number(answers)}`, requires && `requires ${nameOf(requires)}`, retries && `retries ${nameOf(retries)}`, said].filter(Boolean).join('; ')}>
    ${answers && html`<span class="answers">↩ ${number(answers)}</span>`} <bdi>${text}</bdi></span>`
}

const Entry = ({row, isUnreadable, revision, index, isSelected, style, onSelect, needle, total}) => {
  const text = row && html`<${Code} text=${around(row.text, needle)} needle=${needle} />`
  return html`
    <div class=${`row ${isSelected ? 'selected' : ''} ${row?.undone ? 'undone' : ''} ${row?.suppressed ? 'suppressed' : ''}`} role="option" id=${`row-${index}`}
      aria-selected=${isSelected} aria-posinset=${index + 1} aria-setsize=${total} style=${style} onClick=${() => onSelect(revision)} data-revision=${revision}>
      <span class="revision">${number(revision)}</span>
      ${row ? html`
        <time title=${fullTime(row.time)}>${shortTime(row.time)}</time>
        <${Origin} origin=${row.origin} />
        <span class="what"><${Mark} row=${row} />${row.undone ? html`<s class="change"><span class="visually-hidden">undone: </span>${text}</s>` : html`<span class="change">${text}${row.kind === 'refused' && html` <span class="of-draft">draft #${number(row.sequence)}</span>`}</span>`}</span>
        <${Cause} row=${row} />`
        : isUnreadable ? html`<span class="unreadable">can’t be read</span>` : html`<span class="waiting">loading</span>`}
    </div>`
}

// The place where a journal with a floor begins.
const Ground = ({floor, index, isSelected, style, onSelect, total}) => html`
  <div class=${`row ground ${isSelected ? 'selected' : ''}`} role="option" id=${`row-${index}`} aria-selected=${isSelected} aria-posinset=${index + 1} aria-setsize=${total}
    style=${style} onClick=${() => onSelect(floor)} data-revision=${floor}>
    <span class="revision">${number(floor)}</span>
    <span class="what"><span class="kind floor">floor</span><span class="change">The file begins here: entries 1 to ${number(floor)} are not in it.</span></span>
  </div>`

export const Timeline = ({journal, route, go, selected, control}) => {
  const query = queryOf(route)
  const key = JSON.stringify(query)
  const [search, setSearch] = useState(null)
  useEffect(() => {
    if (!query || journal.head === null) return setSearch(null)
    // Wait until the user has stopped typing.
    let made = null
    const timer = setTimeout(() => setSearch(made = new Search(query, journal.head)), 150)
    return () => {
      clearTimeout(timer)
      made?.end()
    }
  }, [key, journal.head === null])
  const shown = query && search?.query && JSON.stringify(search.query) === key ? search : null
  return html`
    <section class="timeline" aria-label="Timeline">
      <${Filters} journal=${journal} route=${route} go=${go} />
      ${query
        ? shown && html`<${Results} key=${key} search=${shown} ...${{journal, route, go, selected, control}} />`
        : html`<${All} ...${{journal, route, go, selected, control}} />`}
    </section>`
}

// The column of the revisions is as wide as the longest one.
const digits = head => ({'--digits': `${Math.max(4, number(head).length)}ch`})

// The part of a text that fits on one line and contains the first match of the search.
const around = (whole, needle) => {
  const text = brief(whole, needle)
  const at = needle ? text.toLowerCase().indexOf(needle.toLowerCase()) : 0
  if (at <= 56) return text
  // If the part begins inside a string, it starts with a quotation mark.
  const isInString = text.slice(0, at - 24).replace(/\\./g, '').split('"').length % 2 === 0
  return `… ${isInString ? '"' : ''}${text.slice(at - 24)}`
}

const useRowHeight = () => useMedia('(max-width: 1100px)') ? 52 : 32

const All = ({journal, route, go, selected, control}) => {
  const rowHeight = useRowHeight()
  const [isTop, setIsTop] = useState(true)
  const seen = useRef(journal.head)
  if (isTop) seen.current = journal.head
  const list = useRef({})
  const {head, floor, first} = journal
  // A floor has a row of its own, below the entries.
  const total = head - first + 1
  const select = revision => go({r: revision}, {isStep: route.r !== null && innerWidth > 720})
  control.current = {
    move: by => go({r: clamp(selected - by, first, head)}, {isStep: true}),
    first: () => go({r: null}, {isStep: true}), last: () => go({r: first}, {isStep: true}),
    page: () => list.current.page,
  }
  const fresh = head - seen.current
  return html`
    <${VirtualList} count=${total} rowHeight=${rowHeight} grown=${head} active=${selected < first ? -1 : head - selected} style=${digits(head)} control=${list} onTop=${setIsTop} label="Entries, the newest first"
      onRange=${(top, bottom) => journal.want(Math.max(head - bottom, floor + 1), head - top)}
      render=${(index, style) => {
        const revision = head - index
        if (revision === floor) return html`<${Ground} key=${'floor'} isSelected=${revision === selected} onSelect=${select} ...${{floor, index, style, total}} />`
        return html`<${Entry} key=${revision} row=${journal.row(revision)} isUnreadable=${journal.isUnreadable(revision)} isSelected=${revision === selected} total=${total} onSelect=${select}
          ...${{revision, index, style}} />`
      }} />
    ${fresh > 0 && html`<button class="fresh primary" onClick=${() => { go({r: null}); list.current.toTop() }}><${Icon} name="up" /> ${number(fresh)} new</button>`}`
}

const Results = ({search, journal, route, go, selected, control}) => {
  useChanges(search)
  useEffect(() => { search.follow(journal.head) }, [journal.head])
  const rowHeight = useRowHeight()
  const [isTop, setIsTop] = useState(true)
  const rows = search.rows
  const newest = rows[0]?.revision ?? 0
  const seen = useRef(newest)
  if (isTop) seen.current = newest
  const counted = useRef({newest, grown: 0})
  if (newest > counted.current.newest) {
    if (counted.current.newest) counted.current.grown += rows.findIndex(row => row.revision <= counted.current.newest)
    counted.current.newest = newest
  }
  const list = useRef({})
  const active = rows.findIndex(row => row.revision === selected)
  const pick = (index, options) => rows[index] && go({r: rows[index].revision}, options)
  control.current = {
    // Moves from the selected row, or from its place if it is not among the results.
    move: by => {
      const from = active >= 0 ? active : rows.findIndex(row => row.revision < selected)
      pick(clamp(active >= 0 ? from + by : from - (by > 0 ? 1 : 0) + by, 0, rows.length - 1), {isStep: true})
    },
    first: () => pick(0, {isStep: true}), last: () => pick(rows.length - 1, {isStep: true}),
    page: () => list.current.page,
  }
  const fresh = isTop ? 0 : rows.findIndex(row => row.revision <= seen.current)
  return html`
    <${VirtualList} count=${rows.length} rowHeight=${rowHeight} grown=${counted.current.grown} active=${active} style=${digits(journal.head)} control=${list} onTop=${setIsTop}
      label="Entries found, the newest first" onRange=${(first, last) => search.want(last + 150)}
      render=${(index, style) => html`<${Entry} key=${rows[index].revision} row=${rows[index]} revision=${rows[index].revision} total=${rows.length}
        isSelected=${index === active} onSelect=${revision => go({r: revision}, {isStep: route.r !== null && innerWidth > 720})} needle=${route.q}
        ...${{index, style}} />`} />
    ${fresh > 0 && html`<button class="fresh primary" onClick=${() => list.current.toTop()}><${Icon} name="up" /> ${number(fresh)} new</button>`}
    <${Progress} search=${search} journal=${journal} />`
}

const Progress = ({search, journal}) => {
  if (search.failure) return html`<${Problem} failure=${search.failure} again=${() => search.goOn()} />`
  const found = `${count(search.rows.length, 'entry', 'entries')} found`
  const back = search.next ?? journal.head
  return html`
    <footer class="progress">
      <p role="status">${search.isDone ? search.rows.length === 0 ? 'No entry matches.' : `${found}: all of them.`
        : `${found}, searched back to ${number(back)}${search.isStopped ? '' : search.isRunning ? ' …' : '.'}`}</p>
      ${!search.isDone && html`
        <progress max=${journal.head - journal.floor} value=${journal.head - back} aria-label="How far the search is"></progress>
        ${search.isRunning && !search.isStopped ? html`<button class="quiet" onClick=${() => search.stop()}>Stop</button>`
          : html`<button class="quiet" onClick=${() => { search.want(search.rows.length + 200); search.goOn() }}>Continue</button>`}`}
    </footer>`
}

export const clamp = (value, low, high) => Math.min(Math.max(value, low), high)

// Formats numbers, times and texts for people.
import {html, useState} from '/library/render.js'

const numbers = new Intl.NumberFormat('en-US')
export const number = value => numbers.format(value)
export const count = (value, one, many = one + 's') => `${number(value)} ${value === 1 ? one : many}`

export const bytes = value => {
  if (value < 1000) return count(value, 'byte')
  const units = ['kB', 'MB', 'GB', 'TB']
  let unit = -1
  do { value /= 1000; unit++ } while (value >= 999.5 && unit < units.length - 1)
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}

const clock = new Intl.DateTimeFormat('en-GB', {hour: '2-digit', minute: '2-digit', second: '2-digit'})
const dayAndClock = new Intl.DateTimeFormat('en-GB', {day: '2-digit', month: 'short', hour: '2-digit', minute: '2-digit'})
const year = new Intl.DateTimeFormat('en-GB', {day: '2-digit', month: 'short', year: 'numeric'})
const whole = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit',
})

// Times are microseconds since 1970 UTC. They are shown in this machine's time zone.
export const date = time => new Date(time / 1000)
export const fullTime = time => `${whole.format(date(time))}.${String(Math.floor(time / 1000) % 1000).padStart(3, '0')}`
export const exactTime = time => date(time).toISOString().slice(0, 19) + '.' + String(time % 1_000_000).padStart(6, '0') + 'Z'

// The shortest form that identifies a time: without the day today, without the year this year.
export const shortTime = time => {
  const then = date(time), now = new Date()
  if (then.toDateString() === now.toDateString()) return clock.format(then)
  return (then.getFullYear() === now.getFullYear() ? dayAndClock : year).format(then).replace(',', '')
}

export const duration = seconds => {
  if (seconds < 1) return 'less than a second'
  if (seconds < 60) return `${Math.floor(seconds)} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ${Math.floor(seconds % 3600 / 60)} min`
  return count(Math.floor(seconds / 86400), 'day')
}

export const ago = (time, now = Date.now()) => {
  const seconds = (now - time / 1000) / 1000
  return Math.abs(seconds) < 5 ? 'just now' : seconds < 0 ? `in ${duration(-seconds)}` : `${duration(seconds)} ago`
}

// The hue of an origin, from a hash of its id: the same in every view and every session.
export const hue = origin => {
  let hash = 2166136261
  for (let index = 0; index < origin.length; index++) hash = Math.imul(hash ^ origin.charCodeAt(index), 16777619)
  return (hash >>> 8) % 24 * 15
}

export const shortOrigin = origin => origin.slice(0, 4).toLowerCase()

// The origin that made an entry, as a short coloured mark.
export const Origin = ({origin, whole = false}) => html`
  <span class="origin" style=${{'--hue': hue(origin)}} title=${`origin ${origin}`}>${whole ? origin : shortOrigin(origin)}</span>`

// The kind of an entry, unless it is a change.
export const Kind = ({kind, title}) => kind === 'changes' ? null : html`<span class=${`kind ${kind}`} title=${title}>${kind}</span>`

// The name of an entry or a draft, as the commands write it: its revision, or its origin and its number there.
export const nameOf = ({origin, sequence, revision}) => revision === null ? `${origin.slice(0, 8)}#${sequence}` : number(revision)

// The tokens of Swift-like text. Matches of the search are marked in them.
const pattern = /("(?:\\.|[^"\\])*"?)|(•••)|(\.[a-zA-Z_]\w*)|([a-zA-Z_]\w*:)|\b(true|false|nil)\b|(-?\b\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?\b)|\b([A-Z]\w*)/g
const classes = [null, 'string', 'hidden-value', 'case', 'label', 'number', 'number', 'type']

const marked = (text, needle) => {
  if (!needle) return text
  const parts = [], low = text.toLowerCase()
  // Lower case may change the length of a text. Nothing is marked then.
  if (low.length !== text.length) return text
  let at = 0
  for (let found; (found = low.indexOf(needle, at)) >= 0; at = found + needle.length) {
    parts.push(text.slice(at, found), html`<mark>${text.slice(found, found + needle.length)}</mark>`)
  }
  return parts.length ? [...parts, text.slice(at)] : text
}

// A UUID takes the space of the text around it. So only its first 8 digits are shown, unless the search matches the rest.
const uuid = /\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi
export const brief = (text, needle = '') => {
  const short = text.replace(uuid, '$1…'), low = needle.toLowerCase()
  return low && text.toLowerCase().includes(low) && !short.toLowerCase().includes(low) ? text : short
}

export const Code = ({text: whole, needle = ''}) => {
  const parts = [], low = needle.toLowerCase(), text = brief(whole, needle)
  // A match of the search may extend over several tokens. The text is then marked without colours.
  let at = 0
  if (!low || !/[^\w•]/.test(low)) {
    for (const match of text.matchAll(pattern)) {
      if (match.index > at) parts.push(marked(text.slice(at, match.index), low))
      const kind = classes[match.slice(1).findIndex(part => part !== undefined) + 1]
      parts.push(kind === 'string' ? html`<bdi class="string">${marked(match[0], low)}</bdi>` : html`<span class=${kind}>${marked(match[0], low)}</span>`)
      at = match.index + match[0].length
    }
  }
  if (at < text.length) parts.push(marked(text.slice(at), low))
  return html`<code class="swift" title=${text === whole ? undefined : whole}><bdi>${parts}</bdi></code>`
}

// A text that may be large: its beginning, with a button that shows the rest.
export const Long = ({text, limit = 600, as: Shown = Code}) => {
  const [isWhole, setIsWhole] = useState(false)
  if (text.length <= limit * 1.2) return html`<${Shown} text=${text} />`
  return html`<${Shown} text=${isWhole ? text : text.slice(0, limit) + '…'} />
    <button class="quiet more" aria-expanded=${isWhole} onClick=${() => setIsWhole(!isWhole)}>
      ${isWhole ? 'less' : `more (${count(text.length, 'character')})`}
    </button>`
}

export const Plain = ({text}) => html`<code><bdi>${text}</bdi></code>`

const icons = {
  first: 'M3.5 3v10 M12.5 3.5 7 8l5.5 4.5', older: 'M10.5 3.5 5 8l5.5 4.5', newer: 'M5.5 3.5 11 8l-5.5 4.5', last: 'M12.5 3v10 M3.5 3.5 9 8l-5.5 4.5',
  help: 'M6 6.2a2 2 0 1 1 2.8 1.9c-.6.3-.8.7-.8 1.4 M8 11.9v.2 M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13Z', back: 'M13 8H3.5 M7.5 3.5 3 8l4.5 4.5', close: 'm4 4 8 8 M12 4l-8 8', filter: 'M2.5 4h11 M4.5 8h7 M6.5 12h3', up: 'M8 13V3.5 M3.5 7.5 8 3l4.5 4.5',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Z m3.3-1.2 3.2 3.2', warn: 'M8 2.5 14.5 13.5h-13Z M8 6.5v3.2 M8 11.6v.2',
}
export const Icon = ({name}) => html`
  <svg class="picture" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d=${icons[name]} /></svg>`

// A button that shows only an icon. Its name is for screen readers and the tooltip.
export const IconButton = ({icon, name, keys, ...others}) => html`
  <button class="icon quiet" type="button" aria-label=${name} title=${keys ? `${name} (${keys})` : name} ...${others}><${Icon} name=${icon} /></button>`

// An error message of the server.
export const Problem = ({failure, again}) => html`
  <div class="problem" role="alert"><${Icon} name="warn" /><p>${failure.message}</p>${again && html`<button onClick=${again}>Try again</button>`}</div>`

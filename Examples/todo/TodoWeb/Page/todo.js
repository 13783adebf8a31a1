// The page: a function of the list as the server sends it, and of the line that is being typed.
import {html, render, useEffect, useMemo, useState} from '/library/render.js'
import {VirtualList} from '/library/virtual-list.js'

const unreachable = 'The server can’t be reached. The list catches up by itself.'
const closed = 'The server has ended the connection. Reload this page, or open the address that the server prints.'

/** Calls `onList` with the list, now and whenever it changes, and `onTrouble` with a problem of the connection, or null. */
function follow(onList, onTrouble) {
  let events
  const open = () => {
    events?.close()
    // A browser opens six connections to a server. A hidden page gives its own back.
    if (document.hidden) return
    events = new EventSource('/api/events')
    events.addEventListener('list', event => {
      onList(JSON.parse(event.data))
      onTrouble(null)
    })
    // The browser reconnects by itself, unless the server has refused the page.
    events.addEventListener('error', ({target}) => onTrouble(target.readyState === EventSource.CLOSED ? closed : unreachable))
  }
  document.addEventListener('visibilitychange', open)
  open()
}

/** Sends a command. Returns `{did}`, the words for what it has done, or `{error}`, the words for why it was refused. */
async function send(command) {
  try {
    const response = await fetch('/api/changes', {
      method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(command),
    })
    const text = await response.text()
    return response.headers.get('Content-Type') === 'application/json' ? JSON.parse(text) : {error: text}
  } catch {
    return {error: 'The server can’t be reached, so that the outcome is unknown. Check the list when it is back.'}
  }
}

const Item = ({item: {id, text, isDone, due, isLate, mark}, place, count, style, act}) => html`
  <li class=${isDone ? 'item done' : 'item'} data-id=${id} aria-posinset=${place + 1} aria-setsize=${count} style=${style}>
    <label>
      <input type="checkbox" checked=${isDone} onChange=${() => act({[isDone ? 'reopen' : 'complete']: {id}})} />
      <bdi class="text">${text}</bdi>
    </label>
    ${due && html`<span class=${isLate ? 'error' : 'muted'}>due ${due}</span>`}
    ${mark && html`<span class="muted">${mark}</span>`}
    <button class="quiet icon" aria-label=${`Remove ${text}`} title="Remove" onClick=${() => act({remove: {id}})}>×</button>
  </li>`

function App() {
  const [list, setList] = useState(null)
  const [trouble, setTrouble] = useState(null)
  const [text, setText] = useState('')
  const [answer, setAnswer] = useState({})
  useEffect(() => follow(setList, setTrouble), [])

  const act = async command => {
    const answer = await send(command)
    setAnswer(answer)
    return !answer.error
  }
  const add = async event => {
    event.preventDefault()
    // A refused line stays. What was typed meanwhile is the beginning of the next one.
    if (await act({add: {text}})) setText(now => now.startsWith(text) ? now.slice(text.length) : now)
  }

  const items = list?.items ?? []
  const ids = useMemo(() => items.map(item => item.id), [list])
  const problem = trouble ?? list?.problem
  return html`
    <header>
      <h1>Todo</h1>
      ${list && html`<p class="muted">${items.filter(item => !item.isDone).length} open</p>`}
      <a href="/inspector/">Inspector</a>
    </header>
    <main>
      <form onSubmit=${add}>
        <input id="add" aria-label="Add an item" placeholder="(A) Call Ann due:2026-12-01 @phone" autocomplete="off" value=${text}
          onInput=${event => setText(event.currentTarget.value)} />
        <button class="primary" disabled=${!text.trim()}>Add</button>
      </form>
      <p id="problem" class="error" role="alert">${problem}</p>
      <p id="sync" class="muted" role="status">${list?.sync}</p>
      ${list && items.length === 0 && html`<p id="empty" class="muted">Nothing to do.</p>`}
      ${items.length > 0 && html`
        <${VirtualList} keys=${ids} rowHeight=${42} label="Items" render=${(place, style) => html`
          <${Item} key=${items[place].id} item=${items[place]} count=${items.length} ...${{place, style, act}} />`} />`}
    </main>
    <footer>
      <button id="undo" onClick=${() => act({undo: {}})}>Undo</button>
      <button id="redo" onClick=${() => act({redo: {}})}>Redo</button>
      <p id="answer" role="status" class=${answer.error ? 'error' : 'muted'}>${answer.error ?? answer.did}</p>
    </footer>`
}

render(html`<${App} />`, document.getElementById('app'))

// The parts of the page around the list.
import {html, useEffect, useRef, useState} from '/library/render.js'
import {keys} from '/todo-keys.js'

const paths = {
  undo: 'M9 14L4 9l5-5M4 9h10a6 6 0 010 12h-3', redo: 'M15 14l5-5-5-5M20 9H10a6 6 0 000 12h3', edit: 'M4 20h4L19 9l-4-4L4 16z',
  more: 'M5 12h.01M12 12h.01M19 12h.01', close: 'M6 6l12 12M18 6L6 18', search: 'M10.5 4a6.5 6.5 0 110 13 6.5 6.5 0 010-13zM20 20l-4.8-4.8',
  remove: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13', add: 'M12 5v14M5 12h14', day: 'M5 6h14v14H5zM5 10h14M9 3v4M15 3v4',
}

/** A drawing that says nothing that isn't said in words beside it. */
export const Icon = ({name}) => html`
  <svg class="glyph" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d=${paths[name]} /></svg>`

/** The line to add an item by. The text stays until it is in the list. */
export function Adding({text, problem, onInput, onSubmit}) {
  return html`
    <form class="adding" onSubmit=${event => { event.preventDefault(); onSubmit() }}>
      <div class="field">
        <${Icon} name="add" />
        <input id="add" data-focus="add" aria-label="Add an item" aria-describedby="add-hint" placeholder="What is to be done?"
          autocomplete="off" enterkeyhint="done" maxlength="1000" value=${text} aria-invalid=${!!problem}
          onInput=${event => onInput(event.currentTarget.value)}
          onKeyDown=${event => { if (event.key === 'Escape') event.currentTarget.blur() }} />
        <button class="primary" type="submit" disabled=${!text.trim()}>Add</button>
      </div>
      <p id="add-hint" class=${problem ? 'problem' : 'hint'} role=${problem ? 'alert' : undefined}>
        ${problem ?? html`For example: <code>(A) Call Ann due:fri @phone</code>`}
      </p>
    </form>`
}

const views = [['open', 'Open'], ['overdue', 'Overdue'], ['all', 'All'], ['done', 'Done']]

/** Which items to show. */
export const Views = ({show, counts, onShow}) => html`
  <nav class="views" aria-label="Which items">
    ${views.map(([name, title]) => html`
      <button key=${name} class="view" aria-pressed=${show === name} onClick=${() => onShow(name)} data-view=${name}>
        <span>${title}</span> <span class=${'count' + (name === 'overdue' && counts.overdue ? ' late' : '')}>${counts[name]}</span>
      </button>`)}
  </nav>`

/** The tags, to show only what has them. */
export const Tags = ({tags, chosen, onTag}) => tags.length > 0 && html`
  <nav class="tags" aria-label="Tags">
    <h2>Tags</h2>
    <ul>
      ${tags.map(tag => html`
        <li key=${tag.name}>
          <button class="view" aria-pressed=${chosen.includes(tag.name)} data-tag=${tag.name} onClick=${() => onTag(tag.name)}>
            <bdi>${tag.name}</bdi> <span class="count">${tag.open}</span>
          </button>
        </li>`)}
    </ul>
  </nav>`

const orders = [['list', 'as they came'], ['due', 'by due day'], ['priority', 'by priority'], ['altered', 'changed last'], ['text', 'by text']]

/** Search, order, and the tags that are chosen. */
export function Filters({query, onSearch, onSort, onTag}) {
  return html`
    <div class="filters" role="search">
      <div class="field">
        <${Icon} name="search" />
        <input id="search" type="search" data-focus="search" aria-label="Search" placeholder="Search" autocomplete="off" value=${query.search}
          maxlength="200" onInput=${event => onSearch(event.currentTarget.value)}
          onKeyDown=${event => {
            if (event.key !== 'Escape') return
            if (event.currentTarget.value) onSearch('')
            else event.currentTarget.blur()
            event.preventDefault()
          }} />
      </div>
      <label class="order"><span>Order</span>
        <select value=${query.sort} onChange=${event => onSort(event.currentTarget.value)}>
          ${orders.map(([name, title]) => html`<option key=${name} value=${name}>${title}</option>`)}
        </select>
      </label>
      ${query.tag.length > 0 && html`
        <ul class="chosen" aria-label="Only what has these tags">
          ${query.tag.map(tag => html`
            <li key=${tag}>
              <button class="chip" aria-label=${`No longer only ${tag}`} onClick=${() => onTag(tag)}><bdi>${tag}</bdi> <${Icon} name="close" /></button>
            </li>`)}
        </ul>`}
    </div>`
}

/** A sentence of the server's: the names in it, ‘quoted’, can't turn its own words around. */
const Told = ({text}) => text.split(/(?<=‘)(.*?)(?=’)/).map((part, place) => place % 2 ? html`<bdi>${part}</bdi>` : part)

/** The buttons for undo and redo, with what they would do. */
export function History({undo, redo, onUndo, onRedo}) {
  const button = (step, name, title, act) => html`
    <button class="step" id=${name} data-focus=${name} disabled=${step.of === undefined} onClick=${act} title=${step.what}>
      <${Icon} name=${name} /> <span class="verb">${title}</span>
      <span class="what">${step.of === undefined ? html`<span class="visually-hidden">: ${step.what}</span>` : html`<span class="visually-hidden">: </span><${Told} text=${step.what} />`}</span>
    </button>`
  return html`
    <div class="history" role="group" aria-label="History">
      ${button(undo, 'undo', 'Undo', onUndo)} ${button(redo, 'redo', 'Redo', onRedo)}
    </div>`
}

/** The notes, and a line to write one by. */
export function Notes({notes, count, text, problem, onInput, onSubmit}) {
  return html`
    <details class="notes">
      <summary>Notes <span class="count">${count}</span></summary>
      <form class="field" onSubmit=${event => { event.preventDefault(); onSubmit() }}>
        <input id="note" data-focus="note" aria-label="Write a note" placeholder="Write a note" autocomplete="off" maxlength="4000" value=${text}
          onInput=${event => onInput(event.currentTarget.value)} />
        <button type="submit" disabled=${!text.trim()}>Note</button>
      </form>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${notes.length > 0 && html`
        <ul>
          ${notes.map(note => html`
            <li key=${note.id}><bdi>${note.text}</bdi>${note.written && html` <time datetime=${note.written}>${when(note.written)}</time>`}</li>`)}
        </ul>`}
    </details>`
}

/** The connection of a synced list, and the number of changes that wait: shown, and read out when it changes. */
export const Connection = ({sync}) => html`
  <p class=${`sync ${sync.isLive ? 'live' : 'off'}`} role="status" aria-live="polite" id="sync">
    <b>Sync: ${sync.connection}${sync.since && ` since ${when(sync.since)}`}.</b>${' '}
    ${sync.unconfirmed > 0 ? `${changes(sync.unconfirmed)} not yet confirmed.` : 'Everything is confirmed.'}
    ${sync.advice && ` ${sync.advice[0].toUpperCase()}${sync.advice.slice(1)}.`}
  </p>`

const changes = count => count === 1 ? '1 change' : `${count} changes`

/** Whether a click is not the second one of a double click, which meets the next change if the first one has removed its own. */
const once = event => event.detail < 2

/** The refused changes of a synced list: what each would have done, and why it was refused. */
export const Refusals = ({refused, onDecide}) => refused.length > 0 && html`
  <section class="refusals" aria-labelledby="refusals-title">
    <h2 id="refusals-title">${changes(refused.length)} refused</h2>
    <p class="hint">A refused change has no effect on the list. It stays here until you decide.</p>
    <ul>
      ${refused.map(({id, what, reason, code}) => html`
        <li key=${id}>
          <div><p class="would"><${Told} text=${what} /></p><p class="why"><bdi>${reason}</bdi> <span class="code">(${code})</span></p></div>
          <button data-focus=${`retry:${id}`} aria-label=${`Retry: ${what}`} onClick=${event => once(event) && onDecide('retry', id)}>Retry</button>
          <button data-focus=${`dismiss:${id}`} aria-label=${`Dismiss: ${what}`} onClick=${event => once(event) && onDecide('dismiss', id)}>Dismiss</button>
        </li>`)}
    </ul>
  </section>`

/** The newest changes of a synced list, with their authors. */
export const Recent = ({history}) => html`
  <details class="notes recent">
    <summary>Recent changes <span class="count">${history.length}</span></summary>
    <ol>
      ${history.map(line => html`
        <li key=${`${line.revision} ${line.time}`}>
          <b><bdi>${line.author ?? 'earlier'}</bdi></b>: <${Told} text=${line.what} />
          ${line.isUnconfirmed && html` <span class="mark unconfirmed">not yet confirmed</span>`}
          ${line.isUndone && ' (undone)'} <time datetime=${line.time}>${when(line.time)}</time>
        </li>`)}
    </ol>
  </details>`

const when = text => new Date(text).toLocaleString('en-GB', {day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit'})

/** The keys. */
export function Help({isOpen, onClose}) {
  const dialog = useRef(null)
  useEffect(() => {
    if (isOpen && !dialog.current.open) dialog.current.showModal()
    if (!isOpen && dialog.current.open) dialog.current.close()
  }, [isOpen])
  return html`
    <dialog ref=${dialog} class="help" aria-labelledby="help-title" onClose=${onClose}
      onClick=${event => { if (event.target === event.currentTarget) onClose() }}>
      <h2 id="help-title">Keys</h2>
      <dl>
        ${keys.map(([key, what]) => html`
          <div key=${key}><dt>${key.split(' ').map(one => html`<kbd>${one}</kbd> `)}</dt><dd>${what}</dd></div>`)}
      </dl>
      <button onClick=${onClose}>Close</button>
    </dialog>`
}

/** The list without an item. */
export function Empty({page, query, onAll}) {
  if (page.counts.all === 0) {
    return html`<div class="empty"><p class="big">Nothing to do.</p><p>Type the first thing above. It is kept, and anything can be undone.</p></div>`
  }
  const isFiltered = query.search.trim() || query.tag.length > 0
  const [big, small] = isFiltered ? ['Nothing found.', 'No item here has all of that.']
    : query.show === 'overdue' ? ['Nothing is overdue.', 'Well done.']
    : query.show === 'done' ? ['Nothing is done yet.', 'Completed items are kept here.']
    : ['All done.', `${page.counts.done} ${page.counts.done === 1 ? 'item is' : 'items are'} behind you.`]
  return html`
    <div class="empty">
      <p class="big">${big}</p><p>${small}</p>
      ${(isFiltered || query.show !== 'all') && html`<button onClick=${onAll}>Show all items</button>`}
    </div>`
}

/**
 * The last event: shown, and read out.
 *
 * @param isEarly Whether the list does not show yet what the message is about.
 * @param onShow Goes to the item that the message is about; null when it can be seen.
 */
export function Message({message, isEarly, onShow, onGone}) {
  const [isHeld, hold] = useState(false)
  useEffect(() => {
    if (!message || isHeld || isEarly || message.isProblem) return
    const timer = setTimeout(onGone, onShow ? 20_000 : 6_000)
    return () => clearTimeout(timer)
  }, [message, isHeld, isEarly, !onShow])
  const isGood = message && !message.isProblem
  const words = message && html`<span><${Told} text=${message.text} /><bdi>${message.name}</bdi></span>`
  return html`
    <div class="messages">
      <p role="status" aria-live="polite" class=${isGood ? 'message' : 'visually-hidden'}
        onMouseEnter=${() => hold(true)} onMouseLeave=${() => hold(false)} onFocusIn=${() => hold(true)} onFocusOut=${() => hold(false)}>
        ${isGood && words}${isGood && onShow && html` <button id="show" data-focus="show" onClick=${onShow}>Show it</button>`}
      </p>
      <p role="alert" class=${message?.isProblem ? 'message wrong' : 'visually-hidden'}>
        ${message?.isProblem && html`${words} <button class="quiet" onClick=${onGone}>Close</button>`}
      </p>
    </div>`
}

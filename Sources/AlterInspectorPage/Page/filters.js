// The search field and the filters of the timeline.
import {html, useEffect, useRef, useState} from '/library/render.js'
import {Icon, IconButton, number, shortOrigin} from './format.js'
import {filterKeys} from './search.js'

const plainKinds = ['initial', 'changes', 'reset', 'undo', 'redo']

export const Filters = ({journal, route, go}) => {
  const set = filterKeys.filter(key => key !== 'q' && route[key])
  const [isOpen, setIsOpen] = useState(set.length > 0)
  const overview = journal.overview
  // Only synced journals have refusals.
  const kinds = overview?.sync || overview?.kinds.refused ? [...plainKinds, 'refused'] : plainKinds
  const change = changes => go(changes, {isStep: true})
  const chosen = route.kind ? route.kind.split(',') : []
  const toggle = kind => change({kind: kinds.filter(other => chosen.includes(other) !== (other === kind)).join(',')})
  return html`
    <search class="filters">
      <div class="filter-line">
        <div class="field">
          <${Icon} name="search" />
          <input id="search" type="search" placeholder="Search changes, causes, origins" aria-label="Search" title="Search (/)" value=${route.q} spellcheck="false"
            autocomplete="off" onInput=${event => change({q: event.target.value})}
            onKeyDown=${event => { if (event.key === 'Escape') { event.target.value === '' ? event.target.blur() : change({q: ''}); event.stopPropagation() } }} />
          ${route.q && html`<${IconButton} icon="close" name="Clear the search" onClick=${() => change({q: ''})} />`}
        </div>
        <button class=${set.length ? 'filter-toggle on' : 'filter-toggle'} aria-expanded=${isOpen} aria-controls=${isOpen ? 'filter-panel' : undefined} onClick=${() => setIsOpen(!isOpen)}>
          <${Icon} name="filter" /> Filter${set.length > 0 && html` <span class="badge">${set.length}</span>`}
        </button>
      </div>
      ${isOpen && html`
        <div class="filter-panel" id="filter-panel">
          <fieldset><legend>Kind</legend><div class="chips">${kinds.map(kind => html`
            <label class="chip"><input type="checkbox" checked=${chosen.includes(kind)} onChange=${() => toggle(kind)} />${kind}
              ${overview?.kinds[kind] && html` <span class="muted">${number(overview.kinds[kind])}</span>`}</label>`)}</div></fieldset>
          <label>Origin <select id="filter-origin" value=${route.origin} onChange=${event => change({origin: event.target.value})}>
            <option value="">any</option>
            ${(overview?.origins ?? []).map(({origin, count}) => html`<option value=${origin}>${shortOrigin(origin)} (${number(count)})</option>`)}
          </select></label>
          ${overview?.scopes.length > 1 && html`<label>Scope <select value=${route.scope} onChange=${event => change({scope: event.target.value})}>
            <option value="">any</option>${overview.scopes.map(scope => html`<option value=${scope}>${scope}</option>`)}</select></label>`}
          <label>Undone <select id="filter-undone" value=${route.undone} onChange=${event => change({undone: event.target.value})}>
            <option value="">either</option><option value="true">undone</option><option value="false">in force</option></select></label>
          <label>From <input type="datetime-local" step="1" value=${route.from} onChange=${event => change({from: event.target.value})} /></label>
          <label>To <input type="datetime-local" step="1" value=${route.to} onChange=${event => change({to: event.target.value})} /></label>
          ${set.length > 0 && html`<button class="quiet" onClick=${() => change(Object.fromEntries(set.map(key => [key, ''])))}>Clear</button>`}
        </div>`}
    </search>`
}

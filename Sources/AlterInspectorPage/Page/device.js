// The part of a synced journal that is not in its entries: a status line for every view, and the lists of a device's file.
import {html, useState} from '/library/render.js'
import {Reference} from './detail.js'
import {Icon, Kind, Long, Origin, Plain, Problem, count, exactTime, fullTime, number, shortTime} from './format.js'
import {useAnswer} from './hooks.js'

const page = 100

// Whether the journal is a device's copy of a server's journal, so that its file has an outbox.
export const isMirror = overview => overview?.sync?.role === 'mirror'

export const Status = ({overview, go}) => {
  const sync = overview?.sync
  if (!sync) return null
  if (sync.problem) return html`<p class="banner bad" role="alert"><${Icon} name="warn" /> <span>${sync.problem}</span></p>`
  const {device} = sync
  const to = text => html`<a href="#view=device" onClick=${event => { event.preventDefault(); go({view: 'device'}) }}>${text}</a>`
  return html`
    <div class="sync" role="note" aria-label="Sync">
      ${sync.role === 'server' ? html`<span>A server decides this journal.</span>`
        : html`<span>A device’s copy of a server’s journal${device && html`, of <b><bdi>${device.principal}</bdi></b>`}</span>`}
      <span>${sync.generation ? html`generation <code>${sync.generation}</code>` : 'no contact with the server yet'}</span>
      ${device && html`<span>${to(`${number(device.drafts)} in the outbox`)}</span><span>${to(`${number(device.refusals)} refused`)}</span>`}
      ${overview.floor > 0 && html`<span>begins after ${number(overview.floor)}</span>`}
    </div>`
}

export const Device = ({journal, go}) => {
  const {overview} = journal
  if (!isMirror(overview)) {
    return html`<div class="view"><p class="note">This journal has no outbox: only a device’s copy of a server’s journal has one.</p></div>`
  }
  const {sync: {device, generation, former}, floor, revision} = overview
  // The row of the device is damaged. The status reports it.
  if (!device) return html`<div class="view"><p class="note">The lists of the device can’t be read.</p></div>`
  const facts = [
    ['User', html`<bdi>${device.principal}</bdi>`],
    ['Generation', generation ? html`<code>${generation}</code>${former > 0 && html` <span class="muted">after ${count(former, 'former one')}</span>`}` : 'no contact with the server yet'],
    ['Floor', floor > 0 ? html`${number(floor)} <span class="muted">(entries up to it are not in this file)</span>` : 'none: the file has all entries'],
    ['Entries', number(revision - floor)],
    ['Origins', number(device.origins)], ['Transactions', number(device.transactions)],
  ]
  return html`
    <div class="view" tabindex="0" role="region" aria-label="Device">
      <section class="card wide"><h2>This device</h2>
        <dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
        <p class="note">The timeline and the states on this page are the server’s. They do not contain the changes in the outbox.</p>
      </section>
      <${List} id="outbox" title="Outbox" size=${device.drafts} none="The outbox is empty: the server has decided every change of this device."
        about=${`Changes that wait for the server, in the order in which they are sent.${device.decided > 0 ? ` ${number(device.decided)} of them are decided, and wait for their entries.` : ''}`} ...${{journal, go}} />
      <${List} id="refusals" title="Refused" size=${device.refusals} none="The server has refused no change that is still listed."
        about="Changes that the server has refused, until their user retries or dismisses them." ...${{journal, go}} />
      ${device.awaited > 0 && html`<${List} id="awaited" title="Awaited" size=${device.awaited}
        about="Changes that the server had accepted before its journal was restored. Their entries must arrive again." ...${{journal, go}} />`}
      ${device.verdicts > 0 && html`<${Verdicts} journal=${journal} size=${device.verdicts} />`}
    </div>`
}

// One of the lists. Its pages are loaded on request.
const List = ({id, title, size, about, none, journal, go}) => {
  // The place after which each loaded page begins.
  const [starts, setStarts] = useState([null])
  return html`
    <section class="card wide" aria-labelledby=${`title-${id}`}><h2 id=${`title-${id}`}>${title} <span class="badge">${number(size)}</span></h2>
      ${size === 0 ? html`<p class="note">${none}</p>` : html`<p>${about}</p>
        <ol class="drafts" id=${id}>${starts.map((after, index) => html`
          <${Drafts} key=${after ?? 'first'} list=${id} after=${after} end=${starts[index + 1]} onMore=${next => setStarts([...starts, next])} ...${{journal, go}} />`)}</ol>`}
    </section>`
}

const Drafts = ({list, after, end, onMore, journal, go}) => {
  const {answer, failure} = useAnswer('drafts', {list, after, limit: page}, [list, after, journal.version, journal.returns], {patience: 300})
  if (failure && !answer) return html`<li><${Problem} failure=${failure} /></li>`
  if (!answer) return html`<li class="note">Loading …</li>`
  // Drafts that have left the list let later ones move up. The next page has those already.
  const shown = end === undefined ? answer.drafts : answer.drafts.filter(({place}) => place <= end)
  return html`${shown.map(draft => html`<${Draft} key=${draft.place} draft=${draft} go=${go} />`)}
    ${end === undefined && answer.next !== null && html`<li class="more-drafts"><button id=${`more-${list}`} onClick=${() => onMore(answer.next)}>Show more</button></li>`}`
}

const Draft = ({draft, go}) => {
  if (!draft.origin) return html`<li class="draft"><p class="damage"><${Icon} name="warn" /> <span>Damaged: ${draft.problem}</span></p></li>`
  const {cause} = draft, facts = []
  if (draft.reason !== null) facts.push(html`<b><bdi>${draft.reason}</bdi></b>`)
  if (cause?.requires) facts.push(html`requires <${Reference} to=${cause.requires} go=${go} />`)
  if (cause?.retries) facts.push(html`retries <${Reference} to=${cause.retries} go=${go} />`)
  if (cause?.feedback) facts.push(html`by the feedback <b><bdi>${cause.feedback}</bdi></b>`)
  for (const [key, value] of Object.entries(cause?.metadata ?? {})) facts.push(html`<bdi>${key}</bdi> <b><bdi>${value}</bdi></b>`)
  if (draft.scope !== 'journal') facts.push(html`undo scope <bdi>${draft.scope}</bdi>`)
  return html`
    <li class="draft">
      <div class="about-line"><span><${Origin} origin=${draft.origin} /> <span class="numerals" title=${`draft ${draft.sequence} of the origin ${draft.origin}`}>#${number(draft.sequence)}</span></span>
        <time title=${`${fullTime(draft.time)} (${exactTime(draft.time)})`}>${shortTime(draft.time)}</time><${Kind} kind=${draft.kind} />
        ${draft.verdict !== null && html`<span class=${`kind ${draft.verdict === 'accepted' ? 'accepted' : 'refused'}`}>${draft.verdict}${draft.revision !== null && ` at ${number(draft.revision)}`}</span>`}</div>
      <div class="about-change"><${Long} text=${draft.text} limit=${240} /></div>
      ${facts.length > 0 && html`<ul class="relations">${facts.map(fact => html`<li>${fact}</li>`)}</ul>`}
      ${draft.problem !== null && html`<p class="damage"><${Icon} name="warn" /> <span>Damaged: ${draft.problem}</span></p>`}
      <details><summary>As stored</summary>
        <p class="muted">Hash <code class="breaks">${draft.hash}</code>; schema ${draft.schema}; origin <code class="breaks">${draft.origin}</code></p>
        <pre class="block"><${Long} text=${JSON.stringify(draft.payload, null, 2)} limit=${4000} as=${Plain} /></pre></details>
    </li>`
}

const range = (first, length, join) => length === 0 ? number(first) : `${number(first)}${join}${number(first + length)}`

const Verdicts = ({journal, size}) => {
  const {answer, failure} = useAnswer('verdicts', {limit: 500}, [journal.version, journal.returns], {patience: 300})
  return html`
    <section class="card wide" aria-labelledby="title-verdicts"><h2 id="title-verdicts">Verdicts without entries <span class="badge">${number(size)}</span></h2>
      <p>Changes of this device that were decided, and whose entries are not in this file.</p>
      ${failure && !answer ? html`<${Problem} failure=${failure} />` : !answer ? html`<p class="note">Loading …</p>` : html`<div class="table"><table id="verdicts">
        <thead><tr><th>Origin</th><th>Drafts</th><th>Verdict</th><th class="right">Revisions</th></tr></thead>
        <tbody>${answer.verdicts.map(verdict => html`<tr><td><${Origin} origin=${verdict.origin} /></td>
          <td class="numerals">#${range(verdict.first, verdict.last - verdict.first, '–')}</td><td><bdi>${verdict.verdict}</bdi></td>
          <td class="right numerals">${verdict.revision === null ? 'none' : range(verdict.revision, verdict.last - verdict.first, '–')}</td></tr>`)}</tbody></table></div>
        ${answer.count > answer.verdicts.length && html`<p class="note">and ${number(answer.count - answer.verdicts.length)} more: see <code>alter outbox --all</code></p>`}`}
    </section>`
}

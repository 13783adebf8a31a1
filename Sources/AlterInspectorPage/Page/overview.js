// The journal as a whole: its properties, its writers, its verification, and its export.
import {html, useState} from '/library/render.js'
import {address, ask} from './api.js'
import {isMirror} from './device.js'
import {Origin, Problem, ago, bytes, count, duration, fullTime, number} from './format.js'
import {useAnswer} from './hooks.js'

export const Overview = ({journal, go}) => {
  const overview = journal.overview
  if (!overview) return html`<p class="note">Loading …</p>`
  const entries = overview.revision - overview.floor
  const facts = [
    ['Journal', html`<code class="breaks">${overview.journal}</code>`],
    ['Entries', html`${number(entries)}${overview.takenBack > 0 && html`, ${number(overview.takenBack)} of them undone`}`],
    ['Checksum', html`<code class="breaks">${overview.checksum}</code>`],
    ['Schema', overview.schema ?? 'none yet'],
    ['States', overview.types ? html`of <code>${overview.types}</code>, at every revision` : 'only those that the journal itself holds, because the app’s types are not available'],
    ['First entry', overview.firstTime === null ? 'none yet' : html`${fullTime(overview.firstTime)} <span class="muted">(${ago(overview.firstTime)})</span>`],
    ['Last entry', overview.lastTime === null ? 'none yet' : html`${fullTime(overview.lastTime)} <span class="muted">(${ago(overview.lastTime)})</span>`],
    ['Undo scopes', html`<bdi>${overview.scopes.join(', ') || 'none yet'}</bdi>`],
  ]
  if (overview.floor > 0) facts.splice(1, 0, ['Floor', html`${number(overview.floor)} <span class="muted">(the entries up to it are not in this file)</span>`])
  if (overview.sync?.role === 'server') {
    facts.push(['Generation', html`<code>${overview.sync.generation ?? 'none'}</code>${overview.sync.former > 0 && html` <span class="muted">after ${count(overview.sync.former, 'former one')}</span>`}`],
      ['Decides', html`drafts up to schema ${overview.sync.accepts}`])
  }
  if (overview.hidden.length) facts.push(['Hidden', html`${overview.hidden.map((key, index) => html`${index > 0 && ', '}<code>${key}</code>`)}: shown as •••, here and in the export`])
  return html`
    <div class="view" tabindex="0" role="region" aria-label="Overview">
      <div class="cards">
        <section class="card"><h2><bdi>${overview.name}</bdi></h2>
          <dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
          ${!journal.isCounted && html`<p class="note" role="status">Reading: ${number(overview.indexed)} of ${number(entries)} entries are counted so far.</p>`}
        </section>
        <${Check} journal=${journal} go=${go} />
        <section class="card"><h2>Kinds</h2><${Shares} of=${Object.entries(overview.kinds).map(([name, count]) => ({name, count})).sort((a, b) => b.count - a.count)}
          pick=${({name}) => go({view: 'timeline', r: null, kind: name})} /></section>
        <section class="card"><h2>Origins</h2><${Shares} of=${overview.origins.slice(0, 12).map(({origin, count, last}) => ({name: origin, count, last}))}
          show=${({name}) => html`<${Origin} origin=${name} />`} pick=${({name}) => go({view: 'timeline', r: null, origin: name})} />
          ${overview.origins.length > 12 && html`<p class="note">and ${number(overview.origins.length - 12)} more</p>`}</section>
        ${overview.conditions.length > 0 && html`<${Bisect} conditions=${overview.conditions} first=${journal.first} head=${overview.revision} go=${go} />`}
        <${Sizes} journal=${journal} go=${go} />
      </div>
    </div>`
}

const Shares = ({of, show = ({name}) => name, pick}) => {
  const most = Math.max(1, ...of.map(({count}) => count))
  if (of.length === 0) return html`<p class="note">None yet.</p>`
  return html`<ul class="shares">${of.map(share => html`
    <li><button class="quiet share" onClick=${() => pick(share)} title="Show these entries">
      <bdi class="share-name">${show(share)}</bdi><span class="bar" aria-hidden="true"><span style=${{width: `${Math.max(share.count / most * 100, 0.5)}%`}}></span></span>
      <span class="share-count numerals">${number(share.count)}</span></button></li>`)}</ul>`
}

const Check = ({journal, go}) => {
  const [state, setState] = useState({})
  const verify = async () => {
    setState({isRunning: true})
    try { setState({answer: await ask('verify')}) } catch (failure) { setState({failure}) }
  }
  const {answer, failure, isRunning} = state
  const isExported = journal.floor === 0 || !isMirror(journal.overview)
  return html`
    <section class="card"><h2>Soundness</h2>
      <p>The checksum of an entry covers its bytes and the checksum of the previous entry. Verifying reads all entries${journal.floor > 0 && ', the state at the floor'}${isMirror(journal.overview) && ', the outbox and the verdicts'}.</p>
      <p class="actions"><button class="primary" id="verify" disabled=${isRunning} onClick=${verify}>${isRunning ? 'Verifying …' : 'Verify'}</button>
        ${isExported && html`<a class="button" id="export" href=${address('export')} download="">Export as JSON lines</a>`}</p>
      ${!isExported && html`<p class="note" id="no-export">A device’s copy that begins after a floor can’t be exported. A backup (<code>SQLiteJournal.backup(to:)</code>) keeps it whole, with its outbox.</p>`}
      <div role="status">
        ${failure && html`<${Problem} failure=${failure} />`}
        ${answer && (answer.isSound
          ? html`<p class="verdict ok"><b>Sound.</b> ${count(answer.revision - answer.floor, 'entry', 'entries')}${answer.sync?.device && `, ${count(answer.sync.device.drafts, 'draft')} in the outbox and ${count(answer.sync.device.refusals, 'refusal')}`} verified in ${answer.seconds < 10 ? `${answer.seconds.toFixed(2)} s` : duration(answer.seconds)}.</p>`
          : html`<div class="verdict bad"><p><b>${answer.findings.length ? 'Unreadable' : 'Damaged'}${answer.at ? html` at <a href=${`#r=${answer.at}&tab=entry`} onClick=${event => { event.preventDefault(); go({view: 'timeline', r: answer.at, tab: 'entry'}) }}>${number(answer.at)}</a>` : ''}.</b> ${answer.problem}</p>${answer.findings.slice(1).map(finding => html`<p>${finding.problem}</p>`)}</div>`)}
      </div>
    </section>`
}

const Bisect = ({conditions, first, head, go}) => {
  const [state, setState] = useState({})
  const bisect = async event => {
    event.preventDefault()
    const fields = event.target.elements
    setState({isRunning: true})
    try {
      setState({answer: await ask('bisect', {condition: fields.condition.value, from: fields.from.value, to: fields.to.value, scan: fields.scan.checked ? 'true' : ''})})
    } catch (failure) { setState({failure}) }
  }
  const {answer, failure, isRunning} = state
  return html`
    <section class="card"><h2>Bisect</h2>
      <p>Finds the entry at which a condition changes.</p>
      <form class="bisect" onSubmit=${bisect}>
        <label>Condition <select name="condition">${conditions.map(name => html`<option value=${name}>${name}</option>`)}</select></label>
        <label>From <input name="from" inputmode="numeric" size="9" defaultValue=${first} /></label>
        <label>To <input name="to" inputmode="numeric" size="9" defaultValue=${head} /></label>
        <label class="check"><input name="scan" type="checkbox" /> find the first change, if there are several (slower)</label>
        <button disabled=${isRunning}>${isRunning ? 'Searching …' : 'Find'}</button>
      </form>
      <div role="status">
        ${failure && html`<${Problem} failure=${failure} />`}
        ${answer && (answer.revision === null ? html`<p class="verdict">No change was found: the condition is ${answer.is ? 'true' : 'false'} at both ends.</p>`
          : html`<p class="verdict ok">The condition becomes ${answer.is ? 'true' : 'false'} at <a href=${`#r=${answer.revision}`} onClick=${event => { event.preventDefault(); go({view: 'timeline', r: answer.revision, tab: 'difference'}) }}>${number(answer.revision)}</a>.</p>`)}
      </div>
    </section>`
}

const Sizes = ({journal, go}) => {
  const {answer: stats, failure} = useAnswer('stats', {}, [journal.returns, journal.isCounted])
  if (failure) return html`<section class="card"><h2>Sizes</h2><${Problem} failure=${failure} /></section>`
  if (!stats) return html`<section class="card"><h2>Sizes</h2><p class="note">Counting …</p></section>`
  const {payloads, snapshots, feedbacks} = stats
  return html`
    <section class="card"><h2>Sizes</h2>
      <dl class="facts">
        <div><dt>Total</dt><dd>about ${bytes(stats.bytes)}</dd></div>
        <div><dt>Payloads</dt><dd>median ${bytes(payloads.median)}; largest ${bytes(payloads.largest)}${payloads.revision && html`, <a href=${`#r=${payloads.revision}`} onClick=${event => { event.preventDefault(); go({view: 'timeline', r: payloads.revision, tab: 'entry'}) }}>${number(payloads.revision)}</a>`}</dd></div>
        <div><dt>Snapshots</dt><dd>${snapshots.length === 0 ? 'none' : html`${number(snapshots.length)}; the newest at ${number(snapshots[0].revision)}, ${bytes(snapshots[0].bytes)}`}</dd></div>
        ${feedbacks.length > 0 && html`<div><dt>Answers</dt><dd>${feedbacks.map(({name, count}) => `${name} ${number(count)}`).join(', ')}</dd></div>`}
      </dl>
      <${Days} days=${stats.days.slice(-90)} />
    </section>`
}

const Days = ({days}) => {
  if (days.length < 2) return null
  const most = Math.max(...days.map(day => day.count))
  return html`
    <figure class="days"><div class="day-bars" role="img" aria-label=${`Entries a day, ${days[0].name} to ${days.at(-1).name}, at most ${number(most)}`}>
      ${days.map(day => html`<span title=${`${day.name}: ${count(day.count, 'entry', 'entries')}`}><i style=${{height: `${Math.max(day.count / most * 100, 1)}%`}}></i></span>`)}</div>
    <figcaption><span>${days[0].name}</span><span>at most ${number(most)} a day (UTC)</span><span>${days.at(-1).name}</span></figcaption></figure>`
}

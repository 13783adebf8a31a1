// The feedbacks: requests in flight, the leases under which processes may perform them, and answers.
import {html} from '/library/render.js'
import {Code, Origin, Problem, ago, count, duration, fullTime, number, shortTime} from './format.js'
import {useAnswer, useNow} from './hooks.js'

const phases = {waiting: 'waits for its lease or for other effects', running: 'is being performed', pausing: 'has failed, and is repeated after a pause', settling: 'its answer is on its way to the journal', stuck: 'nothing more is done; see the problems of the store'}

export const Feedback = ({journal, go}) => {
  const {answer, failure} = useAnswer('feedback', {}, [journal.version, journal.returns], {patience: 300})
  const now = useNow()
  if (failure && !answer) return html`<div class="view"><${Problem} failure=${failure} /></div>`
  if (!answer) return html`<p class="note">Loading …</p>`
  const effects = answer.isLive ? journal.effects : []
  const to = revision => revision ? html`<a href=${`#r=${revision}`} onClick=${event => { event.preventDefault(); go({view: 'timeline', r: revision}) }}>${number(revision)}</a>` : html`<span class="muted">none</span>`
  return html`
    <div class="view" tabindex="0" role="region" aria-label="Feedback">
      <section class="card wide"><h2>In flight</h2>
        ${!answer.isLive ? html`<p class="note">This page reads the journal from outside the app. Only the page that the running app itself serves shows the requests in flight. The leases and the answers are below.</p>`
          : effects.length === 0 ? html`<p class="note">Nothing is being performed.</p>`
          : html`<div class="table"><table id="effects">
            <thead><tr><th>Feedback</th><th>Request</th><th>Phase</th><th class="right">Since</th><th class="right">Cause</th></tr></thead>
            <tbody>${effects.map(effect => html`<tr key=${effect.feedback + '\n' + effect.subject}>
              <td><b><bdi>${effect.feedback}</bdi></b>${effect.subject && html` <bdi class="muted">${effect.subject}</bdi>`}</td><td><${Code} text=${effect.request} /></td>
              <td><span class=${`phase ${effect.phase}`} title=${phases[effect.phase]}>${effect.phase}</span>${effect.depth > 0 && html` <span class="muted" title="The number of answers that led to it">${count(effect.depth, 'round')}</span>`}</td>
              <td class="right numerals" title=${fullTime(effect.since)}>${duration(Math.max(0, (now - effect.since / 1000) / 1000))}</td><td class="right numerals">${to(effect.cause)}</td></tr>`)}</tbody></table></div>`}
      </section>
      <div class="cards">
        <section class="card"><h2>Leases</h2>
          ${answer.leases.length === 0 ? html`<p class="note">There are no leases yet.</p>` : html`<div class="table"><table id="leases">
            <thead><tr><th>Name</th><th>Holder</th><th class="right">Epoch</th><th>Expires</th></tr></thead>
            <tbody>${answer.leases.map(lease => html`<tr key=${lease.name}><td><b><bdi>${lease.name}</bdi></b></td><td><${Origin} origin=${lease.holder} /></td><td class="right numerals">${number(lease.epoch)}</td>
              <td>${lease.isInForce ? html`<span class="phase running">in force</span> <span class="muted">expires ${ago(lease.expires, now)}</span>` : html`<span class="muted">expired ${ago(lease.expires, now)}</span>`}</td></tr>`)}</tbody></table></div>`}
        </section>
        <section class="card"><h2>Answers</h2>
          ${answer.answers.length === 0 ? html`<p class="note">No feedback has answered yet.</p>` : html`<div class="table"><table id="answers">
            <thead><tr><th class="right">Entry</th><th>Time</th><th>Feedback</th><th class="right">Answers</th></tr></thead>
            <tbody>${answer.answers.map(row => html`<tr key=${row.revision}><td class="right numerals">${to(row.revision)}</td><td class="numerals" title=${fullTime(row.time)}>${shortTime(row.time)}</td>
              <td><bdi>${row.feedback}</bdi></td><td class="right numerals">${to(row.request)}</td></tr>`)}</tbody></table></div>`}
        </section>
      </div>
    </div>`
}

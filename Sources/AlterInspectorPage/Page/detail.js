// One revision: its state, its difference from another state, and the entry itself.
import {html, useEffect, useState} from '/library/render.js'
import {IconButton, Kind, Long, Origin, Plain, Problem, ago, brief, bytes, count, exactTime, fullTime, nameOf, number} from './format.js'
import {useAnswer} from './hooks.js'
import {linkTo} from './route.js'
import {State} from './tree.js'

const tabs = {state: 'State', difference: 'Difference', entry: 'Entry'}

// A link to another revision. A click keeps the rest of the route.
const To = ({revision, go}) => html`<a href=${linkTo(revision)} onClick=${event => { event.preventDefault(); go({view: 'timeline', r: revision}) }}>${number(revision)}</a>`
const All = ({revisions, go}) => revisions.map((revision, index) => html`${index > 0 && ', '}<${To} revision=${revision} go=${go} />`)

// The name of an entry or a draft; a link if the journal has the entry.
export const Reference = ({to, go}) => to.revision === null ? html`<code title=${`draft ${to.sequence} of the origin ${to.origin}`}>${nameOf(to)}</code>` : html`<${To} revision=${to.revision} go=${go} />`

// The explanation of a revision that has no entry in the file of a device.
const Ground = ({journal, selected, go}) => html`
  <p class="note warn" role="note">${selected === journal.floor
    ? html`The file begins with the state at <b>${number(selected)}</b>, its floor. The entries up to it are not in the file: the journal was compacted, or is a device’s copy of a server’s journal.`
    : html`Entry <b>${number(selected)}</b> is not in this file, which begins after its floor. The state at the floor, <${To} revision=${journal.floor} go=${go} />, is the earliest one.`}</p>`

export const Detail = ({journal, route, go, selected, isAlone}) => {
  const {answer, failure, isLoading} = useAnswer(`entry/${selected}`, {}, [selected, journal.version, journal.returns], {patience: 120, when: selected > journal.floor})
  // The floor and the revisions below it have no entry.
  const isGround = selected <= journal.floor
  const known = answer?.revision === selected ? answer : null
  const row = known ?? journal.row(selected)
  const move = event => {
    const names = Object.keys(tabs), at = names.indexOf(route.tab)
    const next = {ArrowRight: names[(at + 1) % 3], ArrowLeft: names[(at + 2) % 3], Home: names[0], End: names[2]}[event.key]
    if (!next) return
    event.preventDefault()
    event.stopPropagation()
    go({tab: next}, {isStep: true})
    event.currentTarget.querySelector(`#tab-${next}`).focus()
  }
  return html`
    <section class="detail" aria-label=${`Revision ${selected}`}>
      <header class="about">
        <div class="about-line">
          ${isAlone && html`<${IconButton} icon="back" name="Back to the timeline" id="back" onClick=${() => go({r: null})} />`}
          <h2 class="numerals">${number(selected)}</h2>
          ${row && html`<${Kind} kind=${row.kind} /><${Origin} origin=${row.origin} />
            <time title=${exactTime(row.time)}>${fullTime(row.time)}</time>`}
        </div>
        ${row && html`<div class=${row.undone ? 'about-change undone' : 'about-change'}><${Long} key=${selected} text=${row.text} limit=${240} /></div>`}
        ${row && html`<${Relations} ...${{row, known, go}} />`}
        ${isGround ? html`<${Ground} ...${{journal, selected, go}} />` : failure && html`<${Problem} failure=${failure} />`}
      </header>
      <div class="tabs" role="tablist" aria-label="Parts of the revision" onKeyDown=${move}>
        ${Object.entries(tabs).map(([name, title]) => html`
          <button role="tab" id=${`tab-${name}`} aria-selected=${route.tab === name} aria-controls="panel" tabindex=${route.tab === name ? 0 : -1}
            onClick=${() => go({tab: name}, {isStep: true})}>${title}</button>`)}
      </div>
      <div class="panel" id="panel" role="tabpanel" aria-labelledby=${`tab-${route.tab}`} tabindex=${route.tab === 'state' ? undefined : 0}>
        ${selected < journal.first || (isGround && route.tab === 'entry') ? null
          : route.tab === 'state' ? html`<${State} journal=${journal} selected=${selected} />`
          : route.tab === 'difference' ? html`<${Difference} ...${{journal, route, go, selected}} />`
          : known && route.tab ? html`<${Entry} entry=${known} isLoading=${isLoading} go=${go} />` : !failure && html`<p class="note">Loading the entry …</p>`}
      </div>
    </section>`
}

// The relations of an entry to others.
const Relations = ({row, known, go}) => {
  const facts = []
  const answers = row.cause?.answers
  if (answers) facts.push(html`answers <${To} revision=${answers} go=${go} />${row.cause.feedback && html` by <b><bdi>${row.cause.feedback}</bdi></b>`}`)
  else if (row.cause?.feedback) facts.push(html`by the feedback <b><bdi>${row.cause.feedback}</bdi></b>`)
  if (known?.answers.length) facts.push(html`answered by <${All} revisions=${known.answers} go=${go} />`)
  const targets = known?.takesBack.length ? known.takesBack : row.targets
  if (targets.length) facts.push(html`undoes <${All} revisions=${targets} go=${go} />`)
  if (known?.takenBackBy) facts.push(html`undone by <${To} revision=${known.takenBackBy} go=${go} />`)
  else if (row.undone) facts.push('undone')
  if (row.refusal) facts.push(html`the server refused the draft <code>${nameOf({...row, revision: null})}</code>: <b><bdi>${row.refusal.reason ?? row.refusal.code}</bdi></b>`)
  if (row.cause?.requires) facts.push(html`requires <${Reference} to=${row.cause.requires} go=${go} />`)
  if (row.cause?.retries) facts.push(html`retries <${Reference} to=${row.cause.retries} go=${go} />`)
  if (row.suppressed) facts.push('refused by the state, so not part of it')
  for (const [key, value] of Object.entries(row.cause?.metadata ?? {})) facts.push(html`<bdi>${key}</bdi> <b><bdi>${value}</bdi></b>`)
  return facts.length > 0 && html`<ul class="relations">${facts.map(fact => html`<li>${fact}</li>`)}</ul>`
}

const Difference = ({journal, route, go, selected}) => {
  const from = route.against ?? selected - 1
  const {answer, failure, isLoading} = useAnswer('diff', {from, to: selected, limit: 500}, [from, selected, journal.returns], {when: from >= journal.first, patience: 150})
  const compare = text => {
    const revision = Number(text.replace(/[^0-9]/g, ''))
    go({against: revision > 0 && revision !== selected - 1 ? Math.min(revision, journal.head) : null}, {isStep: true})
  }
  return html`
    <div class="difference">
      <form class="tools" onSubmit=${event => { event.preventDefault(); compare(event.target.elements.against.value) }}>
        <label>Compared with ${html`<input key=${from} id="against" name="against" inputmode="numeric" autocomplete="off" size="9" defaultValue=${from > 0 ? number(from) : ''}
          onChange=${event => compare(event.target.value)} onKeyDown=${event => { if (event.key === 'Escape') event.target.blur() }} />`}</label>
        <button type="button" aria-pressed=${route.against === null} class=${route.against === null ? 'toggle on' : 'toggle'} onClick=${() => go({against: null}, {isStep: true})}>the previous one</button>
      </form>
      ${from < journal.first ? html`<p class="note">${journal.floor > 0 ? `There is no state before ${number(journal.floor)}, the floor, in this file.` : 'This is the first entry: there is nothing before it.'}</p>`
        : failure ? html`<${Problem} failure=${failure} />`
        : !answer ? html`<p class="note">Comparing …</p>`
        : html`<${Differences} ...${{answer, from, selected, isLoading}} />`}
    </div>`
}

const Differences = ({answer, from, selected, isLoading}) => html`
  ${!answer.exact && html`<p class="note warn" role="note">The compared states are those at <b>${number(answer.from)}</b> and <b>${number(answer.to)}</b>, the nearest states
    before ${number(from)} and ${number(selected)} that the journal itself holds. The app's own <code>inspect</code> command computes the exact states.</p>`}
  <p class="note" role="status">${!answer.exact && answer.from === answer.to ? 'The differences are not known.' : answer.differences.length === 0 ? 'The states are equal.'
    : `${count(answer.differences.length, 'difference')}${answer.isComplete ? '' : ', and there are more'}`}</p>
  <ul class=${isLoading ? 'differences old' : 'differences'}>${answer.differences.map(({path, kind, old, new: now}, index) => html`
    <li key=${`${index}${path}`}>
      <div class="where"><span class=${`badge ${kind}`}>${kind}</span> <code class="path" title=${path}><bdi>${brief(path) || 'state'}</bdi></code></div>
      ${kind === 'moved' ? html`<p class="moved-to">from place ${old} to ${now}</p>` : html`
        ${old !== null && html`<div class="old"><span class="visually-hidden">before: </span><${Long} text=${old} limit=${300} /></div>`}
        ${now !== null && html`<div class="new"><span class="visually-hidden">now: </span><${Long} text=${now} limit=${300} /></div>`}`}
    </li>`)}</ul>`

const Copy = ({text}) => {
  const [done, setDone] = useState(null)
  useEffect(() => {
    if (done === null) return
    const timer = setTimeout(() => setDone(null), 2000)
    return () => clearTimeout(timer)
  }, [done])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setDone('Copied')
    } catch {
      // Browsers allow clipboard access only for pages of this machine and over HTTPS.
      setDone('The browser does not allow copying here')
    }
  }
  return html`<button id="copy" onClick=${copy}>Copy</button> <span role="status" class="muted">${done}</span>`
}

const Entry = ({entry, isLoading, go}) => {
  const facts = [
    ['Time', html`${fullTime(entry.time)} <span class="muted">(${ago(entry.time)})</span><br /><code>${exactTime(entry.time)}</code>`],
    ['Origin', html`<${Origin} origin=${entry.origin} whole />`], ['Sequence', `${number(entry.sequence)} of that origin`],
    ['Kind', entry.kind === 'changes' ? count(entry.changes, 'change') : entry.kind],
    ['Undo scope', html`<bdi>${entry.scope}</bdi>`], ['Schema', entry.schema], ['Size', bytes(entry.size)], ['Checksum', html`<code class="breaks">${entry.checksum}</code>`],
  ]
  if (entry.receipt) facts.push(['Sent by', html`${entry.receipt.principal ? html`${entry.receipt.principal} ` : ''}<code>${entry.receipt.author}</code> <span class="muted">(the pseudonym of a user)</span>`],
    ['Arrived', html`${fullTime(entry.receipt.arrival)} <span class="muted">(by the server’s clock)</span><br /><code>${exactTime(entry.receipt.arrival)}</code>`])
  if (entry.refusal) facts.push(['Refusal', html`<code><bdi>${entry.refusal.code}</bdi></code>`], ['Draft', html`<code class="breaks">${entry.refusal.hash}</code>`])
  if (entry.takesBack.length) facts.push(['Undoes', html`<${All} revisions=${entry.takesBack} go=${go} />`])
  if (entry.takenBackBy) facts.push(['Undone by', html`<${To} revision=${entry.takenBackBy} go=${go} />`])
  if (entry.refusal) facts.push(['In the state', 'no: the server refused the change'])
  else if (entry.isSuppressed !== null) facts.push(['In the state', entry.isSuppressed ? 'no: the state refused it' : 'yes'])
  return html`
    <div class=${isLoading ? 'entry' : 'entry'}>
      <dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
      <h3>Payload</h3>
      <pre class="block" id="payload"><${Long} key=${entry.revision} text=${JSON.stringify(entry.payload, null, 2)} limit=${4000} as=${Plain} /></pre>
      <h3>As exported <${Copy} text=${entry.raw} /></h3>
      <pre class="block raw" id="raw"><${Long} key=${entry.revision} text=${entry.raw} limit=${2000} as=${Plain} /></pre>
    </div>`
}

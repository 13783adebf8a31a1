// The slider over all revisions, with its buttons.
import {html, useEffect, useRef, useState} from '/library/render.js'
import {IconButton, number} from './format.js'
import {clamp} from './timeline.js'

export const Scrubber = ({journal, route, go, selected}) => {
  const {head, first} = journal
  const [typed, setTyped] = useState(null)
  const to = (revision, options = {isStep: true}) => go({r: revision >= head ? null : clamp(revision, first, head)}, options)
  const isFollowing = route.r === null
  const jump = text => {
    const revision = Number(text.replace(/[^0-9]/g, ''))
    setTyped(null)
    // A revision below the floor is explained.
    if (revision > 0) go({r: clamp(revision, 1, head)})
  }
  return html`
    <footer class="scrubber" aria-label="Revisions" role="group">
      <${IconButton} icon="first" name="First revision" disabled=${selected <= first} onClick=${() => to(first)} />
      <${IconButton} icon="older" name="Older" keys="←" disabled=${selected <= first} onClick=${() => to(selected - 1)} />
      <input id="slider" type="range" min=${first} max=${Math.max(head, first + 1)} step="1" value=${selected} style=${{'--done': `${head > first ? Math.max(0, selected - first) / (head - first) * 100 : 100}%`}} aria-label="Revision" aria-valuetext=${`${number(selected)} of ${number(head)}`}
        onInput=${event => to(Number(event.target.value))} />
      <${IconButton} icon="newer" name="Newer" keys="→" disabled=${selected >= head} onClick=${() => to(selected + 1)} />
      <${IconButton} icon="last" name="Newest revision" disabled=${selected >= head} onClick=${() => to(head)} />
      <form class="jump" onSubmit=${event => { event.preventDefault(); jump(event.target.elements.revision.value); event.target.elements.revision.blur() }}>
        <input id="jump" name="revision" inputmode="numeric" autocomplete="off" aria-label="Go to revision" title="Go to revision (g)" size=${number(head).length}
          value=${typed ?? number(selected)} onInput=${event => setTyped(event.target.value)} onFocus=${event => event.target.select()} onBlur=${() => setTyped(null)}
          onKeyDown=${event => { if (event.key === 'Escape') { setTyped(null); event.target.blur(); event.stopPropagation() } }} />
        <span class="of">of ${number(head)}</span>
      </form>
      <button class=${isFollowing ? 'follow on' : 'follow'} aria-pressed=${isFollowing} title="Follow new entries" onClick=${() => go({r: isFollowing ? head : null})}>
        <span class="dot" aria-hidden="true"></span> Newest
      </button>
    </footer>`
}

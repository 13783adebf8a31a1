// A state as a tree. Only the children of open nodes are loaded; long collections are divided into ranges that open separately.
import {html, useEffect, useRef, useRender, useState} from '/library/render.js'
import {ask} from './api.js'
import {Code, Problem, brief, count, number} from './format.js'
import {Observed, useAnswer, useChanges} from './hooks.js'

const page = 100

// The loaded pages of one state.
class Tree extends Observed {
  root = null
  failure = null
  at = null
  exact = true
  #pages = new Map()
  #abort = new AbortController()

  constructor(revision) {
    super()
    this.revision = revision
  }

  async start() {
    try {
      const answer = await this.#ask('', 0)
      this.root = answer.node
      this.at = answer.at
      this.exact = answer.exact
    } catch (failure) {
      if (failure.name === 'AbortError') return
      this.failure = failure
    }
    this.changed()
  }

  end() { this.#abort.abort() }

  // The children of a node from an offset on. If they are not loaded, the call starts loading them.
  children(path, offset) {
    const key = `${path}@${offset}`
    if (!this.#pages.has(key)) {
      this.#pages.set(key, {isLoading: true})
      this.load(path, offset).catch(() => {}).then(() => this.changed())
    }
    return this.#pages.get(key)
  }

  async load(path, offset) {
    const key = `${path}@${offset}`
    const here = this.#pages.get(key)
    if (here?.children) return here
    try {
      return await this.#ask(path, offset) && this.#pages.get(key)
    } catch (failure) {
      this.#pages.set(key, {failure})
      throw failure
    }
  }

  async #ask(path, offset) {
    const answer = await ask('state', {at: this.revision, path, offset, limit: page}, this.#abort.signal)
    this.#pages.set(`${path}@${offset}`, {children: answer.node.children ?? []})
    return answer
  }

  // The visible lines, in order.
  lines(open) {
    const lines = []
    const add = (node, level) => {
      const isOpen = node.count > 0 && open.has(node.path)
      lines.push({key: node.path, node, level, isOpen, canOpen: node.count > 0})
      if (isOpen) inside(node.path, 0, node.count, level + 1)
    }
    const inside = (path, from, to, level) => {
      if (to - from <= page) {
        const {children, failure} = this.children(path, from)
        if (children) for (const child of children) add(child, level)
        else lines.push({key: `${path}@${from}?`, level, text: failure ? failure.message : 'loading …'})
        return
      }
      // A node or a range shows at most 100 lines directly.
      let step = page
      while ((to - from) / step > page) step *= page
      for (let start = from; start < to; start += step) {
        const end = Math.min(start + step, to), key = `${path}@${start}-${end}`
        const isOpen = open.has(key)
        lines.push({key, level, isOpen, canOpen: true, range: [start, end - 1]})
        if (isOpen) inside(path, start, end, level + 1)
      }
    }
    if (!this.root) return lines
    if (this.root.count > 0) inside('', 0, this.root.count, 1)
    else add(this.root, 1)
    return lines
  }

  // The keys of the nodes and ranges that must be open for a path to be visible.
  async way(path) {
    const keys = [], steps = path.split('/').slice(1)
    let node = this.root, at = ''
    for (const step of steps) {
      keys.push(node.path)
      let from = 0, to = node.count
      const index = node.kind === 'array' ? Number(step) : 0
      while (to - from > page) {
        let size = page
        while ((to - from) / size > page) size *= page
        const start = from + Math.floor((index - from) / size) * size
        to = Math.min(start + size, to)
        from = start
        keys.push(`${node.path}@${from}-${to}`)
      }
      const {children} = await this.load(node.path, from)
      at += '/' + step
      node = children.find(child => child.path === at)
      if (!node) break
    }
    return keys
  }
}

const Inexact = ({asked, at}) => html`
  <p class="note warn" role="note">This is the state at <b>${number(at)}</b>, the nearest before ${number(asked)} that the journal itself holds. The
  app's own <code>inspect</code> command computes the states between.</p>`

export const State = ({journal, selected}) => {
  const [open] = useState(() => new Set())
  const [tree, setTree] = useState(null)
  const again = useRender()
  const [search, setSearch] = useState('')
  const [focus, setFocus] = useState(null)
  const last = useRef(0)
  useEffect(() => {
    const next = new Tree(selected)
    // The old tree stays until the new one is loaded.
    const forget = next.observe(() => { if (next.root || next.failure) setTree(next) })
    const isHurried = performance.now() - last.current < 150
    last.current = performance.now()
    const timer = setTimeout(() => next.start(), isHurried ? 150 : 0)
    return () => {
      clearTimeout(timer)
      forget()
      next.end()
    }
  }, [selected, journal.returns])
  const reveal = async path => {
    for (const key of await tree.way(path)) open.add(key)
    setSearch('')
    setFocus(path)
  }
  return html`
    <div class="state">
      <div class="tools">
        <input type="search" id="state-search" placeholder="Search this state" aria-label="Search this state" value=${search} spellcheck="false" autocomplete="off"
          onInput=${event => setSearch(event.target.value)} onKeyDown=${event => { if (event.key === 'Escape') { setSearch(''); event.stopPropagation() } }} />
      </div>
      ${tree && !tree.exact && html`<${Inexact} asked=${tree.revision} at=${tree.at} />`}
      ${!tree ? html`<p class="note">Loading the state …</p>`
        : tree.failure ? html`<${Problem} failure=${tree.failure} />`
        : search ? html`<${Places} text=${search} selected=${selected} reveal=${reveal} />`
        : html`<${Lines} ...${{tree, open, focus, setFocus}} isOld=${tree.revision !== selected} toggle=${key => { open.has(key) ? open.delete(key) : open.add(key); again() }} />`}
    </div>`
}

const Places = ({text, selected, reveal}) => {
  const {answer, failure, isLoading} = useAnswer('state/search', {at: selected, text, limit: 100}, [selected, text], {patience: 200})
  if (failure) return html`<${Problem} failure=${failure} />`
  if (!answer) return html`<p class="note">Searching …</p>`
  return html`
    <p class="note" role="status">${answer.found.length === 0 ? (answer.isComplete ? 'No match.' : 'No match so far: the state is too large for a complete search.')
      : `${count(answer.found.length, 'place')}${answer.isComplete ? '' : ', and there are more'}`}</p>
    <ul class=${isLoading ? 'places old' : 'places'}>${answer.found.map(place => html`
      <li key=${place.path}><button class="quiet place" onClick=${() => reveal(place.path)}>
        <span class="path"><bdi>${brief(place.path.slice(1).replaceAll('/', ' › ').replaceAll('~1', '/').replaceAll('~0', '~')) || 'state'}</bdi></span><${Code} text=${place.text} needle=${text} />
      </button></li>`)}</ul>`
}

const Lines = ({tree, open, focus, setFocus, toggle, isOld}) => {
  useChanges(tree)
  const lines = tree.lines(open)
  const element = useRef()
  const index = lines.findIndex(line => line.key === focus)
  const at = index < 0 ? 0 : index
  useEffect(() => {
    const line = element.current?.querySelector('.focused')
    line?.scrollIntoView({block: 'nearest'})
  }, [focus, index >= 0])
  const to = next => lines[next] && setFocus(lines[next].key)
  const press = event => {
    const line = lines[at]
    if (!line || event.ctrlKey || event.metaKey || event.altKey) return
    const acts = {
      ArrowDown: () => to(at + 1), ArrowUp: () => to(at - 1), Home: () => to(0), End: () => to(lines.length - 1),
      ArrowRight: () => line.canOpen && !line.isOpen ? toggle(line.key) : line.isOpen && to(at + 1),
      ArrowLeft: () => line.isOpen ? toggle(line.key) : to(lines.findLastIndex((other, index) => index < at && other.level < line.level)),
      Enter: () => line.canOpen && toggle(line.key), ' ': () => line.canOpen && toggle(line.key),
    }
    if (!acts[event.key]) return
    acts[event.key]()
    event.preventDefault()
    event.stopPropagation()
  }
  if (lines.length === 0) return html`<p class="note">The state is empty.</p>`
  return html`
    <div class=${isOld ? 'tree old' : 'tree'} role="tree" tabindex="0" ref=${element} aria-label="State" onKeyDown=${press} aria-activedescendant=${`line-${at}`}>
      ${lines.map((line, index) => html`<${Line} key=${line.key} ...${{line, index, tree}} isFocused=${index === at && focus !== null}
        act=${() => { setFocus(line.key); if (line.canOpen) toggle(line.key) }} />`)}
    </div>`
}

const Line = ({line, index, tree, isFocused, act}) => {
  const {node, range, level, canOpen, isOpen} = line
  const [whole, setWhole] = useState(null)
  // A truncated text is loaded in full on request.
  const isCut = node?.kind === 'string' && node.text.endsWith('…')
  const more = async event => {
    event.stopPropagation()
    if (whole !== null) return setWhole(null)
    try { setWhole((await ask('state', {at: tree.revision, path: node.path, limit: 1})).node.text) } catch (failure) { setWhole(failure.message) }
  }
  return html`
    <div class=${`line ${isFocused ? 'focused' : ''} ${canOpen ? 'opens' : ''}`} role="treeitem" id=${`line-${index}`} aria-level=${level}
      aria-expanded=${canOpen ? isOpen : undefined} aria-selected=${isFocused} style=${{'--level': level - 1}} onClick=${act} title=${node?.path}>
      <span class="twist" aria-hidden="true">${canOpen ? (isOpen ? '▾' : '▸') : ''}</span>
      ${node ? html`<span class="key"><bdi>${brief(node.key) || 'state'}</bdi></span>
          ${canOpen && html`<span class="count">${node.kind === 'array' ? `[${number(node.count)}]` : `{${number(node.count)}}`}</span>`}
          ${!isOpen && html`<${Code} text=${whole ?? node.text} />`}
          ${isCut && html`<button class="quiet more" tabindex="-1" aria-expanded=${whole !== null} onClick=${more}>${whole === null ? 'more' : 'less'}</button>`}`
        : range ? html`<span class="range">${number(range[0])} … ${number(range[1])}</span>`
        : html`<span class="muted">${line.text}</span>`}
    </div>`
}

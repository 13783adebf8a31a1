// Renders the pages. Templates become DOM nodes, components hold state, and a change of state updates the nodes that differ.
//
// No data is parsed as HTML: the values in a template become text nodes, attribute values and listeners. Only `html` makes templates, so
// data from a server cannot pass for one.

class Content {
  constructor(template, values) { Object.assign(this, {template, values, key: values[template.key]}) }
}

const templates = new WeakMap()

/**
 * Creates a template: html`<li key=${id} class="item" onClick=${act} ...${others}>${content} <${Component} name=${value} /></li>`.
 *
 * Content is text, a template, or an array; null and booleans render nothing. Every element must be closed. At the ends of a text, white
 * space that contains a line break is removed. Only the single root of a template, or a component, may have a key. A different key gives a
 * different node; in an array, the same key keeps the same node.
 */
export const html = (strings, ...values) => {
  if (!templates.has(strings)) templates.set(strings, parse(strings))
  return new Content(templates.get(strings), values)
}

const token = /<(\/?)(\0|[a-z][\w-]*)((?:"[^"]*"|[^">])*?)(\/?)>|\0|[^<\0]+/y
const attribute = /\s+(?:\.\.\.(\0)|([\w:-]+)(?:=(?:"([^"\0]*)"|(\0)))?)|\s+$/y

const parse = strings => {
  const root = {children: []}, open = [root]
  const fail = what => { throw new SyntaxError(`${what}: ${strings.join('${…}')}`) }
  const matches = function* (pattern, text) {
    for (pattern.lastIndex = 0; pattern.lastIndex < text.length;) yield pattern.exec(text) ?? fail('This template can’t be read')
  }
  let hole = 0
  for (const [all, end, tag, given, isEmpty] of matches(token, strings.join('\0'))) {
    const parent = open.at(-1)
    if (all === '\0') parent.children.push({hole: hole++})
    else if (!tag) parent.children.push(...[all.replace(/^\s*\n\s*|\s*\n\s*$/g, '')].filter(Boolean))
    else if (end) {
      if (open.pop().tag !== tag) fail(`</${tag}> has no matching start tag`)
    } else {
      const node = {tag, children: [], attributes: [], type: tag === '\0' ? hole++ : null}
      parent.children.push(node)
      for (const [, spread, name, fixed = true, isHole] of matches(attribute, given)) {
        if (name === 'key') node.key = hole++
        else if (name || spread) node.attributes.push({name, fixed, hole: spread || isHole ? hole++ : null})
      }
      if (!isEmpty) open.push(node)
      if (node.type !== null && !isEmpty) fail('A component can’t have content')
      if (node.type === null && node.key !== undefined && parent !== root) fail('Only a root can have a key')
    }
  }
  root.key = root.children[0]?.key
  if (open.length > 1 || root.key !== undefined && root.children.length > 1) fail('This is not closed, or has a key and several roots')
  return root
}

/** The place of one value. The nodes that show it end with an anchor; the anchor itself shows a text. */
class Slot {
  anchor = new Text()

  constructor(parent, before = null) { parent.insertBefore(this.anchor, before) }

  first() { return this.view?.first() ?? this.anchor }

  set(value) {
    const {view} = this
    if (value instanceof Content) {
      if (view?.template === value.template && view.key === value.key) view.update(value.values)
      else this.#replace(() => new Instance(value, this.anchor))
    } else if (Array.isArray(value)) {
      if (!(view instanceof List)) this.#replace(() => new List(this.anchor))
      this.view.update(value)
    } else {
      if (view) this.#replace()
      const text = typeof value === 'boolean' ? '' : String(value ?? '')
      if (this.anchor.data !== text) this.anchor.data = text
    }
  }

  show(type, props, key) {
    const {component} = this
    if (component?.type !== type || component.key !== key) {
      component?.end()
      this.#replace()
      this.component = new Component(this, type, key)
    }
    this.component.props = props
    this.component.render()
  }

  // Where the browser supports `moveBefore`, a moved node keeps its focus and scroll position.
  move(before) {
    const parent = this.anchor.parentNode
    for (const node of this.#nodes()) parent.isConnected && parent.moveBefore ? parent.moveBefore(node, before) : parent.insertBefore(node, before)
  }

  end() {
    this.component?.end()
    this.view?.end()
  }

  remove() {
    this.component?.end()
    this.#replace()
    this.anchor.remove()
  }

  * #nodes() {
    for (let node = this.first(), next; node; node = next) {
      next = node === this.anchor ? null : node.nextSibling
      yield node
    }
  }

  #replace(make) {
    this.view?.end()
    for (const node of this.#nodes()) if (node !== this.anchor) node.remove()
    this.anchor.data = ''
    this.view = make?.()
  }
}

/** A template in the document. */
class Instance {
  #parts = []
  #slots = []
  #refs = new Set()

  constructor({template, key, values}, anchor) {
    const nodes = new DocumentFragment()
    Object.assign(this, {template, key, roots: template.children.map(child => this.#build(child, nodes))})
    this.update(values)
    anchor.before(nodes)
  }

  first() { return this.roots[0] instanceof Slot ? this.roots[0].first() : this.roots[0] }

  update(values) { for (const part of this.#parts) part(values) }

  end() {
    for (const slot of this.#slots) slot.end()
    for (const ref of this.#refs) ref.current = null
  }

  #build(node, parent, outer) {
    if (typeof node === 'string') return parent.appendChild(new Text(node))
    const {tag, type, attributes, hole} = node
    if (tag === undefined || type !== null) {
      const slot = new Slot(parent)
      this.#slots.push(slot)
      this.#parts.push(tag ? values => slot.show(values[type], propsOf(node, values), values[node.key]) : values => slot.set(values[hole]))
      return slot
    }
    const space = tag === 'svg' ? 'http://www.w3.org/2000/svg' : outer
    const element = space ? document.createElementNS(space, tag) : document.createElement(tag)
    const known = {}, late = []
    const put = (name, value) => name === 'ref' ? this.#refs.add(Object.assign(value, {current: element})) : assign(element, known, name, value)
    for (const one of attributes) {
      if (one.hole === null) put(one.name, one.fixed)
      else (one.name === 'value' ? late : this.#parts).push(values => Object.entries(propsOf({attributes: [one]}, values)).forEach(pair => put(...pair)))
    }
    for (const child of node.children) this.#build(child, element, space)
    // Set the value of a <select> after its options exist.
    this.#parts.push(...late)
    return parent.appendChild(element)
  }
}

const propsOf = ({attributes}, values) =>
  Object.assign({}, ...attributes.map(({name, fixed, hole}) => name ? {[name]: hole === null ? fixed : values[hole]} : values[hole]))

const assign = (element, known, name, value) => {
  const isNew = !(name in known), before = known[name]
  known[name] = value
  if (/^on/i.test(name)) {
    if (value && typeof value !== 'function') throw new TypeError(`${name} is not a function`)
    if (isNew) element.addEventListener(name.slice(2).toLowerCase(), event => known[name] && known[name](event))
  } else if (name === 'style') {
    for (const property in {...before, ...value}) {
      if (before?.[property] !== value?.[property]) element.style.setProperty(property, value?.[property] ?? '')
    }
  } else if (['value', 'checked', 'defaultValue'].includes(name)) {
    // A person can change these properties, too. So the new value is compared with the element's own.
    const wanted = name === 'checked' ? !!value : String(value ?? '')
    if (element[name] !== wanted) element[name] = wanted
  } else if (before !== value) {
    const isWord = typeof value === 'boolean' && /^(aria|data)-/.test(name)
    const isProgram = name === 'srcdoc' || /(href|src|action)$/i.test(name) && /^javascript:/i.test(`${value}`.replace(/[\0- ]/g, ''))
    if (isProgram || (value ?? false) === false && !isWord) element.removeAttribute(name)
    else element.setAttribute(name, value === true && !isWord ? '' : value)
  }
}

/** An array in the document. A node with the same key is kept, and as few nodes as possible are moved. */
class List {
  items = []

  constructor(anchor) { this.anchor = anchor }

  first() { return this.items[0]?.first() }

  end() { for (const item of this.items) item.end() }

  update(values) {
    const before = new Map(this.items.map((item, place) => [item.key, place])), seen = new Set()
    const keys = values.map((value, index) => {
      const key = value instanceof Content && value.key !== undefined && !seen.has(value.key) ? value.key : `\0${index}`
      seen.add(key)
      return key
    })
    const places = keys.map(key => before.get(key) ?? -1), still = rising(places), items = []
    for (const item of this.items) if (!seen.has(item.key)) item.remove()
    for (let index = keys.length - 1, next = this.anchor; index >= 0; next = items[index--].first()) {
      const item = items[index] = this.items[places[index]] ?? Object.assign(new Slot(next.parentNode, next), {key: keys[index]})
      if (places[index] >= 0 && !still.has(index)) item.move(next)
    }
    this.items = items
    values.forEach((value, index) => items[index].set(value))
  }
}

// The indexes of a longest subsequence of rising places. These items are not moved.
const rising = places => {
  const ends = [], previous = [], run = new Set()
  places.forEach((place, index) => {
    if (place < 0) return
    const length = ends.findLastIndex(end => places[end] < place) + 1
    previous[index] = ends[length - 1]
    ends[length] = index
  })
  for (let index = ends.at(-1); index !== undefined; index = previous[index]) run.add(index)
  return run
}

let current, nextHook, depth = 0, stale = new Set(), effects = []

class Component {
  hooks = []
  depth = depth

  constructor(slot, type, key) { Object.assign(this, {slot, type, key}) }

  render() {
    this.isStale = false
    current = this
    nextHook = 0
    const content = this.type(this.props)
    depth = this.depth + 1
    this.slot.set(content)
    effects.push(...this.hooks.filter(hook => hook.effect))
  }

  end() {
    this.isGone = true
    for (const hook of this.hooks) {
      hook.effect = null
      hook.cleanUp?.()
    }
  }
}

const request = component => {
  if (stale.size === 0) queueMicrotask(flush)
  stale.add(component)
  component.isStale = true
}

// Parents are rendered before their children, which they may render or remove. Effects run when the document is complete.
const flush = () => {
  const components = [...stale].sort((a, b) => a.depth - b.depth)
  stale = new Set()
  for (const component of components) if (component.isStale && !component.isGone) attempt(() => component.render())
  for (const hook of effects.splice(0)) {
    const {effect, cleanUp} = hook
    if (!effect) continue
    hook.effect = hook.cleanUp = null
    attempt(() => cleanUp?.())
    attempt(() => { hook.cleanUp = effect() })
  }
}

const attempt = act => { try { act() } catch (error) { reportError(error) } }

/** Replaces the content of an element with a template. Returns a function that removes the template. */
export const render = (content, element) => {
  element.replaceChildren()
  const slot = new Slot(element)
  slot.set(content)
  flush()
  return () => slot.remove()
}

const useHook = make => current.hooks[nextHook++] ??= make()
const isChanged = (old, keys) => !old || !keys || keys.some((key, index) => !Object.is(key, old[index]))

/** Returns a function that renders the component again. */
export const useRender = () => {
  const component = current
  return useMemo(() => () => request(component), [])
}

/** Returns a value of the component and a function that sets it, either to a new value or by a function of the old one. */
export const useState = initial => {
  const again = useRender()
  const hook = useHook(() => ({
    value: typeof initial === 'function' ? initial() : initial,
    set: change => {
      const value = typeof change === 'function' ? change(hook.value) : change
      if (!Object.is(value, hook.value)) again(hook.value = value)
    },
  }))
  return [hook.value, hook.set]
}

/** Returns a value that is computed again if one of the keys has changed. */
export const useMemo = (make, keys) => {
  const hook = useHook(() => ({}))
  if (isChanged(hook.keys, keys)) Object.assign(hook, {value: make(), keys})
  return hook.value
}

/** Returns an object that stays the same. With `ref=${…}`, its `current` is the element. */
export const useRef = initial => useMemo(() => ({current: initial}), [])

/**
 * Runs an effect if one of the keys has changed, when the document is updated and before it is painted. The effect may return a function
 * that cleans up.
 */
export const useEffect = (effect, keys) => {
  const hook = useHook(() => ({}))
  if (isChanged(hook.keys, keys)) Object.assign(hook, {effect, keys})
}

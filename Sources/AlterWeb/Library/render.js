// Renders the pages: templates become DOM nodes, components hold state, and a change of state updates the nodes that differ.
//
// Nothing is ever parsed as HTML. A template is read once, when it is first used; what is put into its holes becomes a text node, the value
// of an attribute, or a listener. Only `html` makes templates: no data that a server sends can pass for one.

class Content {
  constructor(template, values) {
    this.template = template
    this.values = values
    this.key = values[template.key]
  }
}

const templates = new WeakMap()

/**
 * A template: html`<li key=${id} class="item" onClick=${act} ...${others}>${text} <${Component} name=${value} /></li>`. A hole is a whole
 * value of an attribute, the type of a component, or content: text, a template, an array of them; null and booleans show nothing. Every
 * element is closed. White space with a line break goes at the ends of a text. A `key` belongs to the only root, or to a component: another
 * key is another node; in an array, the same key is the same node.
 */
export const html = (strings, ...values) => {
  if (!templates.has(strings)) templates.set(strings, parse(strings))
  return new Content(templates.get(strings), values)
}

const token = /<(\/?)(\0|[a-z][\w-]*)((?:"[^"]*"|[^">])*?)(\/?)>|\0|[^<\0]+/y
const attribute = /\s+(?:\.\.\.(\0)|([\w:-]+)(?:=(?:"([^"\0]*)"|(\0)))?)|\s+$/y

const parse = strings => {
  const source = strings.join('\0'), root = {children: []}, open = [root]
  const fail = what => { throw new SyntaxError(`${what} in the template ${strings.join('${…}')}`) }
  const keyed = []
  let hole = 0
  const match = (pattern, text, at) => {
    pattern.lastIndex = at
    return pattern.exec(text) ?? fail(`"${text.slice(at, at + 20)}" can't be read`)
  }
  for (let at = 0; at < source.length;) {
    const [all, end, tag, given, isEmpty] = match(token, source, at), parent = open.at(-1)
    at += all.length
    if (all === '\0') parent.children.push({hole: hole++})
    else if (!tag) parent.children.push(...[all.replace(/^\s*\n\s*|\s*\n\s*$/g, '')].filter(Boolean))
    else if (end) {
      if (open.pop().tag !== tag) fail(`</${tag}> closes nothing`)
    } else {
      const node = {tag, children: [], attributes: []}
      parent.children.push(node)
      if (tag === '\0') node.type = hole++
      for (let place = 0; place < given.length;) {
        const [text, spread, name, fixed, isHole] = match(attribute, given, place)
        place += text.length
        if (!name && !spread) continue
        if (name === 'key') node.key = hole++
        else node.attributes.push({name, fixed: fixed ?? true, hole: spread || isHole ? hole++ : undefined})
      }
      if (!isEmpty) open.push(node)
      if (node.type !== undefined && !isEmpty) fail('A component with content')
      if (node.key !== undefined && node.type === undefined) keyed.push(node)
    }
  }
  if (open.length > 1) fail(`<${open.at(-1).tag}> is not closed`)
  if (root.children.length === 1) root.key = root.children[0].key
  if (keyed.some(node => node !== root.children[0] || root.children.length > 1)) fail('A key that is not at the root')
  return root
}

// MARK: Places in the document

/** A place for one value. The nodes that show it are those before its anchor; a text is the anchor itself. */
class Slot {
  view = null
  component = null
  anchor = new Text()

  constructor(parent, before = null) { parent.insertBefore(this.anchor, before) }

  first() { return this.view?.first() ?? this.anchor }

  set(value) {
    if (value instanceof Content) {
      if (this.view?.template === value.template && this.view.key === value.key) this.view.update(value.values)
      else this.#replace(() => new Instance(value, this.anchor))
    } else if (Array.isArray(value)) {
      if (!(this.view instanceof List)) this.#replace(() => new List(this.anchor))
      this.view.update(value)
    } else {
      if (this.view) this.#replace(() => null)
      const text = value === null || value === undefined || typeof value === 'boolean' ? '' : String(value)
      if (this.anchor.data !== text) this.anchor.data = text
    }
  }

  show(type, props, key) {
    let component = this.component
    if (component?.type !== type || component.key !== key) {
      component?.end()
      this.#replace(() => null)
      component = this.component = new Component(this, type, key)
    } else if (!component.isStale && type.isSame && isSame(component.props, props, type.isSame)) return
    component.props = props
    component.render()
  }

  move(before) {
    const parent = this.anchor.parentNode
    for (let node = this.first(), next; node; node = next) {
      next = node === this.anchor ? null : node.nextSibling
      // Where it is possible, a node that is moved keeps the focus and what it has scrolled to.
      if (parent.moveBefore && parent.isConnected) parent.moveBefore(node, before)
      else parent.insertBefore(node, before)
    }
  }

  end() {
    this.component?.end()
    this.view?.end()
  }

  remove() {
    this.end()
    this.component = null
    this.#clear()
    this.anchor.remove()
  }

  #clear() { for (let node = this.first(), next; node !== this.anchor; node = next) [next] = [node.nextSibling, node.remove()] }

  #replace(make) {
    this.view?.end()
    this.#clear()
    this.anchor.data = ''
    this.view = make()
  }
}

/** A template in the document. */
class Instance {
  #parts = []
  #slots = []
  #refs = new Set()

  constructor({template, key, values}, anchor) {
    this.template = template
    this.key = key
    const nodes = new DocumentFragment()
    this.roots = template.children.map(child => this.#build(child, nodes, null))
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
    if (!node.attributes || node.type !== undefined) {
      const slot = new Slot(parent)
      this.#slots.push(slot)
      this.#parts.push(node.attributes ? values => slot.show(values[node.type], this.#props(node, values), values[node.key])
        : values => slot.set(values[node.hole]))
      return slot
    }
    const space = node.tag === 'svg' ? 'http://www.w3.org/2000/svg' : outer
    const element = space ? document.createElementNS(space, node.tag) : document.createElement(node.tag)
    const known = {}, late = []
    const put = (name, value) => name === 'ref' ? this.#refs.add(Object.assign(value, {current: element})) : assign(element, known, name, value)
    for (const {name, fixed, hole} of node.attributes) {
      if (hole === undefined) assign(element, known, name, fixed)
      else if (name) (name === 'value' ? late : this.#parts).push(values => put(name, values[hole]))
      else this.#parts.push(values => { for (const name in values[hole]) put(name, values[hole][name]) })
    }
    for (const child of node.children) this.#build(child, element, space)
    // The value of a <select> is one of its options.
    this.#parts.push(...late)
    return parent.appendChild(element)
  }

  #props({attributes}, values) {
    const props = {}
    for (const {name, fixed, hole} of attributes) {
      if (!name) Object.assign(props, values[hole])
      else props[name] = hole === undefined ? fixed : values[hole]
    }
    return props
  }
}

/** Gives an element a listener, a style, a property that a person changes too, or an attribute. */
const assign = (element, known, name, value) => {
  const isNew = !(name in known), before = known[name]
  known[name] = value
  if (/^on/i.test(name)) {
    if (value && typeof value !== 'function') throw new TypeError(`${name} is no function`)
    if (isNew) element.addEventListener(name.slice(2).toLowerCase(), event => known[name]?.(event))
  } else if (name === 'style') {
    for (const property in {...before, ...value}) {
      if (before?.[property] !== value?.[property]) element.style.setProperty(property, value?.[property] ?? '')
    }
  } else if (['value', 'checked', 'selected'].includes(name)) {
    const wanted = name === 'value' ? String(value ?? '') : !!value
    if (element[name] !== wanted) element[name] = wanted
  } else if (name === 'defaultValue') {
    if (before !== value) element.defaultValue = value
  } else if (before !== value || isNew) {
    const isWord = typeof value === 'boolean' && /^(aria|data)-/.test(name)
    const isRefused = name === 'srcdoc' || /(href|src|action)$/i.test(name) && isScript(value)
    if (value === null || value === undefined || value === false && !isWord || isRefused) element.removeAttribute(name)
    else element.setAttribute(name, value === true && !isWord ? '' : value)
  }
}

const isScript = address => URL.canParse(address, document.baseURI) && new URL(address, document.baseURI).protocol === 'javascript:'

/** An array in the document. The nodes of a key stay the same, and as few as possible are moved. */
class List {
  items = []

  constructor(anchor) { this.anchor = anchor }

  first() { return this.items[0]?.first() }

  end() { for (const item of this.items) item.end() }

  update(values) {
    const before = new Map(this.items.map((item, place) => [item.key, place])), seen = new Set(), parent = this.anchor.parentNode
    const keys = values.map((value, index) => {
      const key = value instanceof Content && value.key !== undefined && !seen.has(value.key) ? value.key : `\0${index}`
      seen.add(key)
      return key
    })
    const places = keys.map(key => before.get(key) ?? -1)
    for (const item of this.items) if (!seen.has(item.key)) item.remove()
    const still = rising(places), items = []
    let next = this.anchor
    for (let index = keys.length - 1; index >= 0; index--) {
      const item = items[index] = this.items[places[index]] ?? Object.assign(new Slot(parent, next), {key: keys[index]})
      if (places[index] >= 0 && !still.has(index)) item.move(next)
      next = item.first()
    }
    this.items = items
    values.forEach((value, index) => items[index].set(value))
  }
}

/** The indexes of a longest run of rising places: these items stay where they are. */
const rising = places => {
  const ends = [], previous = [], run = new Set()
  places.forEach((place, index) => {
    if (place < 0) return
    let low = 0, high = ends.length
    while (low < high) {
      const middle = low + high >> 1
      if (places[ends[middle]] < place) low = middle + 1
      else high = middle
    }
    previous[index] = ends[low - 1]
    ends[low] = index
  })
  for (let index = ends.at(-1); index !== undefined; index = previous[index]) run.add(index)
  return run
}

// MARK: Components

let current = null, nextHook = 0, depth = 0, isAwaited = false, stale = new Set(), effects = []

class Component {
  hooks = []
  isStale = false
  isGone = false
  depth = depth

  constructor(slot, type, key) { Object.assign(this, {slot, type, key}) }

  render() {
    this.isStale = false;
    [current, nextHook] = [this, 0]
    let content
    try { content = this.type(this.props) } finally { current = null }
    depth = this.depth + 1
    this.slot.set(content)
    for (const hook of this.hooks) if (hook.effect) effects.push(hook)
  }

  end() {
    this.isGone = true
    for (const hook of this.hooks) {
      hook.effect = null
      hook.cleanUp?.()
    }
  }
}

const isSame = (a, b, isEqual) => {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every(name => name in b && isEqual(a[name], b[name], name))
}

/** Marks a component that is rendered again only for other props. Each is compared by `isEqual(old, new, name)`. */
export const memo = (component, isEqual = Object.is) => Object.assign(component, {isSame: isEqual})

const request = component => {
  component.isStale = true
  stale.add(component)
  if (!isAwaited) queueMicrotask(flush)
  isAwaited = true
}

// Parents come before children, which they may render or remove; effects come when the document is complete.
const flush = () => {
  const components = [...stale].sort((a, b) => a.depth - b.depth)
  stale = new Set()
  isAwaited = false
  for (const component of components) if (component.isStale && !component.isGone) attempt(() => component.render())
  const due = effects.filter(hook => hook.effect)
  effects = []
  for (const hook of due) {
    const {effect} = hook
    if (!effect) continue
    hook.effect = null
    attempt(() => hook.cleanUp?.())
    hook.cleanUp = null
    attempt(() => { hook.cleanUp = effect() })
  }
}

const attempt = act => { try { act() } catch (error) { reportError(error) } }

/** Shows a template in an element, in place of its content; returns a function that ends it. */
export const render = (content, element) => {
  element.replaceChildren()
  const slot = new Slot(element)
  slot.set(content)
  flush()
  return () => slot.remove()
}

const useHook = make => current.hooks[nextHook++] ?? current.hooks[current.hooks.push(make()) - 1]
const isChanged = (old, keys) => !old || !keys || keys.some((key, index) => !Object.is(key, old[index]))

/** A function that renders the component again. */
export const useRender = () => {
  const component = current
  return useHook(() => ({render: () => request(component)})).render
}

/** A value of the component, and a function that changes it: to another, or by a function of the old one. */
export const useState = initial => {
  const component = current
  const hook = useHook(() => ({
    value: typeof initial === 'function' ? initial() : initial,
    set: change => {
      const value = typeof change === 'function' ? change(hook.value) : change
      if (Object.is(value, hook.value)) return
      hook.value = value
      request(component)
    },
  }))
  return [hook.value, hook.set]
}

/** A value that is made again when one of the keys is another. */
export const useMemo = (make, keys) => {
  const hook = useHook(() => ({}))
  if (isChanged(hook.keys, keys)) Object.assign(hook, {value: make(), keys})
  return hook.value
}

/** An object that stays: as `ref=${…}`, its `current` is the element. */
export const useRef = initial => useMemo(() => ({current: initial}), [])

/** Acts when the document shows what was rendered, before it is painted, if one of the keys is another. It may return what ends it. */
export const useEffect = (effect, keys) => {
  const hook = useHook(() => ({}))
  if (isChanged(hook.keys, keys)) Object.assign(hook, {effect, keys})
}

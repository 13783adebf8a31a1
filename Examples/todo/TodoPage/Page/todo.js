// The page: a function of what the server says the list is, and of what is being typed.
import {html, render, useEffect, useMemo, useRef, useState} from '/library/render.js'
import {VirtualList} from '/library/virtual-list.js'
import {Listener, ask, change, newID} from '/todo-server.js'
import {meaning} from '/todo-keys.js'
import {Adding, Connection, Empty, Filters, Help, History, Icon, Message, Notes, Recent, Refusals, Tags, Views} from '/todo-parts.js'
import {Editor, Item} from '/todo-item.js'

const pageful = 200
// So many items the server sends at most.
const most = 10_000
// An item of one line, in pixels.
const rowHeight = 49

/** The query in the address: it can be kept as a bookmark, and the browser's own keys go back. */
function readQuery() {
  const given = new URLSearchParams(location.search)
  const one = (name, values, otherwise) => values.includes(given.get(name)) ? given.get(name) : otherwise
  return {
    show: one('show', ['open', 'overdue', 'all', 'done'], 'open'), search: given.get('search') ?? '', tag: given.getAll('tag'),
    sort: one('sort', ['list', 'due', 'priority', 'altered', 'text'], 'list'),
  }
}

/** The address of a query: of the page, and of what the server is asked for. */
function writeQuery({show, search, tag, sort}, limit = pageful) {
  const parts = []
  if (show !== 'open') parts.push(`show=${show}`)
  if (search.trim()) parts.push(`search=${encodeURIComponent(search)}`)
  for (const name of tag) parts.push(`tag=${encodeURIComponent(name)}`)
  if (sort !== 'list') parts.push(`sort=${sort}`)
  if (limit !== pageful) parts.push(`limit=${limit}`)
  return parts.length > 0 ? '?' + parts.join('&') : ''
}

const key = name => `[data-focus=${CSS.escape(name)}]`
const focus = name => document.querySelector(key(name))?.focus()

function App() {
  const [page, setPage] = useState(null)
  const [trouble, setTrouble] = useState(null)
  const [query, setQuery] = useState(readQuery)
  const [limit, setLimit] = useState(pageful)
  const [adding, setAdding] = useState({text: '', problem: null})
  const [note, setNote] = useState({text: '', problem: null})
  const [edit, setEdit] = useState(null)
  const [open, setOpen] = useState(null)
  const [message, setMessage] = useState(null)
  const [isHelping, setHelping] = useState(false)
  const [isOffered, setOffered] = useState(false)
  const list = useRef(null)
  // The present values, for the events that come.
  const now = useRef({})
  now.current = {page, query, adding, note, edit, open}

  // The name is somebody's text, apart from the words about it.
  const say = (text, name) => setMessage({text, name})
  const complain = (text, name) => setMessage({text, name, isProblem: true})

  /** Gives the focus to an item, wherever in the list it is. */
  const focusItem = (item, name = 'box') => {
    const place = item ? now.current.page.items.findIndex(({id}) => id === item.id) : -1
    if (place >= 0) list.current.reveal(place, row => row.querySelector(key(`${name}:${item.id}`))?.focus())
  }

  // MARK: From the server

  const focused = useRef(null)
  const listener = useMemo(() => new Listener(received => {
    focused.current = whereFocusIs(now.current.page)
    setPage(received)
  }, setTrouble), [])
  const address = writeQuery(query, limit)
  useEffect(() => {
    // As fast as one types, but not a connection for each letter.
    const timer = setTimeout(() => {
      listener.listen(address)
      history.replaceState(null, '', writeQuery(query) || location.pathname)
    }, page ? 60 : 0)
    return () => clearTimeout(timer)
  }, [address])
  useEffect(() => {
    const back = () => setQuery(readQuery())
    addEventListener('popstate', back)
    return () => removeEventListener('popstate', back)
  }, [])
  // An element that is moved or taken away loses the focus: it comes back to the same place.
  useEffect(() => {
    if (focused.current) restoreFocus(focused.current, page, focusItem)
    focused.current = null
  }, [page])
  useEffect(() => {
    document.title = page ? `${page.counts.open > 0 ? `(${page.counts.open}) ` : ''}Todo` : 'Todo'
  }, [page?.counts.open])

  // A new item may be far away, or not among what is shown: then the message about it leads there.
  useEffect(() => {
    const row = message?.id && document.querySelector(`.item[data-id=${CSS.escape(message.id)}]`)?.getBoundingClientRect()
    setOffered(message?.id && page?.revision >= message.revision && !(row?.bottom > 0 && row?.top < innerHeight - 48))
  }, [message, page])
  const wanted = useRef(null)
  const showWanted = () => {
    const id = wanted.current
    if (!id || !page) return
    const isHere = page.items.some(item => item.id === id)
    if (isHere) focusItem({id})
    else if (page.items.length < Math.min(page.matching, most)) return setLimit(most)
    else if (query.show !== 'all' || query.search || query.tag.length > 0) return narrow({show: 'all', search: '', tag: []}, most)
    // More items than are shown at most: the one that was changed last is the first of them.
    else if (query.sort !== 'altered') return narrow({sort: 'altered'})
    wanted.current = null
  }
  useEffect(showWanted, [page])
  const showItem = id => {
    wanted.current = id
    setOffered(false)
    showWanted()
  }

  // MARK: Actions

  /** Asks for a change; tells what it has come to. */
  const attempt = async (command, success) => {
    const answer = await change(command)
    if (answer.error) complain(answer.error)
    else if (success) say(...success)
    return !answer.error
  }

  const sending = useRef(null)
  const add = async () => {
    const text = now.current.adding.text
    if (!text.trim() || sending.current?.text === text && sending.current.isUnderWay) return
    // The same line asked for again, after an answer that was lost, is the same item.
    const id = sending.current?.text === text ? sending.current.id : newID()
    sending.current = {text, id, isUnderWay: true}
    const answer = await change({add: {text, id}})
    if (answer.error) {
      sending.current.isUnderWay = false
      return setAdding(adding => ({...adding, problem: answer.error}))
    }
    sending.current = null
    // Whatever was typed meanwhile is the beginning of the next one.
    setAdding(adding => ({text: adding.text.startsWith(text) ? adding.text.slice(text.length) : adding.text, problem: null}))
    setMessage({text: 'Added: ', name: text.trim(), id, revision: answer.revision})
  }

  const writing = useRef(null)
  const write = async () => {
    const text = now.current.note.text
    if (!text.trim() || writing.current?.text === text && writing.current.isUnderWay) return
    const id = writing.current?.text === text ? writing.current.id : newID()
    writing.current = {text, id, isUnderWay: true}
    const answer = await change({note: {text, id}})
    if (answer.error) {
      writing.current.isUnderWay = false
      return setNote(note => ({...note, problem: answer.error}))
    }
    writing.current = null
    setNote(note => ({text: note.text.startsWith(text) ? note.text.slice(text.length) : note.text, problem: null}))
    say('Noted')
  }

  const takeBack = async name => {
    const step = now.current.page?.[name]
    if (!step) return
    if (step.of === undefined) return say(step.what)
    const answer = await ask(`/api/${name}`, {of: step.of})
    if (answer.error) complain(answer.error)
    else say(`${name === 'undo' ? 'Undid' : 'Redid'}: ${answer.what}`)
  }

  /** Makes a refused change again, or dismisses it. */
  const decide = async (action, id) => {
    const answer = await ask('/api/refusals', {[action]: [id]})
    if (answer.error) complain(answer.error)
    else say(action === 'retry' ? 'Made again' : 'Dismissed')
  }

  const narrow = (change, limit = pageful) => {
    setLimit(limit)
    setQuery(query => ({...query, ...change}))
  }
  const toggleTag = tag => narrow({
    tag: now.current.query.tag.includes(tag) ? now.current.query.tag.filter(other => other !== tag) : [...now.current.query.tag, tag],
  })

  // Nothing here depends on what is shown, so that a row is not rendered again for it.
  const act = useMemo(() => ({
    complete: async (item, box) => {
      const isDone = !item.completed
      const hasWorked = await attempt({complete: {id: item.id, done: isDone}}, [isDone ? 'Done: ' : 'Open again: ', item.text])
      if (!hasWorked && box) box.checked = item.completed
    },
    remove: item => attempt({remove: {id: item.id}}, ['Removed: ', item.text]),
    due: (item, day) => attempt({due: {id: item.id, day}}, [day ? `Due ${day}: ` : 'Due on no particular day: ', item.text]),
    prioritize: (item, priority) => attempt({priority: {id: item.id, priority}}, [`Priority ${priority ?? 'none'}: `, item.text]),
    tag: (item, tag) => attempt({tag: {id: item.id, tag}}, [`Tagged ‘${tag}’: `, item.text]),
    untag: (item, tag) => attempt({untag: {id: item.id, tag}}, [`No longer tagged ‘${tag}’: `, item.text]),
    filter: toggleTag,
    open: (item, field) => {
      const isOpening = now.current.open !== item.id || field
      setOpen(isOpening ? item.id : null)
      if (field) requestAnimationFrame(() => focusItem(item, field))
    },
    edit: item => {
      const {edit} = now.current
      // A text that was typed for another item isn't dropped without a word.
      if (edit && edit.id !== item.id && edit.text !== edit.before) return complain(`First save or cancel what you have typed for ‘${edit.before}’.`)
      setEdit({id: item.id, before: item.text, text: item.text, problem: null})
    },
    type: text => setEdit(edit => ({...edit, text, problem: null})),
    leave: () => {
      const {edit} = now.current
      setEdit(null)
      if (edit) requestAnimationFrame(() => focusItem(edit))
    },
    save: async () => {
      const {edit} = now.current
      if (!edit || edit.isUnderWay) return
      if (edit.text === edit.before) return act.leave()
      setEdit(edit => ({...edit, isUnderWay: true, problem: null}))
      const answer = await change({rename: {id: edit.id, text: edit.text}})
      if (answer.error) return setEdit(now => now?.id === edit.id ? {...now, isUnderWay: false, problem: answer.error, isGone: answer.status === 409} : now)
      say('Renamed: ', edit.text)
      if (now.current.edit?.id === edit.id) act.leave()
    },
    /** The item is gone, and what was typed becomes one of its own. */
    addInstead: async () => {
      const {edit} = now.current
      const answer = await change({add: {text: edit.text}})
      if (answer.error) return setEdit(edit => ({...edit, problem: answer.error}))
      say('Added: ', edit.text)
      setEdit(null)
      focus('add')
    },
  }), [])

  // MARK: Keys

  useEffect(() => {
    const press = event => {
      const what = meaning(event)
      if (!what) return
      const {page} = now.current
      const rows = page?.items ?? []
      const at = rows.findIndex(item => item.id === document.activeElement?.closest('.item')?.dataset.id)
      const item = rows[at]
      const go = to => focusItem(rows[Math.max(0, Math.min(to, rows.length - 1))])
      const withItem = action => item ? action(item) : say('There is no item here. Press j to go to the first.')
      const actions = {
        down: () => go(at + 1), up: () => go(at < 0 ? rows.length - 1 : at - 1), first: () => go(0), last: () => go(rows.length - 1),
        toggle: () => withItem(item => act.complete(item)), edit: () => withItem(act.edit), remove: () => withItem(act.remove),
        more: () => withItem(item => act.open(item, now.current.open === item.id ? undefined : 'due')),
        add: () => focus('add'), search: () => focus('search'), undo: () => takeBack('undo'), redo: () => takeBack('redo'),
        help: () => setHelping(true),
      }
      event.preventDefault()
      actions[what]()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])

  // MARK: The page

  const ids = useMemo(() => page?.items.map(item => item.id), [page?.items])
  const edited = edit && page ? ids.indexOf(edit.id) : -1
  const row = (place, style) => {
    const item = page.items[place]
    return html`<${Item} key=${item.id} edit=${place === edited ? edit : null} isOpen=${open === item.id} chosen=${query.tag} place=${place + 1} count=${ids.length}
      ...${{item, style, act}} />`
  }
  return html`
    <${Banner} trouble=${trouble ?? page?.problem} />
    <div class="page">
      <header class="head">
        <h1>Todo</h1>
        ${page && html`<p class="summary">${summary(page.counts)}</p>`}
        <div class="tools">
          <a href="/inspector/">Inspector</a>
          <button class="quiet" onClick=${() => setHelping(true)} aria-label="Keys" title="Keys (?)"><kbd aria-hidden="true">?</kbd></button>
        </div>
      </header>
      <main class="main">
        <${Adding} text=${adding.text} problem=${adding.problem} onInput=${text => setAdding({text, problem: null})} onSubmit=${add} />
        <div class="side">
          ${page && html`
            <${Views} show=${query.show} counts=${page.counts} onShow=${show => narrow({show})} />
            <${Tags} tags=${page.tags} chosen=${query.tag} onTag=${toggleTag} />`}
        </div>
        <${Filters} query=${query} onSearch=${search => narrow({search})} onSort=${sort => narrow({sort})} onTag=${toggleTag} />
        <div class="list">
          ${page?.sync && html`
            <${Connection} sync=${page.sync} />
            <${Refusals} refused=${page.sync.refused} onDecide=${decide} />`}
          ${edit && page && edited < 0 && html`
            <section class="lost" aria-label="Your text">
              <p>The item that you are renaming isn’t in this list any more. Your text is still here.</p>
              <${Editor} edit=${edit} act=${act} />
              ${edit.isGone && html`<button onClick=${act.addInstead}><${Icon} name="add" /> Add it as a new item</button>`}
            </section>`}
          ${!page && !trouble && html`<p class="loading">Loading …</p>`}
          ${page && page.items.length === 0 && html`
            <${Empty} page=${page} query=${query} onAll=${() => narrow({show: 'all', search: '', tag: []})} />`}
          ${page && page.items.length > 0 && html`
            <${VirtualList} keys=${ids} rowHeight=${rowHeight} keep=${[edited, ids.indexOf(open)]} control=${list} label="Items" render=${row} />`}
          ${page && html`
            <div class="below">
              ${page.matching > ids.length && (ids.length < most ? html`
                <button id="more" onClick=${() => setLimit(Math.min(ids.length + pageful, most))}>Show more: ${ids.length} of ${page.matching} are shown</button>
                ${page.matching > ids.length + pageful && html`
                  <button id="all" onClick=${() => setLimit(most)}>Show ${page.matching > most ? `the first ${most}` : `all ${page.matching}`}</button>`}`
                : html`<p class="hint">The first ${most} of ${page.matching} are shown. A search or a tag finds the others.</p>`)}
              ${page.counts.done > 0 && ['all', 'done'].includes(query.show) && html`
                <button class="quiet" id="clear" onClick=${() => attempt({clearCompleted: {}}, ['Removed what is done'])}>
                  Remove what is done (${page.counts.done})</button>`}
            </div>
            <${Notes} notes=${page.notes} count=${page.noteCount} text=${note.text} problem=${note.problem}
              onInput=${text => setNote({text, problem: null})} onSubmit=${write} />
            ${page.sync && html`<${Recent} history=${page.sync.history} />`}
            <datalist id="all-tags">${page.tags.map(tag => html`<option key=${tag.name} value=${tag.name} />`)}</datalist>`}
        </div>
      </main>
    </div>
    <footer class="foot">
      <${Message} message=${message} isEarly=${message?.revision > page?.revision} onShow=${isOffered ? () => showItem(message.id) : null} onGone=${() => setMessage(null)} />
      ${page && html`<${History} undo=${page.undo} redo=${page.redo} onUndo=${() => takeBack('undo')} onRedo=${() => takeBack('redo')} />`}
    </footer>
    <${Help} isOpen=${isHelping} onClose=${() => setHelping(false)} />`
}

const summary = counts => counts.all === 0 ? '' : `${counts.open} open${counts.overdue > 0 ? `, ${counts.overdue} overdue` : ''}`

const Banner = ({trouble}) => html`<div class="banner-place" role="alert">${trouble && html`<p class="banner">${trouble}</p>`}</div>`

/** Which element has the focus, and where in the list: to be found again when the list is another. */
function whereFocusIs(page) {
  const element = document.activeElement
  if (!element || element === document.body) return null
  const id = element.closest('.item')?.dataset.id
  return {
    element, name: element.dataset.focus, place: id && page ? page.items.findIndex(item => item.id === id) : -1,
    selection: element.matches('input[type=text], input:not([type])') ? [element.selectionStart, element.selectionEnd] : null,
  }
}

function restoreFocus({element, name, place, selection}, page, focusItem) {
  if (document.activeElement === element) return
  const same = element.isConnected ? element : name && document.querySelector(key(name))
  if (same && !same.disabled) {
    same.focus()
    if (selection && same.setSelectionRange) same.setSelectionRange(...selection)
  } else if (place >= 0) {
    const next = page.items[Math.min(place, page.items.length - 1)]
    next ? focusItem(next) : focus('add')
  } else if (name) {
    focus('add')
  }
}

render(html`<${App} />`, document.getElementById('app'))

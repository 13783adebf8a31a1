// One item of the list.
import {html, memo, useEffect, useRef, useState} from '/library/render.js'
import {Icon} from '/todo-parts.js'

/**
 * A row. It shows what the page says of the item, and asks for changes; what is being typed is the list's business, not the row's, so that no event
 * can take it away. Every event of the server brings all items anew: a row is rendered again only when its own item is another.
 */
export const Item = memo(({item, edit, isOpen, chosen, place, count, style, act}) => {
  return html`
    <li class=${['item', item.completed && 'done', isOpen && 'open'].filter(Boolean).join(' ')} data-id=${item.id} aria-posinset=${place}
      aria-setsize=${count} style=${style}>
      <div class="row">
        <input type="checkbox" class="box" data-focus=${`box:${item.id}`} checked=${item.completed} aria-label=${item.text}
          onChange=${event => act.complete(item, event.currentTarget)} />
        ${item.priority && html`<span class=${`priority p${item.priority}`} title=${`Priority ${item.priority}`}>
          <span class="visually-hidden">Priority </span>${item.priority}</span>`}
        ${edit
          ? html`<${Editor} edit=${edit} text=${item.text} act=${act} />`
          : html`<${Text} item=${item} chosen=${chosen} act=${act} />`}
        ${item.due && !edit && html`
          <button class=${`due ${item.due.urgency ?? ''}`} title=${`Due ${item.due.day}`} onClick=${() => act.open(item, 'due')}>
            <span class="visually-hidden">${item.due.urgency === 'overdue' ? 'Overdue: ' : 'Due '}</span>${item.due.text}
          </button>`}
        ${item.mark && !edit && html`<span class=${`mark ${item.mark}`}>${marks[item.mark]}</span>`}
        ${item.author && !edit && html`<span class="author">by <bdi>${item.author}</bdi></span>`}
        ${!edit && html`
          <div class="actions">
            <button class="icon-button rename" aria-label=${`Rename ${item.text}`} title="Rename (e)" onClick=${() => act.edit(item)}><${Icon} name="edit" /></button>
            <button class="icon-button remove" aria-label=${`Remove ${item.text}`} title="Remove (d)" onClick=${() => act.remove(item)}><${Icon} name="remove" /></button>
            <button class="icon-button more" data-focus=${`more:${item.id}`} aria-label=${`More about ${item.text}`} aria-expanded=${isOpen}
              title="Due day, priority, tags (m)" onClick=${() => act.open(item)}><${Icon} name="more" /></button>
          </div>`}
      </div>
      ${isOpen && html`<${Details} item=${item} act=${act} />`}
    </li>`
}, (old, now, name) => old === now || name === 'item' && JSON.stringify(old) === JSON.stringify(now))

const marks = {unconfirmed: 'not yet confirmed', refused: 'change refused'}

/** The text, with its tags to click. A click elsewhere in it renames it in place. */
function Text({item, chosen, act}) {
  return html`
    <div class="text" onClick=${event => { if (!event.target.closest('button') && getSelection().isCollapsed) act.edit(item) }}>
      <bdi>${item.parts.map((part, place) => part.tag
        ? html`<button key=${place} class="tag" aria-pressed=${chosen.includes(part.tag)} title=${`Show only ${part.tag}`}
            onClick=${() => act.filter(part.tag)}>${part.text}</button>`
        : html`<span key=${place}>${part.text}</span>`)}</bdi>
    </div>`
}

/** The line by which an item is renamed. */
export function Editor({edit, text, act}) {
  const input = useRef(null)
  useEffect(() => {
    input.current.focus()
    input.current.select()
  }, [edit.id])
  const isChangedElsewhere = text !== undefined && text !== edit.before
  return html`
    <form class="editor" onSubmit=${event => { event.preventDefault(); act.save() }}>
      <div class="field">
        <input ref=${input} data-focus="edit" aria-label=${`Another text for ${edit.before}`} value=${edit.text} autocomplete="off" enterkeyhint="done"
          maxlength="1000" aria-invalid=${!!edit.problem}
          onInput=${event => act.type(event.currentTarget.value)}
          onKeyDown=${event => {
            if (event.key !== 'Escape') return
            event.preventDefault()
            act.leave()
          }} />
        <button type="submit" class="primary">Save</button>
        <button type="button" onClick=${act.leave}>Cancel</button>
      </div>
      ${edit.problem && html`<p class="problem" role="alert">${edit.problem}</p>`}
      ${isChangedElsewhere && html`<p class="hint" role="status">Meanwhile changed elsewhere to: <q><bdi>${text}</bdi></q></p>`}
    </form>`
}

/** Day, priority and tags. */
function Details({item, act}) {
  const id = `details-${item.id}`
  return html`
    <div class="details" role="group" aria-label=${`More about ${item.text}`}>
      <${DueField} item=${item} act=${act} id=${id} />
      <div class="detail">
        <label for=${`${id}-priority`}>Priority</label>
        <select id=${`${id}-priority`} value=${item.priority ?? ''} onChange=${event => act.prioritize(item, event.currentTarget.value || null)}>
          <option value="">none</option>
          ${[...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map(letter => html`<option key=${letter} value=${letter}>${letter}</option>`)}
        </select>
      </div>
      <${TagsField} item=${item} act=${act} id=${id} />
      <div class="detail end">
        <button class="rename" onClick=${() => act.edit(item)}><${Icon} name="edit" /> Rename</button>
        <button class="danger" onClick=${() => act.remove(item)}><${Icon} name="remove" /> Remove</button>
      </div>
    </div>`
}

/** The day. A day that is typed is taken when it is complete: at Enter, or when the field is left; one that is picked at once. */
function DueField({item, act, id}) {
  const [draft, setDraft] = useState(null)
  const isTyping = useRef(false)
  const day = item.due?.day ?? ''
  useEffect(() => { if (draft === day) setDraft(null) }, [day])
  const take = async value => {
    isTyping.current = false
    if (value === day) return setDraft(null)
    setDraft(value)
    // When it was refused the typed day stays, with the reason.
    if (await act.due(item, value || null)) setDraft(null)
  }
  return html`
    <div class="detail">
      <label for=${`${id}-due`}>Due</label>
      <input id=${`${id}-due`} type="date" data-focus=${`due:${item.id}`} max="9999-12-31" value=${draft ?? day}
        onKeyDown=${event => {
          if (event.key === 'Enter') take(event.currentTarget.value)
          else if (event.key === 'Escape') setDraft(null)
          else if (event.key !== 'Tab') isTyping.current = true
        }}
        onInput=${event => isTyping.current ? setDraft(event.currentTarget.value) : take(event.currentTarget.value)}
        onBlur=${event => { if (isTyping.current) take(event.currentTarget.value) }} />
      ${['today', 'tomorrow', 'next week'].map(word => html`<button key=${word} class="chip" onClick=${() => act.due(item, word)}>${word}</button>`)}
      ${item.due && html`<button class="chip" onClick=${() => act.due(item, null)}>no day</button>`}
    </div>`
}

/** The tags, each to be taken off, and a line to add one by. */
function TagsField({item, act, id}) {
  const [text, setText] = useState('')
  const add = async event => {
    event.preventDefault()
    const tag = text.trim()
    if (tag && await act.tag(item, tag)) setText(now => now.trim() === tag ? '' : now)
  }
  return html`
    <div class="detail">
      <label for=${`${id}-tag`}>Tags</label>
      ${item.tags.map(tag => html`
        <button key=${tag} class="chip" aria-label=${`Take ${tag} off`} title=${`Take ${tag} off`} onClick=${() => act.untag(item, tag)}><bdi>${tag}</bdi> <${Icon} name="close" /></button>`)}
      <form onSubmit=${add} class="tag-form">
        <input id=${`${id}-tag`} data-focus=${`tag:${item.id}`} list="all-tags" placeholder="home, +garden" autocomplete="off" maxlength="90"
          value=${text} onInput=${event => setText(event.currentTarget.value)} />
        <button type="submit" disabled=${!text.trim()}>Add tag</button>
      </form>
    </div>`
}

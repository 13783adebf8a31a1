// A list of which only what can be seen is there, however long it is.
//
// Browsers cut an element's height off (Firefox at about 17.9 million pixels), so the part that scrolls is at most `tallest` high. What is
// scrolled by hand moves by as much; what is dragged moves in proportion. The rows lie in a window that stands still, so nothing flickers.
import {html, useEffect, useLayoutEffect, useReducer, useRef} from '/library/preact.js'

const tallest = 8_000_000

export const List = ({count, rowHeight, grown, active, render, label, style, onRange, onTop, control, children}) => {
  const [, again] = useReducer(value => value + 1, 0)
  const element = useRef()
  // view: the first pixel shown, of all; scroll: where the element was last seen, or put.
  const at = useRef({view: 0, scroll: 0, height: 600, grown, active: null, timer: 0}).current

  const whole = count * rowHeight
  const space = Math.max(Math.min(whole, tallest), 0)
  const lastView = Math.max(0, whole - at.height)
  const scale = lastView / Math.max(1, space - at.height)

  // Puts the scroll bar where the view is: never at an end, unless the view is.
  const align = () => {
    if (!element.current) return
    const lastScroll = Math.max(0, space - at.height)
    let scroll = scale > 0 ? at.view / scale : 0
    if (at.view > 0) scroll = Math.max(scroll, 1)
    if (at.view < lastView) scroll = Math.min(scroll, lastScroll - 1)
    if (Math.abs(element.current.scrollTop - scroll) >= 1) element.current.scrollTop = scroll
    at.scroll = element.current.scrollTop
  }
  const show = view => {
    at.view = Math.min(Math.max(0, view), lastView)
    align()
    again()
  }

  const scrolled = () => {
    const scroll = element.current.scrollTop
    const moved = scroll - at.scroll
    if (moved === 0) return
    at.scroll = scroll
    if (scale <= 1) at.view = scroll
    else if (scroll <= 0) at.view = 0
    else if (scroll >= space - at.height - 1) at.view = lastView
    else if (Math.abs(moved) > at.height * 1.5) at.view = scroll * scale
    else at.view = Math.min(Math.max(0, at.view + moved), lastView)
    again()
    clearTimeout(at.timer)
    at.timer = setTimeout(align, 250)
  }

  useLayoutEffect(() => {
    const measure = () => {
      at.height = element.current?.clientHeight || at.height
      again()
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element.current)
    return () => {
      observer.disconnect()
      clearTimeout(at.timer)
    }
  }, [])

  // What is new comes first: what is looked at stays where it is, unless it is the newest.
  useLayoutEffect(() => {
    const new_ = grown - at.grown
    at.grown = grown
    if (new_ > 0 && at.view > 0) show(at.view + new_ * rowHeight)
    else if (at.view > lastView) show(lastView)
  }, [grown, count])

  // What is selected can be seen.
  useLayoutEffect(() => {
    if (active === at.active || active === null || active < 0) return
    const isFirst = at.active === null
    at.active = active
    const top = active * rowHeight, bottom = top + rowHeight
    if (top >= at.view && bottom <= at.view + at.height) return
    const isNear = !isFirst && top > at.view - 3 * rowHeight && bottom < at.view + at.height + 3 * rowHeight
    show(isNear ? (top < at.view ? top : bottom - at.height) : top - (at.height - rowHeight) / 2)
  }, [active, count, grown])

  const first = Math.max(0, Math.floor(at.view / rowHeight) - 4)
  const last = Math.min(count, Math.ceil((at.view + at.height) / rowHeight) + 4)
  useEffect(() => { onRange?.(first, last - 1) }, [first, last, grown])
  useEffect(() => { onTop?.(at.view < rowHeight) }, [at.view < rowHeight])
  if (control) control.current = {toTop: () => show(0), page: Math.max(1, Math.floor(at.height / rowHeight) - 1), focus: () => element.current?.focus({preventScroll: true})}

  const rows = []
  for (let index = first; index < last; index++) rows.push(render(index, {transform: `translateY(${index * rowHeight - at.view}px)`, height: `${rowHeight}px`}))
  const isHere = active !== null && active >= first && active < last
  return html`
    <div class="list" ref=${element} onScroll=${scrolled} role="listbox" tabindex="0" aria-label=${label} style=${style}
      aria-activedescendant=${isHere ? `row-${active}` : undefined}>
      <div class="list-space" role="presentation" style=${{height: `${space}px`}}>
        <div class="list-window" role="presentation" style=${{height: `${Math.min(at.height, space)}px`}}>${rows}</div>
      </div>
      ${children}
    </div>`
}

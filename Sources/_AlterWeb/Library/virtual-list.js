// A list that keeps only the rows near the visible part in the document.
import {html, useEffect, useMemo, useRef, useRender} from './render.js'

// Browsers limit the height of an element (Firefox at about 17.9 million pixels). In a longer list, scrolling moves by the same distance as
// in any other list, but dragging the scroll bar moves in proportion.
const tallest = 8_000_000
// Up to this number, all rows are in the document, so that the browser's own search finds them.
const few = 200
// The list must contain the margins of its rows.
const flow = {display: 'flow-root'}

/**
 * A vertical list of rows. The margin of a row takes the space of the missing rows next to it.
 *
 * Without `keys`, the list scrolls itself, and has `count` rows, each `rowHeight` pixels high. With `keys`, one per row, it scrolls with
 * the page. A row is then as high as its content, has its key in `data-id`, and stays in the document while it has the focus.
 *
 * `render(index, style)` makes a row. Without `keys`, the list scrolls to the row `active` when that changes; `grown` is the number of rows
 * that were ever added at the beginning; the list calls `onRange` with the first and last row that it needs, and `onTop` with whether the
 * first row is visible.
 */
export const VirtualList = ({keys, count = keys.length, rowHeight, active = -1, grown, label, style, control, onRange, onTop, render}) => {
  const again = useRender(), scroller = useRef(), box = useRef()
  // view: the first visible pixel of the whole list; scroll: the last known position of the scroller.
  const at = useRef({view: 0, scroll: 0, height: innerHeight, heights: new Map(), version: 0, grown}).current
  const isWhole = keys && count <= few

  const tops = useMemo(() => keys?.reduce((tops, key, index) => {
    tops[index + 1] = tops[index] + (at.heights.get(key) ?? rowHeight)
    return tops
  }, new Float64Array(count + 1)), [keys, at.version])
  const top = index => tops ? tops[index] : index * rowHeight
  const total = top(count), space = Math.min(total, tallest), lastView = Math.max(0, total - at.height)
  const scale = lastView / Math.max(1, space - at.height)

  const range = () => {
    if (isWhole) return [0, count]
    const margin = keys ? at.height / 2 : 4 * rowHeight
    const indexAt = pixel => {
      let low = 0, high = count
      while (high - low > 1) top(low + high >> 1) <= pixel ? low = low + high >> 1 : high = low + high >> 1
      return low
    }
    return [indexAt(at.view - margin), Math.min(count, indexAt(at.view + at.height + margin) + 1)]
  }
  const [first, last] = range()

  // Only the browser knows the position of a list that scrolls with the page, and the heights of its rows.
  at.look = () => {
    if (!keys) at.height = scroller.current.clientHeight || at.height
    else if (!isWhole) {
      for (const row of box.current.children) {
        const {height} = row.getBoundingClientRect()
        if (at.heights.get(row.dataset.id) !== height) at.version++
        at.heights.set(row.dataset.id, height)
      }
      Object.assign(at, {view: -box.current.getBoundingClientRect().top, height: innerHeight})
    }
    // Render in the same frame, but do not recurse without end.
    if (`${range()}` !== `${[first, last]}`) requestAnimationFrame(again)
  }

  // Moves the scroll bar to match the view. It is at an end only if the view is.
  const show = at.show = view => {
    at.view = Math.min(Math.max(0, view), lastView)
    let scroll = scale > 0 ? at.view / scale : 0
    if (at.view > 0) scroll = Math.max(scroll, 1)
    if (at.view < lastView) scroll = Math.min(scroll, space - at.height - 1)
    if (Math.abs(scroller.current.scrollTop - scroll) >= 1) scroller.current.scrollTop = scroll
    at.scroll = scroller.current.scrollTop
    again()
  }
  const scrolled = () => {
    const scroll = scroller.current.scrollTop, moved = scroll - at.scroll
    if (moved === 0) return
    at.scroll = scroll
    if (scale <= 1) at.view = scroll
    else if (scroll <= 0) at.view = 0
    else if (scroll >= space - at.height - 1) at.view = lastView
    else at.view = Math.abs(moved) > at.height * 1.5 ? scroll * scale : Math.min(Math.max(0, at.view + moved), lastView)
    again()
    clearTimeout(at.timer)
    at.timer = setTimeout(() => at.show(at.view), 250)
  }

  useEffect(() => {
    const end = new AbortController(), resized = new ResizeObserver(() => at.look())
    resized.observe(box.current.parentNode)
    if (keys) for (const name of ['scroll', 'resize']) addEventListener(name, () => at.look(), {passive: true, signal: end.signal})
    return () => {
      end.abort()
      resized.disconnect()
      clearTimeout(at.timer)
    }
  }, [])
  useEffect(() => { if (keys) at.look() })
  // New rows are added at the beginning. The visible rows keep their place, unless the newest row is visible.
  useEffect(() => {
    const more = grown - at.grown
    at.grown = grown
    if (more > 0 && at.view > 0) show(at.view + more * rowHeight)
    else if (!keys && at.view > lastView) show(lastView)
  }, [grown, count])
  useEffect(() => {
    if (active === at.active || active < 0) return
    const above = top(active), below = above + rowHeight, near = at.active === undefined ? 0 : 3 * rowHeight
    at.active = active
    if (above >= at.view && below <= at.view + at.height) return
    const isNear = above > at.view - near && below < at.view + at.height + near
    show(!isNear ? above - (at.height - rowHeight) / 2 : above < at.view ? above : below - at.height)
  }, [active, count, grown])
  useEffect(() => { onRange?.(first, last - 1) }, [first, last, grown])
  useEffect(() => { onTop?.(at.view < rowHeight) }, [at.view < rowHeight])
  if (control) control.current = {toTop: () => show(0), page: Math.max(1, Math.floor(at.height / rowHeight) - 1)}

  const focused = keys?.indexOf(box.current?.contains(document.activeElement) && document.activeElement.closest('[data-id]')?.dataset.id)
  const shown = new Set(focused >= 0 ? [focused] : [])
  for (let index = first; index < last; index++) shown.add(index)
  // The distance between the rows and their places in a list of unlimited height.
  const shift = keys ? 0 : at.scroll - at.view
  let end = -shift
  const rows = [...shown].sort((a, b) => a - b).map((index, place) => {
    const before = top(index) - end
    end = top(index + 1)
    const after = place === shown.size - 1 ? space - end - shift : 0
    return render(index, before || after ? {'margin-top': `${before}px`, 'margin-bottom': `${after}px`} : undefined)
  })
  if (keys) return html`<ul class="items" role="list" aria-label=${label} style=${flow} ref=${box}>${rows}</ul>`
  return html`
    <div class="list" role="listbox" tabindex="0" aria-label=${label} aria-activedescendant=${active >= first && active < last ? `row-${active}` : undefined}
      style=${{...style, '--row-height': `${rowHeight}px`}} ref=${scroller} onScroll=${scrolled}>
      <div role="presentation" style=${flow} ref=${box}>${rows}</div>
    </div>`
}

// The keys: they do the same as in `todo watch`.

/** The keys, in the order in which one needs them: for the help. */
export const keys = [
  ['j k', 'down and up'], ['Space', 'done, or open again'], ['a', 'add'], ['e', 'rename: Enter saves, Esc leaves it'], ['d', 'remove'],
  ['u r', 'undo and redo'], ['/', 'search'], ['m', 'due day, priority and tags'], ['g G', 'first and last'], ['?', 'this help'],
]

const names = {
  j: 'down', ArrowDown: 'down', k: 'up', ArrowUp: 'up', g: 'first', Home: 'first', G: 'last', End: 'last', ' ': 'toggle', x: 'toggle',
  a: 'add', e: 'edit', Enter: 'edit', d: 'remove', u: 'undo', r: 'redo', '/': 'search', '?': 'help', m: 'more',
}

/** The action of a key that was pressed; null when it is for the element that has the focus, or for the browser. */
export function meaning(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return null
  const target = event.target
  const isBox = target.matches?.('input[type=checkbox]')
  if (!isBox && target.closest?.('input, textarea, select, [contenteditable], dialog')) return null
  const isControl = target.closest?.('button, a, summary')
  // These have a meaning of their own there.
  if ((isControl || isBox) && event.key === ' ' || isControl && event.key === 'Enter') return null
  return names[event.key] ?? null
}

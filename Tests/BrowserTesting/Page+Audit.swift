import AlterJournal

extension Page {
  /// Checks the accessibility of the page as it is now.
  ///
  /// The checks are the rules of WCAG 2.2 that a program can decide: a language and a title, one `h1`, a `main` landmark, unique ids, a
  /// name for every control, a text for every image, a label for every field, no positive `tabindex`, roles within their parents, a
  /// contrast of 4.5 (3 for large text) for every visible text, a visible focus on every focusable element, and no horizontal scrolling.
  ///
  /// - Returns: The violations as texts; empty if there are none.
  public func audit() async throws -> [String] {
    // From now on the browser shows the focus, as it does for users of a keyboard.
    try await press("Shift")
    return try await evaluate(Self.auditScript)
  }

  private static let auditScript = #"""
    (() => {
      const findings = []
      // As it looks when everything has come to rest.
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('*, *::before, *::after { transition: none !important; animation: none !important; }')
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
      const all = selector => [...document.querySelectorAll(selector)]
      const isShown = element => element.checkVisibility({visibilityProperty: true, opacityProperty: true}) && element.getClientRects().length > 0
      const isHiddenFromReaders = element => !!element.closest('[aria-hidden="true"]')
      const describe = element => {
        const name = element.localName + (element.id ? '#' + element.id : '') + [...element.classList].map(name => '.' + name).join('')
        return `<${name}> "${(element.innerText ?? '').trim().replace(/\s+/g, ' ').slice(0, 40)}"`
      }
      const find = (element, what) => findings.push(`${describe(element)} ${what}`)

      // The document.
      if (!document.documentElement.lang) findings.push('<html> has no lang')
      if (!document.title.trim()) findings.push('the page has no title')
      const headings = all('h1').filter(isShown)
      if (headings.length !== 1) findings.push(`the page has ${headings.length} h1, and needs one`)
      if (all('main').filter(isShown).length !== 1) findings.push('the page needs one main')
      const ids = new Map()
      for (const element of all('[id]')) ids.set(element.id, (ids.get(element.id) ?? 0) + 1)
      for (const [id, count] of ids) if (count > 1) findings.push(`id "${id}" is there ${count} times`)
      const sideways = document.documentElement.scrollWidth - document.documentElement.clientWidth
      if (sideways > 1) {
        const wide = all('body *').filter(element => isShown(element) && element.getBoundingClientRect().right > innerWidth + 1)
        findings.push(`the page scrolls sideways by ${sideways} pixels: ${wide.slice(-1).map(describe)}`)
      }

      // Names.
      const textOf = element => {
        if (!element || element.getAttribute?.('aria-hidden') === 'true') return ''
        if (element.nodeType === Node.TEXT_NODE) return element.data
        if (element.nodeType !== Node.ELEMENT_NODE) return ''
        if (element.getAttribute('aria-label')) return element.getAttribute('aria-label')
        if (element.localName === 'img') return element.alt
        if (element.localName === 'svg') return element.querySelector('title')?.textContent ?? ''
        return [...element.childNodes].map(textOf).join(' ')
      }
      const nameOf = element => {
        const ids = element.getAttribute('aria-labelledby')?.split(/\s+/) ?? []
        const parts = [ids.map(id => textOf(document.getElementById(id))).join(' '), element.getAttribute('aria-label')]
        if (element.labels) parts.push([...element.labels].map(textOf).join(' '))
        const isField = ['input', 'select', 'textarea'].includes(element.localName)
        if (!isField) parts.push([...element.childNodes].map(textOf).join(' '))
        if (['submit', 'button', 'reset'].includes(element.type)) parts.push(element.value)
        parts.push(element.title)
        return parts.find(part => part && part.trim())
      }
      const controls = 'button, a[href], input:not([type=hidden]), select, textarea, summary, [tabindex]:not([tabindex="-1"]), [role=button], [role=tab], [role=option], [role=treeitem], [role=slider], [role=link], [role=checkbox], [role=dialog], dialog[open]'
      for (const element of all(controls)) {
        if (!isShown(element)) continue
        if (isHiddenFromReaders(element)) { find(element, 'can be used, but is hidden from screen readers'); continue }
        if (!nameOf(element)) find(element, 'has no name')
        if (element.tabIndex > 0) find(element, 'has a positive tabindex')
      }
      for (const image of all('img, [role=img]')) {
        if (isShown(image) && !isHiddenFromReaders(image) && image.getAttribute('alt') === null && !nameOf(image)) find(image, 'has no alt')
      }
      const parents = {option: '[role=listbox]', tab: '[role=tablist]', treeitem: '[role=tree]', row: '[role=grid], [role=table], [role=treegrid], table', listitem: '[role=list], ul, ol'}
      for (const [role, parent] of Object.entries(parents)) {
        for (const element of all(`[role=${role}]`)) if (isShown(element) && !element.closest(parent)) find(element, `has the role ${role} outside of ${parent}`)
      }
      for (const attribute of ['aria-labelledby', 'aria-describedby', 'aria-controls', 'aria-activedescendant']) {
        for (const element of all(`[${attribute}]`)) {
          for (const id of element.getAttribute(attribute).split(/\s+/)) {
            if (id && isShown(element) && !document.getElementById(id)) find(element, `names "${id}" by ${attribute}, which is not there`)
          }
        }
      }

      // Contrast (WCAG 2.2, 1.4.3). A canvas turns whatever way a colour is written into bytes.
      const canvas = document.createElement('canvas')
      canvas.width = canvas.height = 1
      const context = canvas.getContext('2d', {willReadFrequently: true})
      const colors = new Map()
      const colorOf = text => {
        if (!colors.has(text)) {
          context.clearRect(0, 0, 1, 1)
          context.fillStyle = text
          context.fillRect(0, 0, 1, 1)
          const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data
          colors.set(text, [r, g, b, a / 255])
        }
        return colors.get(text)
      }
      const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1)
      const luminance = color => {
        const [r, g, b] = color.map(value => { value /= 255; return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4 })
        return 0.2126 * r + 0.7152 * g + 0.0722 * b
      }
      const contrast = (one, other) => {
        const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a)
        return (high + 0.05) / (low + 0.05)
      }
      const canvasColor = colorOf(getComputedStyle(document.documentElement).colorScheme.includes('dark') && matchMedia('(prefers-color-scheme: dark)').matches ? '#121212' : '#ffffff')
      const backgrounds = new Map()
      const backgroundOf = element => {
        if (!element) return canvasColor
        if (!backgrounds.has(element)) {
          const own = colorOf(getComputedStyle(element).backgroundColor)
          backgrounds.set(element, own[3] >= 1 ? own : over(own, backgroundOf(element.parentElement)))
        }
        return backgrounds.get(element)
      }
      const opacityOf = element => {
        let opacity = 1
        for (let at = element; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity)
        return opacity
      }
      const checkContrast = (element, what, style = getComputedStyle(element)) => {
        const background = backgroundOf(element)
        let color = colorOf(style.color)
        color = [...color.slice(0, 3), color[3] * opacityOf(element)]
        const size = parseFloat(style.fontSize)
        const isLarge = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700
        const ratio = contrast(over(color, background), background)
        if (ratio < (isLarge ? 3 : 4.5)) find(element, `has ${what} with a contrast of ${ratio.toFixed(2)}: ${style.color} on rgb(${background.slice(0, 3).map(Math.round)})`)
      }
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const seen = new Set()
      while (texts.nextNode()) {
        const element = texts.currentNode.parentElement
        if (!texts.currentNode.data.trim() || seen.has(element) || !isShown(element)) continue
        seen.add(element)
        // What is disabled is exempt, and so is what only screen readers find.
        if (element.closest(':disabled, [aria-disabled=true]') || element.getBoundingClientRect().width <= 1) continue
        checkContrast(element, 'text')
      }
      for (const field of all('input, textarea, select')) {
        if (!isShown(field) || field.disabled || ['checkbox', 'radio', 'range', 'hidden', 'color'].includes(field.type)) continue
        if (field.value) checkContrast(field, 'text')
        else if (field.placeholder) checkContrast(field, 'a placeholder', getComputedStyle(field, '::placeholder'))
      }

      // The focus can be seen: something about the element, or about one that holds it, differs.
      const looks = element => {
        const found = []
        for (let at = element, depth = 0; at && depth < 3; at = at.parentElement, depth++) {
          const style = getComputedStyle(at)
          found.push(style.outlineStyle === 'none' ? '' : style.outlineStyle + style.outlineWidth + style.outlineColor,
            style.boxShadow, style.borderColor, style.backgroundColor, style.textDecorationLine)
        }
        return found.join('|')
      }
      const before = document.activeElement
      for (const element of all(controls).filter(element => isShown(element) && element.tabIndex >= 0 && !element.disabled).slice(0, 200)) {
        document.activeElement?.blur()
        const unfocused = looks(element)
        element.focus({preventScroll: true, focusVisible: true})
        if (document.activeElement === element && looks(element) === unfocused) find(element, 'looks the same with the focus as without')
      }
      document.activeElement?.blur()
      before?.focus?.({preventScroll: true})
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter(other => other !== sheet)
      return [...new Set(findings)]
    })()
    """#
}

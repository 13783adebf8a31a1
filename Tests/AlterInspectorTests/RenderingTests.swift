#if InspectorServer
  import BrowserTesting
  import Testing

  @Suite("The module that renders the pages", .enabled(if: Browser.isExpected), .timeLimit(.minutes(20)))
  struct RenderingTests {
    @Test("markup in a value is text, in content and in attributes") func markup() async throws {
      try await LibraryPage.with { page in
        let hostile = #"<img src=x onerror="window.taken = 1"><script>window.taken = 1</script>" onclick="window.taken = 1"#
        let shown = try await page.script(
          """
          const hostile = \(hostile.debugDescription)
          // JSON from a server may look like a template.
          const forged = JSON.parse('{"template": {"children": [{"tag": "img", "attributes": [], "children": []}]}, "values": []}')
          render(html`<p title=${hostile} class=${hostile}>${hostile}</p><p>${[hostile, forged]}</p>`, app)
          const [one, two] = app.querySelectorAll('p')
          return [one.textContent, one.title, one.className, two.textContent, `${app.querySelectorAll('*').length}`, `${one.attributes.length}`, `${window.taken}`]
          """, as: [String].self)
        #expect(shown == [hostile, hostile, hostile, hostile + "[object Object]", "2", "2", "undefined"])
      }
    }

    @Test("no value becomes a program") func programs() async throws {
      try await LibraryPage.with { page in
        let refused = try await page.script(
          """
          const seen = []
          const code = 'window.taken = 1'
          for (const make of [() => html`<p onClick=${code}></p>`, () => html`<p onclick=${code}></p>`, () => html`<p ...${{onclick: code}}></p>`, () => html`<p onclick="window.taken = 1"></p>`]) {
            try { render(make(), app); seen.push('accepted') } catch (error) { seen.push(error.constructor.name) }
          }
          for (const address of ['javascript:window.taken = 1', ' java\\nscript:window.taken = 1', '/inside', 'https://alter.example/', '#r=1']) {
            render(html`<a href=${address}>there</a>`, app)
            seen.push(app.firstChild.getAttribute('href') ?? 'no address')
          }
          render(html`<iframe srcdoc=${'<p>page</p>'} title="frame"></iframe>`, app)
          seen.push(app.firstChild.getAttribute('srcdoc') ?? 'no page')
          return [...seen, `${window.taken}`]
          """, as: [String].self)
        #expect(
          refused == [
            "TypeError", "TypeError", "TypeError", "TypeError", "no address", "no address", "/inside", "https://alter.example/", "#r=1",
            "no page", "undefined",
          ])
      }
    }

    @Test("templates become what they say") func templates() async throws {
      try await LibraryPage.with { page in
        let shown = try await page.script(
          """
          const Name = ({name, isLoud, children}) => html`<b>${isLoud ? name.toUpperCase() : name}</b>`
          const view = on => html`
            <p class="a b" aria-hidden=${on} data-on=${!on} hidden=${on} title=${on ? 'yes' : null} spellcheck="false">
              one ${2} ${null}${false}${true}${undefined}${0}<br />
              <${Name} name="ann" isLoud /> <${Name} ...${{name: on ? 'bob' : 'eve'}} />
            </p>`
          const seen = []
          for (const on of [true, false]) {
            render(view(on), app)
            seen.push(app.innerHTML)
          }
          render(html`<svg viewBox="0 0 1 1"><path d=${'M0 0'} /></svg><i style=${{'--x': '3', width: '4px'}}></i>`, app)
          return [...seen, app.querySelector('path').namespaceURI, app.querySelector('i').style.cssText]
          """, as: [String].self)
        #expect(
          shown == [
            #"<p class="a b" spellcheck="false" aria-hidden="true" data-on="false" hidden="" title="yes">one 2 0<br><b>ANN</b> <b>bob</b></p>"#,
            #"<p class="a b" spellcheck="false" aria-hidden="false" data-on="true">one 2 0<br><b>ANN</b> <b>eve</b></p>"#,
            "http://www.w3.org/2000/svg", "--x: 3; width: 4px;",
          ])
      }
    }

    @Test("a template with a mistake is refused") func mistake() async throws {
      try await LibraryPage.with { page in
        let errors = try await page.script(
          """
          const C = () => null
          return [() => html`<p>`, () => html`</p>`, () => html`<p></b>`, () => html`<${C}>text</${C}>`, () => html`<p class="a ${1}"></p>`, () => html`<p a=b></p>`,
            () => html`<div><p key=${1}></p></div>`, () => html`<p key=${1}></p>, `, () => html`<p ${1}></p>`].map(make => { try { make(); return 'accepted' } catch (error) { return error.constructor.name } })
          """, as: [String].self)
        #expect(errors == Array(repeating: "SyntaxError", count: 9))
      }
    }

    @Test("attributes, styles and listeners follow their values, and what a person changed is put back") func attributes() async throws {
      try await LibraryPage.with { page in
        let seen = try await page.script(
          """
          let change
          const heard = []
          const Form = () => {
            const [state, setState] = useState({name: 'one', style: {width: '1px', height: '2px'}, isOn: true, title: 'here', pick: 'b'})
            change = setState
            return html`<form><input value=${state.name} onInput=${() => heard.push(state.name)} /><input type="checkbox" checked=${state.isOn} />
              <select value=${state.pick}>${['a', 'b', 'c'].map(name => html`<option key=${name} value=${name}>${name}</option>`)}</select>
              <i style=${state.style} title=${state.title} onClick=${state.isOn && (() => heard.push('click'))}></i></form>`
          }
          render(html`<${Form} />`, app)
          const [input, box, select, i] = app.querySelectorAll('input, select, i')
          const look = () => [input.value, `${box.checked}`, select.value, i.style.cssText, `${i.title}`].join(' / ')
          const seen = [look()]
          input.dispatchEvent(new Event('input'))
          i.click()
          input.value = 'typed'
          box.checked = false
          change(state => ({...state, style: {height: '3px'}, title: null, pick: 'c'}))
          await rendered()
          seen.push(look())
          change(state => ({...state, isOn: false, name: 'two'}))
          await rendered()
          input.dispatchEvent(new Event('input'))
          i.click()
          return [...seen, look(), heard.join()]
          """, as: [String].self)
        #expect(
          seen == [
            "one / true / b / width: 1px; height: 2px; / here", "one / true / c / height: 3px; / ", "two / false / c / height: 3px; / ",
            "one,click,two",
          ])
      }
    }

    @Test("a list keeps the nodes of its keys, moves as few as possible, and leaves the focus and what is typed where they are")
    func keyedList() async throws {
      try await LibraryPage.with { page in
        let seen = try await page.script(
          """
          let show
          const List = () => {
            const [keys, setKeys] = useState(['a', 'b', 'c', 'd', 'e'])
            show = async keys => { setKeys(keys); await rendered() }
            return html`<ul>${keys.map(key => html`<li key=${key}><input name=${key} /></li>`)}</ul><p>after</p>`
          }
          render(html`<${List} />`, app)
          const list = app.querySelector('ul'), first = new Map([...list.children].map(row => [row.firstChild.name, row]))
          const moved = []
          new MutationObserver(records => { for (const {addedNodes} of records) for (const node of addedNodes) if (node.firstChild) moved.push(node.firstChild.name) }).observe(list, {childList: true})
          const c = first.get('c').firstChild
          c.focus()
          c.value = 'typed'
          c.setSelectionRange(1, 3)
          const seen = []
          const look = () => {
            const same = [...list.children].filter(row => first.get(row.firstChild.name) === row).length
            seen.push(`${[...list.children].map(row => row.firstChild.name).join('')} ${same} moved ${moved.splice(0).join('')} ${document.activeElement === c} ${c.value} ${c.selectionStart}-${c.selectionEnd}`)
          }
          for (const keys of ['eabcd', 'bcdea', 'acd', 'xacdy', 'dcxay', '']) { await show([...keys]); look() }
          return seen
          """, as: [String].self)
        #expect(
          seen == [
            "eabcd 5 moved e true typed 1-3", "bcdea 5 moved ae true typed 1-3", "acd 3 moved a true typed 1-3",
            "xacdy 3 moved xy true typed 1-3", "dcxay 3 moved cd true typed 1-3", " 0 moved  false typed 1-3",
          ])
      }
    }

    @Test("a list is what it is told to be, whatever it was") func list() async throws {
      try await LibraryPage.with { page in
        let wrong = try await page.script(
          """
          let show, seed = 7
          const random = below => (seed = seed * 48271 % 2147483647) % below
          const Row = ({id}) => html`${id % 3 === 0 && 'text '}<b>${id}</b>${id % 2 === 0 && html`<i>even</i>`}`
          const List = () => {
            const [ids, setIds] = useState([])
            show = setIds
            return html`before ${ids.map(id => html`<${Row} key=${id} id=${id} />`)} after`
          }
          render(html`<${List} />`, app)
          const expected = ids => 'before ' + ids.map(id => (id % 3 === 0 ? 'text ' : '') + id + (id % 2 === 0 ? 'even' : '')).join('') + ' after'
          const wrong = [], known = new Map()
          for (let round = 0; round < 300; round++) {
            const ids = [...new Set(Array.from({length: random(20)}, () => random(30)))]
            show(ids)
            await null; await null
            if (app.textContent !== expected(ids)) wrong.push(`${ids}: ${app.textContent}`)
            const now = new Map([...app.querySelectorAll('b')].map(node => [node.textContent, node]))
            for (const [name, node] of now) if (known.has(name) && known.get(name) !== node) wrong.push(`${ids}: ${name} is another`)
            known.clear()
            for (const entry of now) known.set(...entry)
          }
          // The same key twice is shown twice.
          show([1, 1, 2])
          await rendered()
          if (app.textContent !== expected([1, 1, 2])) wrong.push(app.textContent)
          return wrong
          """, as: [String].self)
        #expect(wrong == [])
      }
    }

    @Test("changes are rendered once, by the components that they are about") func renderedOnce() async throws {
      try await LibraryPage.with { page in
        let seen = try await page.script(
          """
          const rendered_ = []
          const set = {}
          const Row = ({name, item}) => {
            const [count, setCount] = useState(0)
            set[name] = setCount
            rendered_.push(name + count)
            return html`<li>${name} ${item.text} ${count}</li>`
          }
          const List = () => {
            const [texts, setTexts] = useState(['x', 'y'])
            set.list = setTexts
            rendered_.push('list')
            return texts.map((text, index) => html`<${Row} key=${index} name=${'ab'[index]} item=${{text}} />`)
          }
          render(html`<${List} />`, app)
          const seen = []
          const look = async () => { await rendered(); seen.push(rendered_.splice(0).join() + ': ' + app.textContent) }
          await look()
          set.a(1); set.a(count => count + 1)
          await look()
          set.b(5); set.list(['x', 'z'])
          await look()
          set.list(texts => [...texts]); set.a(2)
          await look()
          set.list(['x'])
          await look()
          set.b(9)
          await look()
          return seen
          """, as: [String].self)
        #expect(
          seen == [
            "list,a0,b0: a x 0b y 0", "a2: a x 2b y 0", "list,a2,b5: a x 2b z 5", "list,a2,b5: a x 2b z 5", "list,a2: a x 2", ": a x 2",
          ])
      }
    }

    @Test("effects come after the document, children first, and are cleaned up once") func effects() async throws {
      try await LibraryPage.with { page in
        let seen = try await page.script(
          """
          const log = []
          let set
          const ref = {}
          const Child = ({name}) => {
            useEffect(() => { log.push(`${name} in ${app.textContent}`); return () => log.push(`${name} out`) }, [name])
            useEffect(() => { log.push(`${name} always`) })
            return html`<i>${name}</i>`
          }
          const Parent = () => {
            const [state, setState] = useState({name: 'one', key: 1})
            set = state => { setState(state); return rendered() }
            useEffect(() => { log.push('parent'); return () => log.push('parent out') }, [])
            return html`<p ref=${ref}>${state.name && html`<${Child} key=${state.key} name=${state.name} />`}</p>`
          }
          const end = render(html`<${Parent} />`, app)
          const seen = []
          const look = () => seen.push(log.splice(0).join(', ') + (ref.current ? '' : ' without'))
          look()
          await set({name: 'one', key: 1}); look()
          await set({name: 'two', key: 1}); look()
          await set({name: 'two', key: 2}); look()
          await set({name: '', key: 2}); look()
          await set({name: 'three', key: 3}); look()
          end(); look()
          await set({name: 'four', key: 3}); look()
          return [...seen, app.innerHTML]
          """, as: [String].self)
        #expect(
          seen == [
            "one in one, one always, parent", "one always", "one out, two in two, two always", "two out, two in two, two always", "two out",
            "three in three, three always", "parent out, three out without", " without", "",
          ])
      }
    }

    @Test("an error in one component is told, and the others go on") func componentError() async throws {
      try await LibraryPage.with { page in
        let seen = try await page.script(
          """
          const set = []
          const Part = ({place}) => {
            const [text, setText] = useState('well')
            set[place] = setText
            if (text === 'bad') throw new Error('bad part')
            useEffect(() => { if (text === 'worse') throw new Error('bad effect') }, [text])
            return html`<i>${text}</i>`
          }
          render(html`<${Part} place=${0} /><${Part} place=${1} />`, app)
          set[0]('bad'); set[1]('fine')
          await rendered()
          const seen = [app.textContent]
          set[0]('worse'); set[1]('good')
          await rendered()
          return [...seen, app.textContent]
          """, as: [String].self)
        #expect(seen == ["wellfine", "worsegood"])
        let problems = page.takeProblems()
        #expect(problems.count == 2 && problems[0].contains("bad part") && problems[1].contains("bad effect"), "\(problems)")
      }
    }

    @Test("a list of ten thousand rows has a few in the document, and every one can be reached") func tenThousandRows() async throws {
      try await LibraryPage.with { page in
        try await page.run(
          """
          (() => {
            let set
            const App = () => {
              const [state, setState] = useState({keys: Array.from({length: 10000}, (_, index) => `k${index}`)})
              set = setState
              return html`<h1>Rows</h1><${VirtualList} keys=${state.keys} rowHeight=${20} label="Rows" render=${(index, style) => html`
                <li key=${state.keys[index]} data-id=${state.keys[index]} aria-posinset=${index + 1} aria-setsize=${state.keys.length} style=${style}>
                  <div style=${{height: `${20 + Number(state.keys[index].slice(1)) % 4 * 10}px`}}><input aria-label=${state.keys[index]} /></div></li>`} /><p>the end</p>`
            }
            render(html`<${App} />`, app)
            Object.assign(window, {change: change => set(change), frame: () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))})
            window.sight = () => {
              const rows = [...document.querySelectorAll('li')]
              const seen = rows.filter(row => { const box = row.getBoundingClientRect(); return box.bottom > 0 && box.top < innerHeight })
              return {rows: rows.length, first: seen[0]?.dataset.id ?? '', last: seen.at(-1)?.dataset.id ?? '',
                isWhole: seen.every((row, index) => index === 0 || Math.abs(row.getBoundingClientRect().top - seen[index - 1].getBoundingClientRect().bottom) < 1)}
            }
          })()
          """)
        struct Look: Decodable {
          let rows: Int
          let first: String
          let last: String
          let isWhole: Bool
        }
        func look() async throws -> Look { try await page.script("await frame(); await frame(); return sight()") }
        let start = try await look()
        #expect(start.first == "k0" && start.rows < 100 && start.isWhole, "\(start)")
        #expect(try await page.evaluate("document.querySelector('ul').scrollHeight > 10000 * 19") == true)
        // The scroll bar moves to the middle and to the end.
        try await page.run("scrollTo(0, document.documentElement.scrollHeight / 2)")
        let middle = try await look()
        #expect(
          middle.rows < 100 && middle.isWhole && Int(middle.first.dropFirst()).map { (3_000...7_000).contains($0) } == true, "\(middle)")
        try await page.run("scrollTo(0, 1e9)")
        try await page.wait(until: "(scrollTo(0, 1e9), await frame(), sight().last === 'k9999')")
        // The row with the focus stays in the document.
        try await page.run(
          "document.querySelector('[data-id=k9999] input').focus(), document.activeElement.value = 'typed', scrollTo(0, 0)")
        try await page.wait(until: "sight().first === 'k0'")
        #expect(
          try await page.script("await frame(); return [document.activeElement.value, document.activeElement.ariaLabel]") == [
            "typed", "k9999",
          ])
        #expect(try await look().isWhole)
        // The same element keeps the row under another index. It is removed when it loses the focus.
        try await page.run("change(state => ({keys: state.keys.slice(1)}))")
        #expect(
          try await page.script("await frame(); return [document.activeElement.value, document.activeElement.closest('li').ariaPosInSet]")
            == ["typed", "9999"])
        try await page.run("document.activeElement.blur(), change(state => ({...state}))")
        try await page.wait(until: "!document.querySelector('[data-id=k9999]')")
        // A short list is rendered as a whole.
        try await page.run("change(state => ({...state, keys: state.keys.slice(0, 200)}))")
        try await page.wait(until: "document.querySelectorAll('li').length === 200")
      }
    }

    @Test("a list of a million rows goes by its scroll bar, by the wheel and by keys, beyond what a browser can make high")
    func millionRows() async throws {
      try await LibraryPage.with { page in
        try await page.run(
          """
          (() => {
            const control = {}
            let select, grow
            const App = () => {
              const [active, setActive] = useState(0)
              const [count, setCount] = useState(1000000)
              select = setActive
              grow = setCount
              return html`<${VirtualList} count=${count} rowHeight=${32} grown=${count} active=${active} control=${control} label="Rows" style=${{height: '480px', overflow: 'auto', 'overflow-anchor': 'none'}}
                render=${(index, style) => html`<div key=${count - index} class="row" role="option" id=${`row-${index}`} data-row=${count - index} style=${{...style, height: '32px'}}>${index}</div>`} />`
            }
            render(html`<${App} />`, app)
            window.list = document.querySelector('.list')
            Object.assign(window, {control, select: index => select(index), grow: count => grow(count)})
            // The rows in sight, if they lie without a gap.
            window.seen = () => {
              const frame = list.getBoundingClientRect()
              const rows = [...document.querySelectorAll('.row')].map(row => [Number(row.dataset.row), row.getBoundingClientRect()]).filter(([, box]) => box.bottom > frame.top && box.top < frame.bottom)
              const isWhole = rows.every(([, box], place) => place === 0 ? box.top <= frame.top + 1 : Math.abs(box.top - rows[place - 1][1].bottom) < 1) && rows.at(-1)[1].bottom >= frame.bottom - 1
              return isWhole && document.querySelectorAll('.row').length < 60 ? [rows[0][0], rows.at(-1)[0]] : 'gaps: ' + rows.map(([row, box]) => `${row} at ${box.top}`)
            }
            window.at = (first, last) => `${seen()}` === `${[first, last]}`
          })()
          """)
        try await page.wait(until: "at(1000000, 999986)")
        try await page.run("list.scrollTop = 1e9")
        try await page.wait(until: "at(15, 1)")
        // Dragged to the middle, the scroll bar shows the middle.
        try await page.run("list.scrollTop = list.scrollHeight / 2")
        try await page.wait(until: "Math.abs(seen()[0] - 500000) < 1000")
        let middle = try await page.evaluate("seen()[0]", as: Int.self)
        // The wheel scrolls by rows, not by a fraction of the list.
        try await page.scroll(".list", by: 320)
        try await page.wait(until: "seen()[0] === \(middle - 10)")
        try await page.run("select(777777)")
        try await page.wait(
          until: "(row => row && row.offsetTop > 0 && seen()[0] > 222223 && seen()[1] < 222223)(document.querySelector('#row-777777'))")
        try await page.run("select(777778)")
        try await page.wait(until: "list.getAttribute('aria-activedescendant') === 'row-777778'")
        // New rows appear at the top. The visible rows stay in place.
        let before = try await page.evaluate("seen()", as: [Int].self)
        try await page.run("grow(1000003)")
        try await page.wait(until: "document.querySelector('[data-row=\"\(before[0])\"]').id === `row-${1000003 - \(before[0])}`")
        #expect(try await page.evaluate("seen()", as: [Int].self) == before)
        try await page.run("control.current.toTop()")
        try await page.wait(until: "at(1000003, 999989)")
      }
    }
  }
#endif

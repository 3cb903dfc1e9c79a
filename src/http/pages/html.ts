/**
 * HTML by template literals. Every value is escaped for the place where it stands. A value in a place where escaping would
 * not help is an error of the template: see `Place`.
 */

/** Markup that is sent as it is. Only `html` and `trusted` make it. */
class Markup {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

export type Html = Markup

/** Null, undefined and false leave nothing behind, so that `condition && html'…'` can stand in a template. */
export type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[]

/**
 * Where a value stands. `text`: between elements. `attribute`: inside the quotes of an attribute. `address`: at the
 * beginning of one that is an address. `tag`: between attributes, for markup only. `raw`: in a script or a style sheet,
 * for trusted text only.
 */
type Place = 'text' | 'attribute' | 'address' | 'tag' | 'raw'

/**
 * Makes markup of a template literal.
 *
 * @throws TypeError for a value in a comment, in an attribute without quotes or with code in it, for a text between
 *   attributes or in a script, for markup in an attribute, and for an address that would run code.
 */
export function html(literals: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const places = placesOf(literals)
  const written = values.map((value, index) => write(value, places[index] ?? 'text') + (literals[index + 1] ?? ''))
  return new Markup((literals[0] ?? '') + written.join(''))
}

/** Text of our own, such as a style sheet, as markup. It must never contain anything that somebody else has chosen. */
export function trusted(text: string): Html {
  return new Markup(text)
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
}

function write(value: HtmlValue, place: Place): string {
  if (value === null || value === undefined || value === false) return ''
  if (typeof value === 'object' && !(value instanceof Markup)) return value.map((item) => write(item, place)).join('')
  if (value instanceof Markup) {
    if (place === 'attribute' || place === 'address') throw new TypeError('Markup stands in an attribute.')
    return value.toString()
  }
  if (place === 'raw') throw new TypeError('Text stands in a script or style sheet, where it cannot be escaped.')
  if (place === 'tag') throw new TypeError('Text stands in a tag outside of quotes, where it cannot be escaped.')
  const text = String(value)
  if (place === 'address' && runsCode(text)) throw new TypeError('An address would run code.')
  return escaped(text)
}

/** Browsers skip spaces and control characters in front of and inside a scheme. Source: the URL Standard. */
function runsCode(address: string): boolean {
  const visible = [...address].filter((sign) => sign > ' ').join('')
  return /^(javascript|vbscript|data):/i.test(visible)
}

/** Attributes whose value is an address that a browser follows or loads. */
const ADDRESSES: readonly string[] = ['href', 'src', 'action', 'formaction', 'poster', 'data', 'cite', 'xlink:href']

/** Attributes whose value is a program, a style sheet or a document, where escaping does not help. */
const CODE = /^(on.*|style|srcdoc)$/

/** What a reader of HTML is in the middle of. `raw`: a script or a style sheet. */
type State =
  | { kind: 'text' | 'comment' }
  | { kind: 'tag'; element: string }
  | { kind: 'attribute'; element: string; name: string; quote: string }
  | { kind: 'raw'; element: string }

const placesOfTemplates = new WeakMap<TemplateStringsArray, readonly Place[]>()

/** The places of a template's values. They follow from its literals, and are found once for each template. */
function placesOf(literals: TemplateStringsArray): readonly Place[] {
  const found = placesOfTemplates.get(literals)
  if (found !== undefined) return found
  const places: Place[] = []
  let state: State = { kind: 'text' }
  for (const literal of literals.slice(0, -1)) {
    state = readOn(state, literal)
    places.push(placeAt(state, literal))
  }
  placesOfTemplates.set(literals, places)
  return places
}

function placeAt(state: State, before: string): Place {
  switch (state.kind) {
    case 'text':
      return 'text'
    case 'raw':
      return 'raw'
    case 'comment':
      throw new TypeError('A value stands in a comment.')
    case 'tag':
      // `name=${value}`, `<${value}` and `name-${value}` are no places between attributes.
      if (!/\s$/.test(before) || /=\s*$/.test(before))
        throw new TypeError('A value stands in a tag, neither in quotes nor between attributes.')
      return 'tag'
    case 'attribute':
      if (CODE.test(state.name)) throw new TypeError(`A value stands in the attribute ${state.name}.`)
      return ADDRESSES.includes(state.name) && before.endsWith(state.quote) ? 'address' : 'attribute'
  }
}

/** The state at the end of a literal. */
function readOn(from: State, literal: string): State {
  let state = from
  for (let rest = literal; rest !== ''; ) {
    const [next, after] = step(state, rest)
    state = next
    rest = after
  }
  return state
}

/** The next state, and what is left to read; the state stays as it is where nothing in the text ends it. */
function step(state: State, text: string): [State, string] {
  switch (state.kind) {
    case 'text': {
      const [whole, comment, element = ''] = /^.*?<(?:(!--)|([/!]?[a-z][a-z0-9-]*|\/?$))/is.exec(text) ?? []
      if (whole === undefined) return [state, '']
      const rest = text.slice(whole.length)
      return [comment === undefined ? { kind: 'tag', element: element.toLowerCase() } : { kind: 'comment' }, rest]
    }
    case 'comment':
      return end(state, text, '-->', { kind: 'text' })
    case 'attribute':
      return end(state, text, state.quote, { kind: 'tag', element: state.element })
    case 'raw':
      return end(state, text, `</${state.element}`, { kind: 'tag', element: `/${state.element}` })
    case 'tag': {
      const { element } = state
      const [whole, before = '', sign = ''] = /^([^"'>]*)(["'>])/.exec(text) ?? []
      if (whole === undefined) return [state, '']
      const rest = text.slice(whole.length)
      if (sign === '>')
        return [element === 'script' || element === 'style' ? { kind: 'raw', element } : { kind: 'text' }, rest]
      const [, name = ''] = /([^\s"'<>/=]+)\s*=\s*$/.exec(before) ?? []
      return [{ kind: 'attribute', element, name: name.toLowerCase(), quote: sign }, rest]
    }
  }
}

function end(state: State, text: string, mark: string, next: State): [State, string] {
  const at = text.toLowerCase().indexOf(mark)
  return at === -1 ? [state, ''] : [next, text.slice(at + mark.length)]
}

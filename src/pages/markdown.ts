import { type MarkedToken, marked, type Token, type Tokens } from 'marked'
import { type Html, type HtmlChild, h } from './html.ts'

/** Where a link of a text leads on the page that shows it; null leaves its words. */
export type LinkOf = (href: string) => string | null

/** Only what is a whole address leads anywhere. */
const WHOLE: LinkOf = (href) => (/^https?:/.test(href) ? href : null)

/**
 * Our own pages and texts as elements, which need no second escaping. The title of a page, pictures and HTML are left out.
 *
 * @throws TypeError for what our pages do not have, such as a quotation
 */
export function markdown(text: string, linkOf: LinkOf = WHOLE): HtmlChild[] {
  let heading = 'Table'
  return marked.lexer(text).map((token) => {
    if (token.type === 'heading') heading = wordsOf(token)
    return blockHtml(token, { heading, linkOf })
  })
}

export const inlineMarkdown = (text: string, linkOf: LinkOf = WHOLE): HtmlChild[] =>
  inlineHtml(marked.Lexer.lexInline(text), linkOf)

/** A heading with what stands below it, for a search; the first part has no heading. */
export function markdownSections(text: string): { heading: string; anchor: string; text: string }[] {
  const sections = [{ heading: '', anchor: '', words: [] as string[] }]
  for (const token of marked.lexer(text)) {
    const words = wordsOf(token)
    if (isHeading(token, 2, 3)) sections.push({ heading: words, anchor: anchorOf(words), words: [] })
    else sections.at(-1)?.words.push(words)
  }
  return sections.map(({ words, ...section }) => ({ ...section, text: words.join('\n') }))
}

const isHeading = (token: Token, least: number, most: number): token is Tokens.Heading =>
  token.type === 'heading' && token.depth >= least && token.depth <= most

/** As forges make it of a heading. */
const anchorOf = (words: string) =>
  words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

/** A text without its marks. */
function wordsOf(token: Token): string {
  const one = token as MarkedToken
  switch (one.type) {
    case 'html':
    case 'image':
    case 'checkbox':
      return ''
    case 'table':
      return [one.header, ...one.rows].flat().map(wordsOfAll).join(' ')
    case 'list':
      return one.items.map(wordsOfAll).join(' ')
    default:
      return 'tokens' in one && one.tokens !== undefined ? wordsOfAll(one) : 'text' in one ? one.text : ''
  }
}
const wordsOfAll = ({ tokens }: { tokens?: Token[] }): string => (tokens ?? []).map(wordsOf).join('')

interface Place {
  /** What a table or list stands below. */
  heading: string
  linkOf: LinkOf
}

function blockHtml(token: Token, place: Place): HtmlChild {
  const one = token as MarkedToken
  switch (one.type) {
    case 'space':
    case 'html':
    case 'checkbox':
      return null
    case 'heading':
      return one.depth === 1
        ? null
        : h(`h${one.depth}`, { id: anchorOf(wordsOf(one)) }, inlineHtml(one.tokens, place.linkOf))
    case 'paragraph':
      return h('p', null, inlineHtml(one.tokens, place.linkOf))
    case 'text':
      return inlineHtml(one.tokens ?? [], place.linkOf)
    case 'code':
      return h('pre', { tabindex: '0' }, h('code', null, one.text))
    case 'list':
      return h(
        one.ordered ? 'ol' : 'ul',
        null,
        one.items.map(({ tokens }) =>
          h(
            'li',
            null,
            tokens.map((part) => blockHtml(part, place)),
          ),
        ),
      )
    case 'table':
      return tableHtml(one, place)
    default:
      throw new TypeError(`The pages have no ${one.type}.`)
  }
}

/** It may be too wide for its page, and is named by its heading. */
function tableHtml({ header, rows }: Tokens.Table, { heading, linkOf }: Place): Html {
  const head = header.map(({ text, tokens }) =>
    text === '' ? h('td', null) : h('th', { scope: 'col' }, inlineHtml(tokens, linkOf)),
  )
  const isTitled = header.some(({ text }) => text !== '')
  return h(
    'div',
    { class: 'wide', tabindex: '0', role: 'group', 'aria-label': heading },
    h(
      'table',
      null,
      isTitled && h('thead', null, h('tr', null, head)),
      h(
        'tbody',
        null,
        rows.map((cells) =>
          h(
            'tr',
            null,
            cells.map((cell) => h('td', null, cellHtml(cell, linkOf))),
          ),
        ),
      ),
    ),
  )
}

/** A click on the number of a card selects all of it. */
const cellHtml = ({ text, tokens }: Tokens.TableCell, linkOf: LinkOf): HtmlChild =>
  /^\d{13,19}$/.test(text) ? h('code', { class: 'number' }, text) : inlineHtml(tokens, linkOf)

const inlineHtml = (tokens: readonly Token[], linkOf: LinkOf): HtmlChild[] =>
  tokens.map((token) => {
    const one = token as MarkedToken
    switch (one.type) {
      case 'text':
      case 'escape':
        return one.text
      case 'codespan':
        return h('code', null, one.text)
      case 'strong':
      case 'em':
        return h(one.type, null, inlineHtml(one.tokens, linkOf))
      case 'link': {
        const href = linkOf(one.href)
        const words = inlineHtml(one.tokens, linkOf)
        return href === null ? words : h('a', { href }, words)
      }
      case 'html':
      case 'image':
        return null
      default:
        throw new TypeError(`The pages have no ${one.type}.`)
    }
  })

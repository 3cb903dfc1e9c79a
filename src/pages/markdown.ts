import { type Html, type HtmlChild, h } from './html.ts'

/** Where a link of a text leads on the page that shows it; null leaves its words. */
export type LinkOf = (href: string) => string | null

/** Only what is a whole address leads anywhere. */
const WHOLE: LinkOf = (href) => (/^https?:/.test(href) ? href : null)

/**
 * What our own pages and texts have of Markdown: headings, code, tables, lists, paragraphs; `code`, **strong**, *stressed*
 * and linked words. Pictures are left out.
 */
export function markdown(text: string, linkOf: LinkOf = WHOLE): Html[] {
  let heading = ''
  return blocksOf(text).map((block) => {
    const title = /^(#{2,4}) (.*)$/.exec(block)
    if (title === null) return blockHtml(block, heading, linkOf)
    const [, { length } = '', words = ''] = title
    heading = plainText(words)
    return h(`h${length}`, { id: anchorOf(words) }, inlineMarkdown(words, linkOf))
  })
}

/** A heading with what stands below it, for a search; the first part has no heading. */
export function markdownSections(text: string): { heading: string; anchor: string; text: string }[] {
  const [first = '', ...others] = text.split(/^(?=#{2,3} )/m)
  return [
    { heading: '', anchor: '', text: plainText(first) },
    ...others.map((part) => {
      const [line = ''] = part.split('\n')
      const words = line.replace(/^#+ /, '')
      return { heading: plainText(words), anchor: anchorOf(words), text: plainText(part.slice(line.length)) }
    }),
  ]
}

/** As forges make it of a heading. */
const anchorOf = (words: string) =>
  plainText(words)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

const plainText = (text: string) => text.replaceAll(/\[([^\]]+)\]\([^)]+\)|<picture>.*<\/picture>|[`*|]/g, '$1')

/** Blocks stand apart by empty lines, but those within code, and a heading ends with its line. */
const blocksOf = (text: string): string[] =>
  text
    .split(/^(```\w*\n[\s\S]*?\n```)$/m)
    .flatMap((part) => (part.startsWith('```') ? part : part.split(/\n{2,}|(?<=^#+ .*)\n/m)))
    .map((block) => block.replace(/^\n+|\s+$/g, ''))
    .filter((block) => block !== '' && !/^(# |<picture>)/.test(block))

function blockHtml(block: string, heading: string, linkOf: LinkOf): Html {
  const lines = block.split('\n')
  if (block.startsWith('```')) return h('pre', { tabindex: '0' }, h('code', null, lines.slice(1, -1).join('\n')))
  if (block.startsWith('|')) return table(lines, heading, linkOf)
  const [, mark] = /^(-|1\.) /.exec(block) ?? []
  if (mark === undefined) return h('p', null, inlineMarkdown(block, linkOf))
  const items = block.split(/^(?:-|\d+\.) (?:\[ \] )?/m).slice(1)
  return h(
    mark === '-' ? 'ul' : 'ol',
    null,
    items.map((item) => h('li', null, inlineMarkdown(item.trim(), linkOf))),
  )
}

/** It may be too wide for its page, and is named by its heading. */
function table(lines: readonly string[], heading: string, linkOf: LinkOf): Html {
  const [head = [], , ...rows] = lines.map((line) => line.slice(1, -1).split(/(?<!\\)\|/))
  const row = (name: 'th' | 'td', cells: readonly string[]) =>
    h(
      'tr',
      null,
      cells.map((cell) => {
        const isTitle = name === 'th' && cell.trim() !== ''
        return h(isTitle ? 'th' : 'td', isTitle ? { scope: 'col' } : null, cellHtml(cell.trim(), linkOf))
      }),
    )
  const isTitled = head.some((cell) => cell.trim() !== '')
  return h(
    'div',
    { class: 'wide', tabindex: '0', role: 'region', 'aria-label': heading === '' ? 'Table' : heading },
    h(
      'table',
      null,
      isTitled && h('thead', null, row('th', head)),
      h(
        'tbody',
        null,
        rows.map((cells) => row('td', cells)),
      ),
    ),
  )
}

/** A click on the number of a card selects all of it. */
const cellHtml = (text: string, linkOf: LinkOf): HtmlChild =>
  /^\d{13,19}$/.test(text) ? h('code', { class: 'number' }, text) : inlineMarkdown(text, linkOf)

const PART = /`([^`]+)`|\*\*(.+?)\*\*|\*([^*\s][^*]*)\*|\[((?:[^\]`]|`[^`]*`)+)\]\(([^)\s]+)\)/g

export function inlineMarkdown(text: string, linkOf: LinkOf = WHOLE): HtmlChild[] {
  const parts: HtmlChild[] = []
  let end = 0
  for (const match of text.matchAll(PART)) {
    const [whole, code, strong, stressed, label = '', address = ''] = match
    parts.push(text.slice(end, match.index))
    if (code !== undefined) parts.push(h('code', null, code.replaceAll('\\|', '|')))
    else if (strong !== undefined) parts.push(h('strong', null, inlineMarkdown(strong, linkOf)))
    else if (stressed !== undefined) parts.push(h('em', null, stressed))
    else {
      const href = linkOf(address)
      parts.push(href === null ? inlineMarkdown(label, linkOf) : h('a', { href }, inlineMarkdown(label, linkOf)))
    }
    end = match.index + whole.length
  }
  return [...parts, text.slice(end)]
}

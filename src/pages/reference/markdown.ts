import { type Html, type HtmlChild, h } from '../html.ts'

/** The Markdown that our document has: paragraphs, lists, `code`, **strong** words and [links](https://…). */
export function paragraphs(text: string): Html[] {
  return text
    .split('\n\n')
    .filter((part) => part !== '')
    .map((part) => {
      const lines = part.split('\n')
      if (!lines.every((line) => line.startsWith('- '))) return h('p', null, inlineText(part))
      return h(
        'ul',
        null,
        lines.map((line) => h('li', null, inlineText(line.slice(2)))),
      )
    })
}

const PART = /`([^`]+)`|\*\*(.+?)\*\*|\[([^\]]+)\]\((https:[^)]+)\)/g

export function inlineText(text: string): HtmlChild[] {
  const parts: HtmlChild[] = []
  let end = 0
  for (const match of text.matchAll(PART)) {
    const [whole, code, strong, label, address] = match
    parts.push(text.slice(end, match.index))
    if (code !== undefined) parts.push(h('code', null, code))
    else if (strong !== undefined) parts.push(h('strong', null, inlineText(strong)))
    else parts.push(h('a', { href: address ?? '' }, label))
    end = match.index + whole.length
  }
  return [...parts, text.slice(end)]
}

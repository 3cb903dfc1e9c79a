import { createElement, type VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'

/** An element of a page, with all that is in it. */
export type Html = VNode

/** Null, undefined and false leave nothing behind, so that `condition && h(…)` can stand among the children. */
export type HtmlChild = Html | string | number | false | null | undefined | readonly HtmlChild[]

/** True is an attribute without a value; false and null leave it out. */
type Attributes = Readonly<Record<string, string | boolean | null>>

/** Attributes whose value is an address that a browser follows or loads. */
const ADDRESSES: readonly string[] = ['href', 'src', 'action', 'formaction', 'poster', 'data', 'cite', 'xlink:href']

/** Attributes whose value is a program, a style sheet or a document, where escaping does not help. */
const CODE = /^(?:on.*|style|srcdoc|dangerouslysetinnerhtml)$/

/**
 * An element, whose texts and attributes Preact escapes.
 *
 * @throws TypeError where escaping would not help: an attribute with code in it, an address that would run code, a text in
 *   a script or style sheet.
 */
export function h(name: string, attributes: Attributes | null, ...children: readonly HtmlChild[]): Html {
  for (const [attribute, value] of Object.entries(attributes ?? {})) {
    if (CODE.test(attribute.toLowerCase())) throw new TypeError(`The attribute ${attribute} would be code.`)
    if (ADDRESSES.includes(attribute.toLowerCase()) && runsCode(String(value)))
      throw new TypeError('An address would run code.')
  }
  if (children.length > 0 && /^(?:script|style)$/i.test(name))
    throw new TypeError('Text stands in a script or style sheet, where it cannot be escaped.')
  return createElement(name, attributes, ...children)
}

/** A script or style sheet. Its text must never contain anything that somebody else has chosen, but for `scriptJson`. */
export function inline(name: 'script' | 'style', attributes: Attributes, text: string): Html {
  return createElement(name, { ...attributes, dangerouslySetInnerHTML: { __html: text } })
}

/** What a document is made of. */
interface Document {
  title: string
  /** By BCP 47. */
  lang: string
  dir?: 'ltr' | 'rtl'
  /** Style sheets and scripts. */
  head?: HtmlChild
  body: HtmlChild
}

/** The text of a page for the browser of a customer, in light and dark, which no search engine lists. */
export function documentText({ title, lang, dir = 'ltr', head = null, body }: Document): string {
  const named = { viewport: 'width=device-width, initial-scale=1', 'color-scheme': 'light dark', robots: 'noindex' }
  const metas = Object.entries(named).map(([name, content]) => h('meta', { name, content }))
  const wholeHead = h('head', null, h('meta', { charset: 'utf-8' }), metas, h('title', null, title), head)
  return `<!doctype html>\n${renderToString(h('html', { lang, dir }, wholeHead, h('body', null, body)))}\n`
}

/** A form that takes the browser on, with its button for those without scripts. */
export function formTo(url: string, fields: Readonly<Record<string, string>>, button: Html): Html {
  const inputs = Object.entries(fields).map(([name, value]) => h('input', { type: 'hidden', name, value }))
  return h('form', { method: 'post', action: url }, inputs, button)
}

/** Browsers skip spaces and control characters in front of and inside a scheme. Source: the URL Standard. */
function runsCode(address: string): boolean {
  const visible = [...address].filter((sign) => sign > ' ').join('')
  return /^(javascript|vbscript|data):/i.test(visible)
}

/**
 * A browser without scripts that goes on to the `return_url` of an invoice: it follows redirects, submits the forms
 * that a script would submit, and enters the code where one is asked for.
 */

const PAGES_MAX = 20

/** @returns the address that would open the app. */
export async function openInBrowser(
  { url, returnUrl }: { url: string; returnUrl: string },
  code: string,
): Promise<string> {
  let next: { url: URL; body: URLSearchParams | null } = { url: new URL(url), body: null }
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const response = await fetch(next.url, {
      redirect: 'manual',
      ...(next.body === null ? {} : { method: 'POST', body: next.body }),
    })
    const html = await response.text()
    const location = response.headers.get('location') ?? addressIn(html, returnUrl)
    if (location?.startsWith(returnUrl) === true) return location
    next = location === null ? submitted(next.url, html, code) : { url: new URL(location, next.url), body: null }
  }
  throw new Error(`The bank has more than ${PAGES_MAX} pages.`)
}

/** Where a script of the page would go to, if that is the app. */
function addressIn(html: string, returnUrl: string): string | null {
  const text = unescaped(html)
  const at = text.indexOf(`${returnUrl}?`)
  return at === -1 ? null : (/^[^"'<>\s]+/.exec(text.slice(at))?.[0] ?? null)
}

function submitted(at: URL, html: string, code: string): { url: URL; body: URLSearchParams | null } {
  const form = /<form\b[^>]*>/i.exec(html)?.[0]
  if (form === undefined) throw new Error(`No form and no way on:\n${html}`)
  const fields = new URLSearchParams()
  for (const [input] of html.matchAll(/<input\b[^>]*>/gi)) {
    const name = attribute(input, 'name')
    const type = attribute(input, 'type') ?? 'text'
    // Of several buttons a browser sends the one that was pressed; none is needed here.
    if (name === null || type === 'submit' || type === 'button') continue
    const isEntered = ['', 'text', 'tel', 'number', 'password'].includes(type)
    fields.append(name, isEntered ? code : (attribute(input, 'value') ?? ''))
  }
  const url = new URL(attribute(form, 'action') ?? at, at)
  if (attribute(form, 'method')?.toLowerCase() === 'post') return { url, body: fields }
  url.search = fields.toString()
  return { url, body: null }
}

function attribute(tag: string, name: string): string | null {
  const [, double, single] = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(tag) ?? []
  const value = double ?? single
  return value === undefined ? null : unescaped(value)
}

function unescaped(text: string): string {
  return text
    .replaceAll('\\u0026', '&')
    .replaceAll('\\/', '/')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

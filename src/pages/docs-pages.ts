import { createHash } from 'node:crypto'
import { ERRORS, type ErrorEntry } from '../../domain/errors.ts'
import { documentText, type Html, type HtmlChild, h, inline } from './html.ts'
import { markdown } from './markdown.ts'
import { linksOf, readSource, type ShownPage } from './shown-pages.ts'

/** Where the simulator's page is no more about cards. */
const AFTER_CARDS = '## Settings of an account'

/** Pages beside the reference: what each error code means, and the test cards. */
export function errorCodesPage(): string {
  const groups = Map.groupBy(Object.entries<ErrorEntry>(ERRORS), ([code]) => code.split('.')[0] ?? '')
  return page('Error codes', [
    h(
      'p',
      null,
      'An error code is the ',
      h('code', null, 'error_type'),
      ' of an answer or the ',
      h('code', null, 'error_code'),
      ' of a transaction. A code that is not here is a word of the gateway: treat it as a decline.',
    ),
    ...[...groups].map(([group, codes]) =>
      h('section', null, h('h2', null, HEADINGS[group] ?? group), codes.map(entry)),
    ),
  ])
}

const HEADINGS: Readonly<Record<string, string>> = {
  request: 'Requests',
  resource: 'Objects that are not there',
  'routing-rules': 'Routing rules',
  card: 'Cards',
  customer: 'Customers',
  gateway: 'Gateways',
  payment: 'Payments',
  server: 'This service',
}

const TRY_AGAIN = {
  never: 'Not with this card or this request.',
  'fix-data': 'Once the data is corrected.',
  authenticate: 'Once the customer has authenticated with 3-D Secure.',
  later: 'Unchanged, after some time.',
  'other-gateway': 'At once, through another gateway.',
} as const

/** Whoever meets these needs a number that works. */
const NO_TEST_CARD = ['card.test', 'sandbox.not-supported']

function entry([code, { status, message, advice, retryClass }]: [string, ErrorEntry]): Html {
  const fact = (name: string, value: HtmlChild) => h('div', null, h('dt', null, name), h('dd', null, value))
  return h(
    'article',
    { id: code },
    h('h3', null, h('a', { href: `#${code}` }, h('code', null, code))),
    h('p', null, message),
    h(
      'dl',
      null,
      fact('What to do', advice),
      retryClass !== undefined && fact('Try again', TRY_AGAIN[retryClass]),
      fact('Status', retryClass === undefined ? String(status) : '410 of the call that pays'),
      NO_TEST_CARD.includes(code) &&
        fact('Cards that work', h('a', { href: 'test-cards' }, 'Test cards of the sandbox')),
    ),
  )
}

/** The page of the simulator about cards, which tests compare with the cards themselves. */
export function testCardsPage(): string {
  const source = 'src/gateways/simulator/README.md'
  const [cards = ''] = readSource(source).split(AFTER_CARDS)
  // Title and place are those of this page.
  const [, , ...blocks] = cards.trim().split(/\n{2,}/)
  return page('Test cards', markdown(blocks.join('\n\n'), linksOf(source, '')))
}

/** A guide, or another page of the repository, as its text. */
export function shownPage({ source, title }: ShownPage): string {
  return page(title, markdown(readSource(source), linksOf(source, '../')), '../')
}

/** In place of a page that is not there. @param up as below */
export function noSuchPage(up: string): string {
  const search = h('a', { href: `${up}../docs` }, 'search of the reference')
  const dashboard = h('a', { href: `${up}../dashboard/` }, 'dashboard')
  const ways = h('p', null, 'The ', search, ' finds guides and topics as well. Payments are in the ', dashboard, '.')
  return page('There is nothing here', ways, up)
}

/** @param up from the page to `/docs/` */
function page(title: string, content: HtmlChild, up = ''): string {
  const links = [
    ['../docs', 'Reference'],
    ['guides/overview', 'Guides'],
    ['errors', 'Error codes'],
    ['test-cards', 'Test cards'],
  ] as const
  const nav = h(
    'nav',
    { 'aria-label': 'Documentation' },
    links.map(([href, name]) => h('a', { href: `${up}${href}`, 'aria-current': name === title ? 'page' : null }, name)),
  )
  const body = h('div', { class: 'page' }, nav, h('main', null, h('h1', null, title), content))
  return documentText({ title: `${title} · Holdfast`, lang: 'en', head: inline('style', {}, STYLE), body })
}

/** Contrasts are 4.5 and more for text. */
const STYLE = `
:root { color-scheme: light dark; --page: #fff; --text: #1b2333; --quiet: #535d75; --line: #d9dee8; --strong: #1f4fd8;
  --chip: #eef1f6; --target: #fff3d1 }
@media (prefers-color-scheme: dark) { :root { --page: #12161f; --text: #eef1f8; --quiet: #aeb8cc; --line: #333c50;
  --strong: #9db9ff; --chip: #232b3b; --target: #3b3216 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.55 system-ui, sans-serif;
  -webkit-text-size-adjust: 100%; text-size-adjust: 100%; overflow-wrap: anywhere }
.page { max-inline-size: 60rem; margin-inline: auto; padding: 1rem 1.25rem 4rem }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; padding-block-end: .75rem; border-block-end: 1px solid var(--line) }
a { color: var(--strong); text-underline-offset: .15em }
nav a { padding-block: .25rem; text-decoration: none }
nav a[aria-current] { color: var(--text); font-weight: 600 }
h1 { margin: 1.75rem 0 .75rem; font-size: 1.75rem; line-height: 1.2 }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.25rem; line-height: 1.3 }
h3 { margin: 0 0 .25rem; font-size: 1rem }
h3 a { color: inherit; text-decoration: none }
h3 a:hover { text-decoration: underline }
p { margin: 0 0 .75rem; max-inline-size: 46rem }
article { padding: .875rem 1rem; margin-inline: -1rem; border-block-start: 1px solid var(--line); scroll-margin: 1rem }
article:target { background: var(--target); border-radius: .5rem }
article p { margin: 0 0 .375rem }
dl { margin: 0; font-size: .9375rem }
dl div { display: grid; grid-template-columns: 8.5rem 1fr; gap: 0 1rem }
dt { color: var(--quiet) }
article:target dt { color: inherit }
dd { margin: 0 }
code { font: .9em/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
pre { margin: 0 0 1rem; padding: .75rem 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: .5rem;
  background: var(--chip); overflow-wrap: normal }
main > p a, li a, td a { text-decoration: underline }
p code, li code, td code { padding: .1em .3em; border-radius: .25rem; background: var(--chip) }
h3 code { font-weight: 600 }
.number { user-select: all; white-space: nowrap; cursor: pointer }
.wide { overflow-x: auto; margin-block-end: 1rem }
.wide:focus-visible, pre:focus-visible, a:focus-visible { outline: 3px solid var(--strong); outline-offset: 2px }
table { border-collapse: collapse; inline-size: 100%; font-size: .9375rem; overflow-wrap: normal }
th, td { padding: .5rem .75rem .5rem 0; border-block-end: 1px solid var(--line); text-align: start; vertical-align: top }
th { color: var(--quiet); font-weight: 500 }
td:nth-child(2) code { white-space: nowrap }
ul, ol { padding-inline-start: 1.25rem; max-inline-size: 46rem }
li { margin-block-end: .25rem }
@media (max-width: 34rem) { dl div { grid-template-columns: 1fr } dd { margin-block-end: .25rem } }
`

/** The style sheet in the page is allowed by its hash; nothing else is run or loaded. */
export const DOCS_PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

import { formatMoney } from './format-money.ts'
import { type PageLocale, type PageTexts, type Part, pageTextsIn } from './hosted-page-texts.ts'
import { documentText, type Html, type HtmlChild, h, inline } from './html.ts'
import { scriptJson } from './script-json.ts'

/** What the page begins with: the form, a payment that is under way, or one of the ends. */
export type FirstView = 'form' | 'busy' | 'alreadyPaid' | 'expired' | 'voided' | 'refunded' | 'inApp'

/** The views that the script changes to. Each is in the page from the beginning, and hidden. */
const NEXT_VIEWS = ['busy', 'paid', 'processing', 'lost', 'closed'] as const
type Result = Exclude<FirstView, 'form'> | (typeof NEXT_VIEWS)[number]

/** What the script is told; it reads the same names in `clients/browser/src/hosted/payment.ts`. */
export interface ScriptData {
  /** `proj_…`, or `test-proj_…` in the sandbox. */
  project_id: string
  invoice_id: string
  language: string
  view: FirstView
  /** The invoice leaves its capture to the server of the merchant. */
  authorize_only: boolean
  /** By which the payment goes on, where the browser has come back from a full page of the bank; else null. */
  token: string | null
}

/** The names and the hashes of the script and the style sheet, which are beside the library for browsers. */
export interface PageFiles {
  script: string
  scriptIntegrity: string
  style: string
  styleIntegrity: string
}

export interface PageLine {
  name: string
  quantity: number
  /** Of the whole line, in minor units of the invoice's currency. */
  amountMinor: number
}

export interface PageContent {
  locale: PageLocale
  data: ScriptData
  merchant: string
  name: string
  amountMinor: number
  currency: string
  lines: readonly PageLine[]
  isVerification: boolean
  /** An earlier try of the payment has failed. */
  hasFailed: boolean
  /** Where the customer goes back to, and where after a change of mind; null where the merchant has said nothing. */
  returnTo: string | null
  cancelTo: string | null
}

/** A page of more lines would be longer than anybody reads on the way to paying. */
const LINES_MAX = 50
/** More lines than this are folded up, so that the form can be seen. */
const LINES_OPEN = 4

/** The page runs its own script only, shows frames of its own origin only, and is shown in no frame. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** The page that pays an invoice, as a document. */
export function hostedPage(content: PageContent, files: PageFiles): string {
  const { locale, data, merchant, amountMinor, currency } = content
  const texts = textsOf(content)
  const amount = formatMoney(amountMinor, currency, locale.tag)
  const { view: first } = data
  const isUnderWay = first === 'form' || first === 'busy'
  const back = backLink(content.returnTo ?? (isUnderWay ? null : content.cancelTo), texts)
  const show = (view: Result) => resultSection(view, { texts, back, isHidden: view !== first })
  const body = [
    inline('script', { type: 'application/json', id: 'payment' }, scriptJson(data)),
    h(
      'div',
      { class: 'page' },
      summary(content, texts, amount),
      h(
        'main',
        null,
        isUnderWay && h('noscript', null, h('p', { class: 'problem' }, texts.noScript)),
        isUnderWay ? [formSection(content, texts, amount), ...NEXT_VIEWS.map(show)] : show(first),
      ),
    ),
  ]
  return documentOf(locale, { title: `${amount} · ${merchant}`, body, files })
}

/** The verification of a card neither asks for money nor says that anything was paid. */
function textsOf({ locale, isVerification }: PageContent): PageTexts {
  const texts = pageTextsIn(locale)
  const { verify, verified } = texts
  return isVerification ? { ...texts, formTitle: verify, paid: verified, alreadyPaid: verified } : texts
}

/** The answer to every address that opens nothing. It is the same for all of them, so that it tells nothing. */
export function notFoundPage(locale: PageLocale, files: PageFiles): string {
  const { notFound: part } = pageTextsIn(locale)
  return documentOf(locale, { title: part[0], body: messageOf({ part, shape: 'info' }), files })
}

/** A page that says one thing. */
interface Message {
  part: Part
  shape: Icon
  /** What the customer can do. */
  way?: Html
}

/** The body of such a page, which also others show in the style of this one. */
export function messageOf({ part: [title, text], shape, way }: Message): Html {
  const result = h('section', { class: 'result' }, icon(shape), h('h1', null, title), h('p', null, text), way)
  return h('div', { class: 'page' }, h('main', null, result))
}

function documentOf(
  { tag, direction }: PageLocale,
  { title, body, files }: { title: string; body: HtmlChild; files: PageFiles },
): string {
  // The files are beside the page under every path that a proxy may put in front.
  const folder = '../js/v1/'
  const head = [
    h('link', { rel: 'stylesheet', href: folder + files.style, integrity: files.styleIntegrity }),
    h('script', { defer: true, src: folder + files.script, integrity: files.scriptIntegrity }),
  ]
  return documentText({ title, lang: tag, dir: direction, head, body })
}

function summary(
  { merchant, name, lines, data, currency, locale }: PageContent,
  texts: PageTexts,
  amount: string,
): Html {
  return h(
    'header',
    { class: 'summary' },
    h('p', { class: 'merchant' }, h('bdi', null, merchant)),
    h('h1', null, h('bdi', null, name)),
    h('p', { class: 'amount' }, h('bdi', null, amount)),
    lines.length > 0 && lineList(lines, texts, (amountMinor) => formatMoney(amountMinor, currency, locale.tag)),
    data.project_id.startsWith('test-') &&
      h('p', { class: 'test' }, texts.testMode, ' ', testCardsLink('../docs/test-cards', texts)),
  )
}

/** In another tab: what the customer has typed stays. */
export function testCardsLink(href: string, { testCards }: Pick<PageTexts, 'testCards'>): Html {
  return h('a', { href, target: '_blank', rel: 'noopener' }, testCards)
}

function lineList(lines: readonly PageLine[], texts: PageTexts, format: (amountMinor: number) => string): Html {
  const more = lines.length - LINES_MAX
  const list = h(
    'ul',
    null,
    lines.slice(0, LINES_MAX).map(({ name, quantity, amountMinor }) => {
      const times = quantity !== 1 && [' ', h('span', { class: 'quantity' }, `× ${quantity}`)]
      const price = h('bdi', { class: 'price' }, format(amountMinor))
      return h('li', null, h('span', null, h('bdi', null, name), times), price)
    }),
    more > 0 && h('li', null, texts.moreLines.replace('{count}', String(more))),
  )
  if (lines.length > LINES_OPEN) return h('details', { class: 'lines' }, h('summary', null, texts.lines), list)
  return h('section', { class: 'lines', 'aria-label': texts.lines }, list)
}

function formSection(content: PageContent, texts: PageTexts, amount: string): Html {
  const { cancelTo, hasFailed, isVerification, data } = content
  const [before = '', after = ''] = texts.pay.split('{amount}')
  const label = isVerification ? texts.verify : [before, h('bdi', null, amount), after]
  return h(
    'section',
    { 'data-view': 'form', hidden: data.view !== 'form' },
    h('h2', { tabindex: '-1' }, texts.formTitle),
    h('p', { class: 'problem', id: 'problem', role: 'alert' }, hasFailed && texts.lastTryFailed),
    h(
      'form',
      { id: 'checkout', novalidate: true },
      h('div', { id: 'card' }),
      h(
        'button',
        { class: 'main', id: 'pay' },
        h('span', { class: 'label' }, label),
        h('span', { class: 'spinner', 'aria-hidden': 'true' }),
      ),
    ),
    h('p', { class: 'spoken', id: 'progress', role: 'status', 'data-paying': texts.paying, 'data-slow': texts.slow }),
    cancelTo !== null && h('p', { class: 'other' }, h('a', { href: cancelTo, id: 'cancel' }, texts.cancel)),
  )
}

function resultSection(
  view: Result,
  { texts, back, isHidden }: { texts: PageTexts; back: Html | null; isHidden: boolean },
): Html {
  const [title, text] = texts[view]
  const stay = h('button', { type: 'button' }, texts.stay)
  return h(
    'section',
    { class: 'result', 'data-view': view, hidden: isHidden },
    icon(ICON_OF[view]),
    h('h2', { tabindex: '-1' }, title),
    h('p', null, text),
    view === 'lost' && h('button', { type: 'button', class: 'main', id: 'retry' }, texts.retry),
    view !== 'busy' && view !== 'lost' && back,
    view === 'paid' &&
      back !== null &&
      h('p', { class: 'other', 'data-leaving': '', hidden: true }, texts.leaving, ' ', stay),
  )
}

function backLink(address: string | null, { back }: PageTexts): Html | null {
  return address === null ? null : h('a', { class: 'main', 'data-back': '', href: address }, back)
}

type Icon = 'done' | 'wait' | 'info'

const LINE = { fill: 'none', stroke: 'currentColor', 'stroke-width': '4', 'stroke-linecap': 'round' } as const
const DISC = { cx: '24', cy: '24', r: '22', fill: 'currentColor', 'fill-opacity': '.14' } as const
const RING = { cx: '24', cy: '24', r: '20', fill: 'none', stroke: 'currentColor' } as const

function icon(name: Icon): Html {
  const svg = { class: name === 'info' ? 'icon' : `icon ${name}`, viewBox: '0 0 48 48' }
  return h('svg', { ...svg, 'aria-hidden': 'true', focusable: 'false' }, ...SHAPES[name]())
}

const SHAPES: Readonly<Record<Icon, () => Html[]>> = {
  done: () => [h('circle', DISC), h('path', { d: 'm14 25 7 7 13-15', ...LINE, 'stroke-linejoin': 'round' })],
  wait: () => [
    h('circle', { ...RING, 'stroke-opacity': '.2', 'stroke-width': '4' }),
    h('path', { d: 'M24 4a20 20 0 0 1 20 20', ...LINE }),
  ],
  info: () => [h('circle', DISC), h('path', { d: 'M24 13v14m0 7v.01', ...LINE })],
}

const ICON_OF: Readonly<Record<Result, Icon>> = {
  busy: 'wait',
  processing: 'wait',
  paid: 'done',
  alreadyPaid: 'done',
  lost: 'info',
  closed: 'info',
  expired: 'info',
  voided: 'info',
  refunded: 'info',
  inApp: 'info',
}

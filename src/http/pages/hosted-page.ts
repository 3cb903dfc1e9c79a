import { exponentOf, formatAmount } from '../../../domain/money.ts'
import { type PageLocale, type PageTexts, pageTextsIn } from './hosted-page-texts.ts'
import { type Html, html } from './html.ts'
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
  const amount = formatMoney(amountMinor, currency, locale)
  const { view: first } = data
  const isUnderWay = first === 'form' || first === 'busy'
  const back = backLink(content.returnTo ?? (isUnderWay ? null : content.cancelTo), texts)
  const show = (view: Result) => resultSection(view, { texts, back, isHidden: view !== first })
  const body = html`<script type="application/json" id="payment">${scriptJson(data)}</script>
<div class="page">
${summary(content, texts, amount)}
<main>
${isUnderWay && html`<noscript><p class="problem">${texts.noScript}</p></noscript>`}
${isUnderWay ? [formSection(content, texts, amount), ...NEXT_VIEWS.map(show)] : show(first)}
</main>
</div>`
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
  const { notFound } = pageTextsIn(locale)
  const [title, text] = notFound
  const body = html`<div class="page"><main><section class="result">${ICONS.info}
<h1>${title}</h1><p>${text}</p></section></main></div>`
  return documentOf(locale, { title, body, files })
}

function documentOf(
  { tag, direction }: PageLocale,
  { title, body, files }: { title: string; body: Html; files: PageFiles },
): string {
  // The files are beside the page under every path that a proxy may put in front.
  return html`<!doctype html>
<html lang="${tag}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="../js/v1/${files.style}" integrity="${files.styleIntegrity}">
<script defer src="../js/v1/${files.script}" integrity="${files.scriptIntegrity}"></script>
</head>
<body>
${body}
</body>
</html>
`.toString()
}

function summary(
  { merchant, name, lines, data, currency, locale }: PageContent,
  texts: PageTexts,
  amount: string,
): Html {
  return html`<header class="summary">
<p class="merchant"><bdi>${merchant}</bdi></p>
<h1><bdi>${name}</bdi></h1>
<p class="amount"><bdi>${amount}</bdi></p>
${lines.length > 0 && lineList(lines, texts, (amountMinor) => formatMoney(amountMinor, currency, locale))}
${data.project_id.startsWith('test-') && html`<p class="test">${texts.testMode}</p>`}
</header>`
}

function lineList(lines: readonly PageLine[], texts: PageTexts, format: (amountMinor: number) => string): Html {
  const more = lines.length - LINES_MAX
  const list = html`<ul>${lines.slice(0, LINES_MAX).map(
    ({ name, quantity, amountMinor }) => html`
<li><span><bdi>${name}</bdi>${quantity !== 1 && html` <span class="quantity">× ${quantity}</span>`}</span>
<bdi class="price">${format(amountMinor)}</bdi></li>`,
  )}${more > 0 && html`<li>${texts.moreLines.replace('{count}', String(more))}</li>`}</ul>`
  if (lines.length > LINES_OPEN) return html`<details class="lines"><summary>${texts.lines}</summary>${list}</details>`
  return html`<section class="lines" aria-label="${texts.lines}">${list}</section>`
}

function formSection(content: PageContent, texts: PageTexts, amount: string): Html {
  const { cancelTo, hasFailed, isVerification, data } = content
  const [before = '', after = ''] = texts.pay.split('{amount}')
  const label = isVerification ? html`${texts.verify}` : html`${before}<bdi>${amount}</bdi>${after}`
  return html`<section data-view="form" ${data.view !== 'form' && html`hidden`}>
<h2 tabindex="-1">${texts.formTitle}</h2>
<p class="problem" id="problem" role="alert">${hasFailed && texts.lastTryFailed}</p>
<form id="checkout" novalidate>
<div id="card"></div>
<button class="main" id="pay"><span class="label">${label}</span><span class="spinner" aria-hidden="true"></span></button>
</form>
<p class="spoken" id="progress" role="status" data-paying="${texts.paying}"></p>
${cancelTo === null ? null : html`<p class="other"><a href="${cancelTo}" id="cancel">${texts.cancel}</a></p>`}
</section>`
}

function resultSection(
  view: Result,
  { texts, back, isHidden }: { texts: PageTexts; back: Html | null; isHidden: boolean },
): Html {
  const [title, text] = texts[view]
  const leaving =
    back === null
      ? null
      : html`<p class="other" data-leaving hidden>${texts.leaving} <button type="button">${texts.stay}</button></p>`
  return html`<section class="result" data-view="${view}" ${isHidden && html`hidden`}>
${ICONS[ICON_OF[view]]}
<h2 tabindex="-1">${title}</h2>
<p>${text}</p>
${view === 'lost' && html`<button type="button" class="main" id="retry">${texts.retry}</button>`}
${view !== 'busy' && view !== 'lost' && back}
${view === 'paid' && leaving}
</section>`
}

function backLink(address: string | null, { back }: PageTexts): Html | null {
  return address === null ? null : html`<a class="main" data-back href="${address}">${back}</a>`
}

/** An amount as customers of this language and region write it, with the digits that the currency has. */
function formatMoney(amountMinor: number, currency: string, { tag }: PageLocale): string {
  const digits = exponentOf(currency)
  const format = new Intl.NumberFormat(tag, {
    style: 'currency',
    currency,
    // The locale data have other digits for some currencies than ISO 4217, by which the amount is charged.
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  // As a text, the amount passes through no floating point.
  return format.format(formatAmount(amountMinor, currency) as Intl.StringNumericLiteral)
}

const ICONS = {
  done: html`<svg class="icon done" viewBox="0 0 48 48" aria-hidden="true" focusable="false"><circle cx="24" cy="24" r="22" fill="currentColor" fill-opacity=".14"/><path d="m14 25 7 7 13-15" fill="none" stroke="currentColor" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/></svg>`,
  wait: html`<svg class="icon wait" viewBox="0 0 48 48" aria-hidden="true" focusable="false"><circle cx="24" cy="24" r="20" fill="none" stroke="currentColor" stroke-opacity=".2" stroke-width="4"/><path d="M24 4a20 20 0 0 1 20 20" fill="none" stroke="currentColor" stroke-width="4" stroke-linecap="round"/></svg>`,
  info: html`<svg class="icon" viewBox="0 0 48 48" aria-hidden="true" focusable="false"><circle cx="24" cy="24" r="22" fill="currentColor" fill-opacity=".14"/><path d="M24 13v14m0 7v.01" fill="none" stroke="currentColor" stroke-width="4" stroke-linecap="round"/></svg>`,
} as const

const ICON_OF: Readonly<Record<Result, keyof typeof ICONS>> = {
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

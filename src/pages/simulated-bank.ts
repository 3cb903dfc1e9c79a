import { formatMoney } from './format-money.ts'
import { testCardsLink } from './hosted-page.ts'
import { type PageLocale, pageTextsIn } from './hosted-page-texts.ts'
import { documentText, formTo, type Html, type HtmlChild, h, inline } from './html.ts'
import { type BankTexts, bankTextsIn } from './simulated-bank-texts.ts'

/** Sends the browser back to where it came from: fields for a POST. */
export interface WayBack {
  url: string
  fields: Readonly<Record<string, string>>
}

/** A question that the customer answers with a code. */
export interface Challenge {
  kind: 'challenge'
  /** As the customer's statement will have it; null if that is not known. */
  shop: string | null
  amountMinor: number
  currency: string
  /** The last four digits of the card; null if they are not known. */
  cardEnding: string | null
  /** Of version 1 of 3-D Secure. */
  isVersion1: boolean
  /** The bank refuses to be shown in a frame. */
  isFullPage: boolean
  /** How many wrong codes there were. */
  wrongCodes: number
  triesLeft: number
  /** Shown on the page, since nobody is sent one. */
  rightCode: string
  /** With some test cards the right code fails, or another challenge follows. */
  ends: 'by code' | 'always failing' | 'never'
}

interface Page {
  title: string
  content: HtmlChild
  /** A program of ours that runs in it. */
  script?: string
}

/** The page of a challenge. `isEmpty`: it was sent without a code. */
export function challengePage(challenge: Challenge, isEmpty: boolean, locale: PageLocale): Page {
  const { shop, amountMinor, currency, cardEnding, isVersion1 } = challenge
  const texts = bankTextsIn(locale)
  const testCards = testCardsLink('../../docs/test-cards', pageTextsIn(locale))
  const problem = problemOf(challenge, isEmpty, texts)
  const described = problem === null ? 'help' : 'problem help'
  const facts = [
    [texts.amount, h('dd', { class: 'amount' }, h('bdi', null, formatMoney(amountMinor, currency, locale.tag)))],
    [texts.shop, h('dd', { dir: 'auto' }, shop ?? texts.purchase)],
    cardEnding !== null && [texts.card, h('dd', null, maskedCard(cardEnding, texts))],
  ] as const
  const content = [
    h('h1', null, texts.confirmTitle),
    h('p', null, texts.asks),
    h(
      'dl',
      null,
      facts.map((fact) => fact && h('div', null, h('dt', null, fact[0]), fact[1])),
    ),
    h(
      'form',
      { method: 'post', autocomplete: 'on' },
      h('label', { for: 'code' }, texts.code),
      problem !== null && h('p', { class: 'problem', id: 'problem', role: 'alert' }, problem),
      h('input', {
        ...{ id: 'code', name: 'code', type: 'text', inputmode: 'numeric', autocomplete: 'one-time-code' },
        ...{ maxlength: '12', spellcheck: 'false', autocapitalize: 'off', dir: 'ltr', required: true },
        'aria-describedby': described,
        'aria-invalid': problem === null ? null : 'true',
      }),
      h('p', { class: 'help', id: 'help' }, helpOf(challenge, texts)),
      h('button', { class: 'first', name: 'answer', value: 'confirm' }, texts.confirm),
      h('button', { name: 'answer', value: 'cancel', formnovalidate: true }, texts.cancel),
    ),
    // Which begins with a digit, and so would be turned in a page from right to left.
    h('p', { class: 'small' }, h('bdi', null, `3-D Secure ${isVersion1 ? '1' : '2'}`), ' · ', testCards),
  ]
  return { title: `${problem === null ? '' : texts.error}${texts.confirmTitle}`, content, script: FOCUS_CODE }
}

/** Also when the dialog around the frame hands the focus to it later. */
const FOCUS_CODE = `const code = document.getElementById('code')
const take = () => { if ([document.body, null].includes(document.activeElement)) code.focus() }
addEventListener('focus', take)
if (self === top || document.hasFocus()) take()`

/** Takes the browser back to the shop by itself. */
export function returningPage(back: WayBack, locale: PageLocale): Page {
  return { ...textPage('returning', locale, back), script: SEND }
}

/** Looks at the browser, in a frame that nobody sees. Without a way back it is never heard of again. */
export function fingerprintPage(back: WayBack | null, locale: PageLocale): Page {
  return { ...textPage('looking', locale, back), ...(back !== null && { script: SEND }) }
}

/** In place of a page that was answered before; after a second click on its button it sends itself on. */
export function usedPage(back: WayBack, isSendingItself: boolean, locale: PageLocale): Page {
  return { ...textPage('used', locale, back), ...(isSendingItself && { script: SEND }) }
}

export const expiredPage = (locale: PageLocale): Page => textPage('expired', locale)

export const unknownPage = (locale: PageLocale): Page => textPage('unknown', locale)

/** A button does the same without scripts. */
const SEND = 'document.forms[0].submit()'

function textPage(
  name: 'returning' | 'looking' | 'used' | 'expired' | 'unknown',
  locale: PageLocale,
  back: WayBack | null = null,
): Page {
  const texts = bankTextsIn(locale)
  const [title, text] = texts[name]
  return { title, content: [h('h1', null, title), h('p', null, text), back !== null && formBack(back, texts)] }
}

/** The whole document. The nonce allows its style sheet and its script, and nothing else that could run. */
export function documentOf({ title, content, script }: Page, nonce: string, locale: PageLocale): string {
  const { bank, sandbox } = bankTextsIn(locale)
  const name = [mark(), h('span', null, bank), h('span', { class: 'badge' }, sandbox)]
  const panel = h('div', { class: 'panel' }, h('header', null, name), h('main', null, content))
  const body = [panel, script !== undefined && inline('script', { nonce }, script)]
  const { tag: lang, direction: dir } = locale
  return documentText({ title, lang, dir, head: inline('style', { nonce }, STYLE), body })
}

/** Forms only lead to the address of this page, and back to the service at the same origin. */
export function policyOf(nonce: string, isFullPage: boolean): string {
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    "form-action 'self'",
    "base-uri 'none'",
    // A bank is shown in frames of shops everywhere, unless it refuses.
    `frame-ancestors ${isFullPage ? "'none'" : '*'}`,
  ].join('; ')
}

function problemOf({ wrongCodes, triesLeft }: Challenge, isEmpty: boolean, texts: BankTexts): string | null {
  if (isEmpty) return texts.noCode
  return wrongCodes === 0 ? null : texts.wrongCode.replace('{tries}', String(triesLeft))
}

function helpOf({ rightCode, ends }: Challenge, { helpByCode, helpFailing, helpNever }: BankTexts): HtmlChild {
  const text = { 'by code': helpByCode, 'always failing': helpFailing, never: helpNever }[ends]
  const [before = '', after] = text.split('{code}')
  return after === undefined ? before : [before, h('strong', null, rightCode), after]
}

function maskedCard(ending: string, { endingIn }: BankTexts): Html {
  return h('bdi', null, h('span', { 'aria-hidden': 'true' }, '•••• '), h('span', { class: 'spoken' }, endingIn), ending)
}

function formBack({ url, fields }: WayBack, { goOn }: BankTexts): Html {
  return formTo(url, fields, h('button', { class: 'first' }, goOn))
}

function mark(): Html {
  const d = 'M12 2 2 7v2h20V7zM4 11h3v7H4zm6.5 0h3v7h-3zM17 11h3v7h-3zM2 20h20v2H2z'
  const size = { viewBox: '0 0 24 24', width: '24', height: '24' }
  return h('svg', { ...size, 'aria-hidden': 'true', focusable: 'false' }, h('path', { fill: 'currentColor', d }))
}

/** Logical properties only, so that it can be read from right to left as well. Contrasts are 4.5 and more for text. */
const STYLE = `
:root { color-scheme: light dark; --page: #eef1f6; --panel: #fff; --text: #1b2333; --quiet: #535d75; --line: #cdd4e2;
  --edge: #6f7a91; --strong: #1f4fd8; --on-strong: #fff; --alarm: #b3261e; --badge: #ffe7b3; --on-badge: #533600 }
@media (prefers-color-scheme: dark) { :root { --page: #10141d; --panel: #1a2030; --text: #eef1f8; --quiet: #aeb8cc;
  --line: #38425a; --edge: #8792aa; --strong: #9db9ff; --on-strong: #0b1430; --alarm: #ffb4ab; --badge: #4a3800;
  --on-badge: #ffe0a0 } }
* { box-sizing: border-box }
body { margin: 0; min-block-size: 100vh; min-block-size: 100dvh; background: var(--panel); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; -webkit-text-size-adjust: 100%; text-size-adjust: 100%;
  overflow-wrap: anywhere }
.panel { max-inline-size: 27rem; margin-inline: auto; background: var(--panel) }
header { display: flex; align-items: center; gap: .5rem; padding: 1rem 1.25rem; font-weight: 600; color: var(--strong);
  border-block-end: 1px solid var(--line) }
.badge { flex: none; margin-inline-start: auto; padding: .125rem .5rem; border-radius: 1rem; font-size: .8125rem;
  background: var(--badge); color: var(--on-badge) }
main { padding: 1rem 1.25rem }
h1 { margin: 0 0 .5rem; font-size: 1.375rem; line-height: 1.25 }
p { margin: 0 0 .75rem }
dl { margin: 0 0 1rem; border-block: 1px solid var(--line) }
dl div { display: flex; justify-content: space-between; gap: 1rem; padding-block: .5rem }
dl div + div { border-block-start: 1px solid var(--line) }
dt, header svg { flex: none }
dt, .help, .small { color: var(--quiet) }
dd { margin: 0; text-align: end; min-inline-size: 0 }
.amount { font-weight: 600; font-variant-numeric: tabular-nums }
label { display: block; margin-block-end: .375rem; font-weight: 600 }
input { display: block; inline-size: 100%; min-block-size: 3rem; padding: .5rem .75rem; border: 1px solid var(--edge);
  border-radius: .5rem; background: var(--panel); color: inherit; font: inherit; font-size: 1.25rem;
  letter-spacing: .15em; text-align: center }
input[type=hidden] { display: none }
input[aria-invalid] { border: 2px solid var(--alarm) }
.problem { margin-block-end: .5rem; color: var(--alarm) }
.help { margin-block: .5rem 1rem; font-size: .9375rem }
.help strong { color: var(--text) }
a { color: var(--strong) }
.small { margin: 1rem 0 0; font-size: .8125rem; text-align: center }
button { display: block; inline-size: 100%; min-block-size: 3rem; padding: .5rem 1rem; border: 1px solid var(--edge);
  border-radius: .5rem; background: transparent; color: inherit; font: inherit; font-weight: 600; cursor: pointer }
button + button { margin-block-start: .75rem }
button.first { border-color: var(--strong); background: var(--strong); color: var(--on-strong) }
:focus-visible { outline: 3px solid var(--strong); outline-offset: 2px }
.spoken { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap }
@media (min-width: 34rem) and (min-height: 34rem) { body { padding-block: 2rem; background: var(--page) }
  .panel { border: 1px solid var(--line); border-radius: .75rem; overflow: hidden } }
`

import { Buffer } from 'node:buffer'
import { actionOf, type CustomerAction, openAction } from '../../domain/customer-action.ts'
import { isIdentifier } from '../../domain/identifiers.ts'
import { answerSourceOf } from '../api/payments/source.ts'
import { checkoutMessage } from '../http/clients/processout-js.ts'
import type { ApiContext, ApiMiddleware } from '../http/context.ts'
import type { AppDeps } from '../http/dependencies.ts'
import { readClientFiles } from '../http/files/client-files.ts'
import type { Spares } from '../http/middleware/limit-address.ts'
import { readRawBody } from '../http/raw-body.ts'
import { type ActedPayment, findActedPayment, keepReturned } from '../persistence/queries/payments/customer-actions.ts'
import { messageOf } from './hosted-page.ts'
import { type PageTexts, type Part, pageTextsIn } from './hosted-page-texts.ts'
import { documentText, formTo, type Html, h, inline } from './html.ts'
import { pageStyleIn } from './page-files.ts'
import { pageLocaleFor } from './page-locale.ts'
import { withParameters } from './return-address.ts'
import { scriptJson } from './script-json.ts'

type Deps = Pick<AppDeps, 'orm' | 'randomBytes'>

/** A bank's answer to a challenge has some hundred bytes; one of version 1, with a signature, some ten thousand. */
const RETURN_BYTES_MAX = 65_536
const PARAMETERS_MAX = 20
const NONCE_BYTES = 18
/** How long a page that has opened the bank in a window of its own may take to close it. */
const OPENER_CLOSES_WITHIN_MS = 1_000

/**
 * The address of an action: it sends the browser on to the page of the bank. It is open to everybody who knows the ids of
 * invoice and action, as the customer's browser does, and ends with the action.
 */
export function showAction({ orm, randomBytes }: Deps): ApiMiddleware {
  return async (ctx) => {
    const payment = await paymentIn(ctx, orm)
    const action = openAction(payment)
    const isMeant = action !== null && action.id === ctx.params.action_id && action.answered === null
    if (!isMeant || action.page === null) return showOver(ctx, randomBytes)
    const { url, fields } = action.page
    if (fields === null) {
      ctx.status = 303
      ctx.set('Location', url)
      return
    }
    const { toBank, goOn } = textsFor(ctx)
    showPage(ctx, randomBytes, {
      part: toBank,
      way: formTo(url, fields, h('button', { class: 'main' }, goOn)),
      script: 'document.forms[0].submit()',
      formAction: `https: ${new URL(url).origin}`,
    })
  }
}

/**
 * Who is in the middle of a payment comes to the bank and back, however much others ask behind the same address, until the
 * time for it is over: a notification may decide the payment before the customer is back.
 */
export function payingCustomer({ orm, clock }: Pick<AppDeps, 'orm' | 'clock'>): Spares {
  return async (ctx) => {
    const payment = await paymentIn(ctx, orm)
    const until = payment?.customerAction?.expiresAt ?? 0
    return until > clock.now().getTime() ? `invoice ${ctx.params.id}` : null
  }
}

/**
 * Where the bank's page sends the browser back to, by GET or POST. Its parameters are kept for the gateway, and the window
 * that shows the payment is told to go on. Nothing that comes here decides anything: the gateway is asked. Where its
 * notification was faster than the browser, nothing is kept, and the call that follows tells how the payment stands.
 */
export function receiveReturn({ orm, randomBytes }: Deps): ApiMiddleware {
  return async (ctx) => {
    const payment = await paymentIn(ctx, orm)
    const action = payment && actionOf(payment, String(ctx.params.attempt_id))
    if (payment === null || action === null) return showOver(ctx, randomBytes)
    const parameters = parametersOf(await readRawBody(ctx.req, RETURN_BYTES_MAX), ctx.querystring)
    const invoiceId = String(ctx.params.id)
    await keepReturned(orm, { invoiceId, attemptId: action.attemptId }, parameters)
    const { fromBank, goOn } = textsFor(ctx)
    const next = goesOnAt(invoiceId, action, payment)
    showPage(ctx, randomBytes, {
      part: fromBank,
      way: h('a', { class: 'main', href: next }, goOn),
      script: returnScript(invoiceId, action, next),
    })
  }
}

async function paymentIn(ctx: ApiContext, orm: AppDeps['orm']): Promise<ActedPayment | null> {
  const id = String(ctx.params.id)
  return isIdentifier('invoice', id) ? findActedPayment(orm, id) : null
}

/** The parameters of query and form; of one that is there twice the last. A gateway's secret is not kept. */
function parametersOf(rawBody: Uint8Array, query: string): Record<string, string> {
  const form = new URLSearchParams(Buffer.from(rawBody).toString('utf8'))
  const kept = [...new URLSearchParams(query), ...form].filter(([name]) => !name.endsWith('client_secret'))
  return Object.fromEntries(kept.slice(0, PARAMETERS_MAX))
}

/** Where a full page goes on: in the merchant's app or shop, or on the hosted page where that has no address. */
function goesOnAt(invoiceId: string, action: CustomerAction, { returnUrl }: ActedPayment): string {
  if (returnUrl === null) return action.hostedPage
  return withParameters(returnUrl, { token: answerSourceOf(action), invoice_id: invoiceId })
}

/**
 * Tells the window that shows the payment; a full page goes on by itself. Apps get their own address back. The hosted page
 * has left the id of its invoice in the tab, and goes on with the payment before it leads back to the merchant.
 */
function returnScript(invoiceId: string, action: CustomerAction, next: string): string {
  const token = answerSourceOf(action)
  const told = {
    messages: [{ type: 'service.three-d-s', action: action.value, token }, checkoutMessage(token)],
    next,
    invoiceId,
    hostedPage: action.hostedPage,
    isApp: action.channel !== 'web',
    openerClosesWithinMs: OPENER_CLOSES_WITHIN_MS,
  }
  return `
    const told = ${scriptJson(told)}
    const isOfHostedPage = () => {
      try { return sessionStorage.getItem('holdfast.page') === told.invoiceId } catch { return false }
    }
    const tell = (shop) => told.messages.forEach((message) => shop.postMessage(message, '*'))
    if (told.isApp) location.replace(told.next)
    else if (window.parent !== window) tell(window.parent)
    // Before the opener, which may be a shop that has opened the hosted page in a window of its own.
    else if (isOfHostedPage()) location.replace(told.hostedPage)
    else {
      // A shop that shows the bank in a window of its own closes that now. Any other opener has nothing to do with it.
      if (window.opener) tell(window.opener)
      setTimeout(() => location.replace(told.next), window.opener ? told.openerClosesWithinMs : 0)
    }
  `
}

/** The action was answered, has expired, or never was; the page does not tell which. */
function showOver(ctx: ApiContext, randomBytes: AppDeps['randomBytes']): void {
  ctx.status = 410
  showPage(ctx, randomBytes, { part: textsFor(ctx).stepOver })
}

const textsFor = (ctx: ApiContext): PageTexts => pageTextsIn(pageLocaleFor(ctx))

interface Page {
  part: Part
  /** A page with one goes on by itself; the customer can do the same without the script. */
  script?: string
  way?: Html
  /** Where its form may lead to. */
  formAction?: string
}

/** Read once, at the first page. */
let style: string | undefined

/** Shops of any origin show these pages in a frame. Nothing is loaded, and only our own style sheet and script are there. */
function showPage(
  ctx: ApiContext,
  randomBytes: AppDeps['randomBytes'],
  { part, script, way, formAction = "'none'" }: Page,
): void {
  style ??= pageStyleIn(readClientFiles())
  const nonce = Buffer.from(randomBytes(NONCE_BYTES)).toString('base64')
  const sources = `style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`
  ctx.set(
    'Content-Security-Policy',
    `default-src 'none'; ${sources}; base-uri 'none'; frame-ancestors *; form-action ${formAction}`,
  )
  const { tag: lang, direction: dir } = pageLocaleFor(ctx)
  const body = [
    messageOf({ part, shape: script === undefined ? 'info' : 'wait', ...(way && { way }) }),
    script !== undefined && inline('script', { nonce }, script),
  ]
  ctx.type = 'text/html; charset=utf-8'
  ctx.body = documentText({ title: part[0], lang, dir, head: inline('style', { nonce }, style), body })
}

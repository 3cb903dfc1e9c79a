import { openAction } from '../../domain/customer-action.ts'
import { isIdentifier } from '../../domain/identifiers.ts'
import { lineAmountMinor } from '../../domain/invoice-detail.ts'
import { type InvoiceStatus, invoiceStatus } from '../../domain/invoice-status.ts'
import { answerSourceOf } from '../api/payments/source.ts'
import type { ApiContext, ApiMiddleware } from '../http/context.ts'
import type { AppDeps } from '../http/dependencies.ts'
import { type ClientFile, readClientFiles } from '../http/files/client-files.ts'
import type { InvoiceRow } from '../persistence/entities/invoice.ts'
import { findInvoiceDetails } from '../persistence/queries/invoices/invoice-details.ts'
import { findHostedPayment, type HostedPayment } from '../persistence/queries/payments/hosted-payment.ts'
import { type FirstView, hostedPage, notFoundPage, PAGE_POLICY, type PageFiles, type PageLine } from './hosted-page.ts'
import { pageFilesIn } from './page-files.ts'
import { pageLocaleFor } from './page-locale.ts'
import { withParameters } from './return-address.ts'

export interface HostedPageDeps extends Pick<AppDeps, 'orm' | 'vault' | 'clock' | 'isReachedByHttps'> {
  clientFiles?: () => ReadonlyMap<string, ClientFile>
}

/** A customer who reloads the page after a day is sent back to the shop. */
const COOKIE_LASTS_SECONDS = 24 * 60 * 60

/**
 * The page on which a customer pays an invoice: `GET /pay/:id`. It opens with the client secret of the invoice, or with the
 * id of the payment's last action, and then takes both out of the address; a cookie opens it when it is loaded again.
 * Everything else gets the same page, which tells nothing.
 */
export function showHostedPage(deps: HostedPageDeps): ApiMiddleware {
  const { orm, clock, clientFiles = readClientFiles } = deps
  // Read once, at the first request.
  let files: PageFiles | undefined
  return async (ctx) => {
    files ??= pageFilesIn(clientFiles())
    const locale = pageLocaleFor(ctx)
    ctx.set('Content-Security-Policy', PAGE_POLICY)
    ctx.type = 'text/html; charset=utf-8'
    const payment = await paymentFor(ctx, deps)
    if (payment === null) {
      ctx.status = 404
      ctx.body = notFoundPage(locale, files)
      return
    }
    const { invoice, transaction, merchant } = payment
    ctx.state.invoiceId = invoice.id
    const { returnUrl, cancelUrl, amountMinor, currency, name } = invoice
    const view = viewOf(payment, clock.now())
    ctx.status = 200
    ctx.body = hostedPage(
      {
        locale,
        data: {
          project_id: invoice.sandbox ? `test-${invoice.projectId}` : invoice.projectId,
          invoice_id: invoice.id,
          language: locale.language,
          view,
          authorize_only: invoice.requireBackendCapture,
          token: tokenOf(payment),
        },
        merchant: invoice.statementDescriptorCompany ?? merchant,
        name,
        amountMinor,
        currency,
        lines: await linesOf(orm, invoice),
        isVerification: invoice.verification && amountMinor === 0,
        hasFailed: view === 'form' && transaction !== null,
        returnTo: returnUrl == null ? null : withParameters(returnUrl, { invoice_id: invoice.id }),
        cancelTo: cancelUrl ?? null,
      },
      files,
    )
  }
}

/** The payment, for those who prove that it is theirs. A proof in the address is remembered in a cookie. */
async function paymentFor(ctx: ApiContext, deps: HostedPageDeps): Promise<HostedPayment | null> {
  const { orm, vault } = deps
  const { id = '' } = ctx.params
  if (!isIdentifier('invoice', id)) return null
  const { client_secret: secret, action } = ctx.query
  const cookie = ctx.cookies.get(cookieName(id))
  const isRemembered = cookie !== undefined && vault.isClientSecretOf(subjectOf(id), cookie)
  const hasSecret = typeof secret === 'string' && vault.isClientSecretOf(id, secret)
  const mayHaveAction = typeof action === 'string' && isIdentifier('customerAction', action)
  // Nothing is looked up for a visitor who can only guess.
  if (!isRemembered && !hasSecret && !mayHaveAction) return null
  const payment = await findHostedPayment(orm, id)
  const hasAction = mayHaveAction && payment?.transaction?.customerAction?.id === action
  if (!isRemembered && !hasSecret && !hasAction) return null
  if (payment !== null && !isRemembered) remember(ctx, id, deps)
  return payment
}

function cookieName(invoiceId: string): string {
  return `holdfast_${invoiceId}`
}

/** The cookie opens this page only: it is derived from another text than the client secret, which may do more. */
function subjectOf(invoiceId: string): string {
  return `hosted page of ${invoiceId}`
}

/** Without a path, so that it is sent to the pages beside this one under every path that a proxy may put in front. */
function remember(ctx: ApiContext, invoiceId: string, { vault, isReachedByHttps = false }: HostedPageDeps): void {
  const parts = [
    `${cookieName(invoiceId)}=${vault.clientSecretOf(subjectOf(invoiceId))}`,
    `Max-Age=${COOKIE_LASTS_SECONDS}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isReachedByHttps ? ['Secure'] : []),
  ]
  ctx.append('Set-Cookie', parts.join('; '))
}

const VIEW_OF: Readonly<Record<InvoiceStatus, FirstView>> = {
  pending: 'form',
  failed: 'form',
  processing: 'busy',
  authorized: 'alreadyPaid',
  completed: 'alreadyPaid',
  canceled: 'voided',
  refunded: 'refunded',
  expired: 'expired',
}

/** What the page begins with. */
export function viewOf({ invoice, transaction }: Pick<HostedPayment, 'invoice' | 'transaction'>, now: Date): FirstView {
  const view = VIEW_OF[invoiceStatus(transaction?.status ?? null, { ...invoice, now })]
  // The actions of an app are for its own library, and their pages lead back to the app.
  return (view === 'form' || view === 'busy') && invoice.deviceChannel !== 'web' ? 'inApp' : view
}

/** The source by which the payment goes on, where the browser has been at the bank; see `routes/customer-actions.ts`. */
function tokenOf({ transaction }: HostedPayment): string | null {
  const action = openAction(transaction)
  if (action === null || action.returned === null || action.answered !== null) return null
  return answerSourceOf(action)
}

async function linesOf(orm: AppDeps['orm'], invoice: InvoiceRow): Promise<PageLine[]> {
  if (!invoice.hasDetails) return []
  const details = await findInvoiceDetails(orm.em.fork(), invoice, invoice.id)
  return details.map(({ name, quantity, ...detail }) => ({
    name,
    quantity,
    amountMinor: lineAmountMinor({ quantity, ...detail }),
  }))
}

import { ERRORS, type ErrorCode, type ErrorEntry } from '../../domain/errors.ts'
import { makeIdentifier } from '../../domain/identifiers.ts'
import { seededRandomBytes } from '../support/random.ts'
import type { Stack } from '../support/stack.ts'

/** What a row of the table has at hand: a whole stack, and every method of HTTP. */
export interface Prover extends Pick<Stack, 'createCard' | 'createInvoice' | 'payInvoice'> {
  ask(method: string, path: string, options?: AskOptions): Promise<ProvedAnswer>
}

export interface AskOptions {
  body?: object | string
  headers?: Record<string, string>
}

export interface ProvedAnswer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test that reads a field that is not there fails by itself.
  body: any
}

/** Shows that a code occurs: by an answer of the interface or, where HTTP alone cannot bring it about, by another test. */
export type Proof = ((prover: Prover) => Promise<ProvedAnswer>) | { file: string; title: string }

/** Every code that a payment can fail with, as the simulator plays them. */
export const PLAYED_CODES = (Object.keys(ERRORS) as ErrorCode[]).filter(
  (code) => (ERRORS[code] as ErrorEntry).retryClass !== undefined,
)

const randomBytes = seededRandomBytes('error-proofs')
const INVOICE = { name: 'Order 1', amount: '29.00', currency: 'EUR' }

const get =
  (path: string): Proof =>
  ({ ask }) =>
    ask('GET', path)

/** One row for each code that neither a gateway gives nor the table of wrong fields has. */
export const PROOFS: Readonly<Partial<Record<ErrorCode, Proof>>> = {
  'request.authentication.invalid': ({ ask }) => ask('GET', '/events', { headers: { authorization: 'Basic eDp4' } }),
  'request.authentication.missing-permission': {
    file: 'test/http/permissions.test.ts',
    title: 'a key that lacks a permission is told so before its body is read',
  },
  'request.authentication.not-own-page': {
    file: 'test/http/dashboard/session.test.ts',
    title: 'a change of the account needs the CSRF token of this very session, and a page of this origin',
  },
  'request.authentication.password-change-required': {
    file: 'test/http/dashboard/session.test.ts',
    title: 'that somebody else has made must be changed before anything else',
  },
  'request.authentication.session-invalid': ({ ask }) =>
    ask('GET', '/dashboard/payments', { headers: { authorization: '', 'x-project-id': 'test-proj_none' } }),
  'request.authentication.sign-in-refused': {
    file: 'test/http/dashboard/session.test.ts',
    title: 'with a wrong password, an unknown address or a disabled account, which are answered alike',
  },
  'request.bad-format': ({ ask }) => ask('POST', '/invoices', { body: '{"name"' }),
  'request.body-too-large': ({ ask }) => ask('POST', '/invoices', { body: { name: 'x'.repeat(270_000) } }),
  'request.clock.not-available': {
    file: 'test/temporal/test-clock.test.ts',
    title: 'that skips no time is told so, and the payment stays where it is',
  },
  'request.clock.sandbox-only': { file: 'test/http/test-clock.test.ts', title: 'of a live payment is never moved' },
  'request.configuration.missing-gateway-configuration': {
    file: 'test/activities/refusals.test.ts',
    title: 'because no gateway is configured does not use its card up',
  },
  'request.expand.invalid': async ({ ask, createInvoice }) =>
    ask('GET', `/invoices/${(await createInvoice()).id}?expand[]=nothing.of.that`),
  'request.filter.invalid': get('/transactions?filter=nothing:1'),
  'request.gateway.operation-not-supported': async ({ ask, createInvoice, createCard }) => {
    const [invoice, saleOnly] = await Promise.all([createInvoice(), createCard({ number: '4000000000007155' })])
    return ask('POST', `/invoices/${invoice.id}/authorize`, { body: { source: saleOnly.id } })
  },
  'request.headers-too-large': { file: 'test/http/server/http-server.test.ts', title: 'by one header is refused' },
  'request.idempotency-key.invalid': async ({ ask }) => {
    const headers = { 'idempotency-key': 'order-1' }
    await ask('POST', '/invoices', { body: INVOICE, headers })
    return ask('POST', '/invoices', { body: { ...INVOICE, amount: '30.00' }, headers })
  },
  'request.method-not-allowed': ({ ask }) => ask('PATCH', '/events'),
  'request.not-started': {
    file: 'test/http/payments.test.ts',
    title: 'that nobody gives is 503 where nothing has begun',
  },
  'request.notification.unproven': {
    file: 'test/http/gateway-notifications.test.ts',
    title: 'without a proof, with a wrong one, or of another body, changes nothing',
  },
  'request.pagination.invalid': get('/events?limit=101'),
  'request.project-suspended': {
    file: 'test/http/suspension.test.ts',
    title: 'refunds nothing by the transaction either',
  },
  'request.rate.too-many-failures': {
    file: 'test/activities/client-failures.test.ts',
    title: 'is tried ten times in vain by clients, and no more; its merchant may still charge it',
  },
  'request.rate.exceeded': {
    file: 'test/http/rate-limits.test.ts',
    title: 'refuses with 429, a time to wait and 0 left, and does nothing',
  },
  'request.route-not-found': get('/nowhere'),
  'request.source.card-already-used': async ({ ask, createInvoice, createCard }) => {
    const [first, second, card] = await Promise.all([createInvoice(), createInvoice(), createCard()])
    await ask('POST', `/invoices/${first.id}/authorize`, { body: { source: card.id } })
    return ask('POST', `/invoices/${second.id}/authorize`, { body: { source: card.id } })
  },
  'request.still-processing': async ({ ask, createInvoice, createCard }) => {
    const unresolved = createCard({ name: 'SANDBOX:increment-never-resolved' })
    const [invoice, { id: source }] = await Promise.all([createInvoice(), unresolved])
    await ask('POST', `/invoices/${invoice.id}/authorize`, { body: { source, incremental: true } })
    await ask('POST', `/invoices/${invoice.id}/increment_authorization`, { body: { amount: '1.00' } })
    return ask('POST', `/invoices/${invoice.id}/void`)
  },

  'request.validation.invalid-client-secret': async ({ ask, createCard }) => {
    const [{ body: owner }, card] = await Promise.all([ask('POST', '/customers', { body: {} }), createCard()])
    const { body } = await ask('POST', '/invoices', { body: { ...INVOICE, customer_id: owner.customer.id } })
    return ask('POST', `/invoices/${body.invoice.id}/authorize`, {
      body: { source: card.id, save_source: true, client_secret: 'ivs_nothing' },
    })
  },
  'request.validation.invalid-relationship': async ({ ask, createCard }) => {
    const [owner, other] = await Promise.all([1, 2].map(() => ask('POST', '/customers', { body: {} })))
    const card = await createCard()
    const { body } = await ask('POST', `/customers/${owner?.body.customer.id}/tokens`, { body: { source: card.id } })
    return ask('POST', '/invoices', {
      body: { ...INVOICE, customer_id: other?.body.customer.id, token_id: body.token.id },
    })
  },
  'request.validation.invalid-state': async ({ ask, createInvoice }) =>
    ask('POST', `/invoices/${(await createInvoice()).id}/void`),

  'request.timeout': {
    file: 'test/http/server/http-server.test.ts',
    title: 'to send its headers is cut off, however busy it looks',
  },
  'resource.api-key.not-found': {
    file: 'test/http/dashboard/people.test.ts',
    title: 'of another project are not there',
  },
  'resource.person.not-found': {
    file: 'test/http/dashboard/people.test.ts',
    title: 'changes nobody who is not in the project',
  },
  'resource.project.not-found': {
    file: 'test/http/dashboard/access.test.ts',
    title: 'finds no object of the other environment or of another project',
  },
  'resource.api-request.not-found': get(`/api-requests/${makeIdentifier('apiRequest', randomBytes)}`),
  'resource.card.not-found': get(`/cards/${makeIdentifier('card', randomBytes)}`),
  'resource.event.not-found': get(`/events/${makeIdentifier('event', randomBytes)}`),
  'resource.gateway.not-found': ({ ask }) =>
    ask('POST', '/gateways/nobody/gateway-configurations', { body: { name: 'Account' } }),
  'request.configuration.in-use': async ({ ask, payInvoice }) => {
    const { transaction } = await payInvoice()
    return ask('PUT', `/gateway-configurations/${transaction.gateway_configuration_id}`, {
      body: { settings: { account: 'acct_2' } },
    })
  },
  'resource.gateway-configuration.not-found': get(
    `/gateway-configurations/${makeIdentifier('gatewayConfiguration', randomBytes)}`,
  ),
  'resource.invoice.not-found': get(`/invoices/${makeIdentifier('invoice', randomBytes)}`),
  'resource.reconciliation.not-found': get(`/reconciliations/${makeIdentifier('reconciliation', randomBytes)}`),
  'resource.reconciliation-difference.not-found': get(
    `/reconciliation-differences/${makeIdentifier('reconciliationDifference', randomBytes)}`,
  ),
  'resource.refund.not-found': async ({ ask, payInvoice }) =>
    ask('GET', `/transactions/${(await payInvoice()).transaction.id}/refunds/${makeIdentifier('refund', randomBytes)}`),
  'resource.rule-set.not-found': get(`/rule-sets/${makeIdentifier('ruleSet', randomBytes)}`),
  'resource.transaction.not-found': get(`/transactions/${makeIdentifier('transaction', randomBytes)}`),
  'resource.webhook-endpoint.not-found': get(`/webhook-endpoints/${makeIdentifier('webhookEndpoint', randomBytes)}`),

  'server.internal-error': {
    file: 'test/http/transport.test.ts',
    title: 'a defect is 500, told to the log and not to the merchant',
  },
  'server.unavailable': {
    file: 'test/http/transport.test.ts',
    title: 'a database out of reach is 503 with a time to wait',
  },
}

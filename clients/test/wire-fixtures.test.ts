import { describe, expect, test } from '@jest/globals'
import type { CommandAnswer } from '../../domain/command.ts'
import {
  ACTIONS_MAX,
  answeredBySource,
  CUSTOMER_ACTION_TYPES,
  type CustomerActionType,
  issueAction,
  type RequestedAction,
} from '../../domain/customer-action.ts'
import { ERRORS, isErrorCode, retryClassOf } from '../../domain/errors.ts'
import { INVOICE_STATUSES } from '../../domain/invoice-status.ts'
import { TRANSACTION_STATUSES, type TransactionStatus } from '../../domain/transaction.ts'
import { continuationOf } from '../../src/api/payments/continuation.ts'
import { PAYMENT_OPTIONS } from '../../src/api/payments/payment-options.ts'
import { answerSourceOf, readSource } from '../../src/api/payments/source.ts'
import { CLIENT_SECRET_HEADER } from '../../src/http/clients/client-secret.ts'
import { MOBILE_RETURN_URLS } from '../../src/objects/addresses.ts'
import { clientView } from '../../src/objects/client-view.ts'
import { errorBody } from '../../src/objects/error-body.ts'
import { presentInvoice } from '../../src/objects/invoice.ts'
import { presentPaymentAnswer } from '../../src/objects/payment-answer.ts'
import { withParameters } from '../../src/pages/return-address.ts'
import type { InvoiceRow } from '../../src/persistence/entities/invoice.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'
import { makeRows } from '../../test/persistence/rows.ts'
import { type ActionFixture, type AnswerFixture, FIXTURES, type NextSource } from './wire-fixtures.ts'

const { protocol, actions, answers, errors, requests, return_urls: returnUrls, returns, flows } = FIXTURES

const sources = actions.flatMap((action) => action.next_sources.map((next) => ({ name: action.name, action, ...next })))

describe('the wire fixtures agree with the service:', () => {
  test('the types of actions, and one round more than it asks for actions', () => {
    expect(protocol.action_types).toEqual([...CUSTOMER_ACTION_TYPES])
    expect(protocol.rounds_max).toBe(ACTIONS_MAX + 1)
  })

  test('the header of the client secret', () => {
    expect(protocol.headers.client_secret).toBe(CLIENT_SECRET_HEADER)
  })

  test('every status of an invoice is a success, a failure, open, or an end', () => {
    const { paid, failed, over } = protocol.invoice_statuses
    expect([...paid, ...failed, ...over, 'pending', 'processing'].toSorted()).toEqual([...INVOICE_STATUSES].toSorted())
    for (const status of [...protocol.open_transaction_statuses, ...protocol.over_transaction_statuses])
      expect(TRANSACTION_STATUSES).toContain(status)
  })

  test('every code after which the customer may authenticate again is such an error', () => {
    const codes = Object.keys(ERRORS).filter((code) => retryClassOf(code) === 'authenticate')
    const authenticating = errors.filter(({ kind }) => kind === 'authentication-failed').map((row) => row.error_type)
    expect(authenticating.toSorted()).toEqual(codes.toSorted())
  })

  test('every error code, and its status', () => {
    const known = errors.filter(({ error_type: code }) => isErrorCode(code))
    for (const { status, error_type: code } of known)
      expect([code, isErrorCode(code) && ERRORS[code].status]).toEqual([code, status])
    const others = errors.filter((row) => !known.includes(row)).map(({ error_type: code }) => code)
    // Those of another version, and the word of gateways for what the service calls `customer.cancelled`.
    expect([...new Set(others)]).toEqual(['an-error.of-a-later-version', 'customer.canceled'])
  })

  test.each(returnUrls)('whether $return_url leads back to an app', ({ return_url: url, android, ios }) => {
    // The service asks for one where it is needed, and libraries always do.
    expect(url !== null && MOBILE_RETURN_URLS.android.holds(url)).toBe(android)
    expect(url !== null && MOBILE_RETURN_URLS.ios.holds(url)).toBe(ios)
  })

  test.each([...new Set(returns.map((row) => row.return_url))])('the address by which it opens %s', (returnUrl) => {
    const token = answerSourceOf({ value: VALUE })
    const opened = withParameters(returnUrl, { token, invoice_id: 'iv_fixture' })
    expect(returns).toContainEqual({ return_url: returnUrl, opened, is_ours: true, token })
  })

  test.each(requests)('the body of a request: $name', ({ body_text: text }) => {
    expect(PAYMENT_OPTIONS.names).toEqual(expect.arrayContaining(protocol.request_fields))
    expect(PAYMENT_OPTIONS.json.safeParse(JSON.parse(text)).error).toBeUndefined()
  })
})

const PUBLIC_URL = 'https://api.holdfast.example'
const VALUE = `${PUBLIC_URL}/three-d-s/iv_fixture/act_fixture`

/** The action of a fixture as a gateway asks for it. */
function requestedBy({ customer_action: { type, metadata }, value_text: text }: ActionFixture): RequestedAction {
  const continuation = 'of the gateway'
  if (text !== null) return { type: type as 'challenge-mobile', data: JSON.parse(text), continuation }
  const page = { url: 'https://bank.example', fields: null }
  return { type: type as 'url', page, isFullPage: metadata?.no_iframe === 'true', continuation }
}

/** A payment that waits for its customer. */
function waitingFor(requested: RequestedAction, returned: Record<string, string> | null = null): TransactionRow {
  const action = issueAction(requested, {
    ...{ id: 'act_fixture', attemptId: 'tr_op_1', invoiceId: 'iv_fixture', channel: 'android', at: 0 },
    ...{ previous: null, publicUrl: PUBLIC_URL },
  })
  return transactionOf('waiting', {
    customerAction: { ...action, returned },
    attemptsInFlight: [{ operationId: 'tr_op_1', isAbandoned: false, awaitsCustomerUntil: 1 } as never],
  })
}

function transactionOf(status: TransactionStatus, change: Partial<TransactionRow> = {}): TransactionRow {
  const isAuthorized = status === 'authorized' || status === 'completed' || status === 'refunded' || status === 'voided'
  return {
    ...makeRows('wire').transaction,
    ...{ id: 'tr_fixture', invoiceId: 'iv_fixture', status, cardId: 'card_fixture', tokenId: null, errorCode: null },
    ...{ amountMinor: 2900, authorizedMinor: isAuthorized ? 2900 : 0, incrementedMinor: 0, voidedMinor: 0 },
    capturedMinor: status === 'completed' || status === 'refunded' ? 2900 : 0,
    ...{ customerAction: null, attemptsInFlight: [] },
    ...change,
  }
}

describe('an action of the fixtures', () => {
  // The other values are what other services of the protocol send, or later versions of this one.
  const OWN = actions.filter(({ name }) => !/base64/.test(name))

  test.each(OWN)('is what the service asks for: $name', (action) => {
    const transaction = waitingFor(requestedBy(action))
    const { status, body } = presentPaymentAnswer({
      answer: { kind: 'pending' },
      transaction,
      requestId: 'req_fixture',
    })
    expect([status, clientView(body)]).toMatchObject([200, { success: true, customer_action: action.customer_action }])
  })

  test.each(sources)('$name, $after, is answered: $means', ({ action, source, given, means }) => {
    const transaction = waitingFor(requestedBy(action), {})
    if (source === null) {
      // What only the next page of the bank can tell is asked for again.
      const answer = answeredBySource('card_fixture', transaction)
      return expect(answer?.answer ?? 'asks again').toBe(means)
    }
    const read = readSource(source, { sandbox: false })
    if (read.kind !== 'continuation') throw new Error(`It is read as ${read.kind}.`)
    const { continues, data } = continuationOf(read.sent, transaction)
    expect(continues).toEqual({ actionId: 'act_fixture', answer: means })
    if (means === 'device data') expect(data).toEqual(deviceDataIn(given))
  })

  test.each(sources.filter(({ after }) => after === 'returned'))(
    '$name, returned, has the token of its page',
    (row) => {
      expect(row.source).toBe(answerSourceOf({ value: VALUE }))
    },
  )
})

/** The native library's data as the gateway gets them. */
function deviceDataIn(given: NextSource['given'] = {}) {
  const { crv, kty, x, y } = JSON.parse(String(given.sdkEphemeralPublicKey))
  return {
    sdkAppID: given.sdkAppId,
    sdkEphemPubKey: JSON.stringify({ crv, kty, x, y }),
    sdkReferenceNumber: given.sdkReferenceNumber,
    sdkTransID: given.sdkTransactionId,
    sdkEncData: given.deviceData,
  }
}

describe('an answer of the fixtures', () => {
  const successes: [string, CommandAnswer, TransactionRow][] = [
    ['authorized', { kind: 'done' }, transactionOf('authorized')],
    ['captured', { kind: 'done' }, transactionOf('completed')],
    ['captured, and the card saved', { kind: 'done' }, transactionOf('completed', { tokenId: 'tok_fixture' })],
    ['voided', { kind: 'unchanged' }, transactionOf('voided')],
    ['pending', { kind: 'pending' }, transactionOf('pending')],
  ]

  test.each(successes)('is what the service says: %s', (name, answer, transaction) => {
    const { status, body } = presentPaymentAnswer({ answer, transaction, requestId: 'req_fixture' })
    const { of_a_later_version: _, ...known } = answerNamed(name).body
    expect([status, clientView(body)]).toMatchObject([200, known])
  })

  const refusals = answers.filter(({ body }) => body?.success === false)
  test.each(refusals)('is what the service says: $name', ({ status, body }) => {
    const { error_type: code, outcome, invalid_fields: invalidFields, request_id: requestId } = body
    const transaction = transactionOf('failed', { errorCode: code })
    const { status: known, message } = isErrorCode(code) ? ERRORS[code] : { status: null, message: '' }
    const own =
      outcome === 'failed'
        ? presentPaymentAnswer({ answer: { kind: 'declined', code }, transaction, requestId })
        : // A field's own sentence stands in place of the general one.
          { status: known, body: errorBody({ errorType: code, message: body.message, invalidFields, requestId }) }
    expect(own.status).toBe(status)
    expect(clientView(own.body)).toMatchObject(body)
    if (invalidFields === undefined) expect(body.message).toBe(message)
  })

  test.each(answers.filter(({ body }) => body?.invoice))('is what the service says: $name', ({ body }) => {
    const { transaction, ...shown } = body.invoice
    const row: InvoiceRow = {
      ...makeRows('wire').invoice,
      ...{ id: 'iv_fixture', name: 'Order 1', amountMinor: 2900, currency: 'EUR', deviceChannel: 'android' },
      ...{ device: null, returnUrl: shown.return_url, cancelUrl: null, expiresAt: null, expiredAt: null },
    }
    const invoice = presentInvoice(row, transaction && transactionOf(transaction.status))
    expect(clientView({ success: true, invoice })).toMatchObject({ success: true, invoice: shown })
  })

  test('has a status that is a success only where the body is one', () => {
    for (const { status, body } of answers) if (body) expect(status === 200).toBe(body.success)
  })
})

function answerNamed(name: string): AnswerFixture {
  const found = answers.find((answer) => answer.name === name)
  if (found === undefined) throw new Error(`There is no answer "${name}" among the fixtures.`)
  return found
}

describe('the wire fixtures agree with themselves:', () => {
  test('there are values without padding, whose padding is missed', () => {
    const bare = actions.filter(({ name }) => name.includes('without base64 padding'))
    expect(bare).toHaveLength(2)
    for (const { customer_action: action } of bare) expect(action.value.length % 4).not.toBe(0)
  })

  test('every type of action is answered in every way that it has', () => {
    const ways = (type: CustomerActionType) => [
      ...new Set(sources.filter(({ action }) => action.customer_action.type === type).map(({ means }) => means)),
    ]
    expect(Object.fromEntries(CUSTOMER_ACTION_TYPES.map((type) => [type, ways(type).toSorted()]))).toEqual({
      fingerprint: ['asks again', 'canceled', 'fingerprint timed out', 'returned'],
      redirect: ['asks again', 'canceled', 'returned'],
      url: ['canceled', 'returned'],
      'fingerprint-mobile': ['canceled', 'device data'],
      'challenge-mobile': ['canceled', 'challenge result'],
    })
  })

  test('a request holds the fields of the protocol in their order, and one of them holds all', () => {
    const fieldsOf = (text: string) => Object.keys(JSON.parse(text))
    for (const { body_text: text } of requests)
      expect(fieldsOf(text)).toEqual(protocol.request_fields.filter((name) => fieldsOf(text).includes(name)))
    expect(requests.map(({ body_text: text }) => fieldsOf(text).length)).toContain(protocol.request_fields.length)
  })

  test('every kind of error is the end of a flow', () => {
    expect([...new Set(flows.map(({ result }) => result.kind))].toSorted()).toEqual(
      ['paid', ...protocol.error_kinds].toSorted(),
    )
    expect(new Set(flows.map(({ name }) => name)).size).toBe(flows.length)
  })

  test('no card number is among them', () => {
    expect(JSON.stringify(FIXTURES)).not.toMatch(/\b[3-6]\d{12,18}\b/)
  })
})

import { describe, expect, test } from '@jest/globals'
import { type AnswerFixture, FIXTURES } from '../../test/wire-fixtures.ts'
import { type Answer, isPassing, type Reply, readInvoiceReply, readPaymentReply } from '../src/payment/answer.ts'
import { canceledByCustomer, fingerprintTimedOut } from '../src/payment/sources.ts'

/** The wire forms that the script shares with the service and with the libraries for apps. */

const actions = FIXTURES.actions.filter(({ client }) => client === 'browser')

describe('a source of the fixtures is what the script sends:', () => {
  const sources = actions.flatMap(({ name, customer_action: { value }, next_sources: next }) =>
    next.map((row) => ({ name, value, ...row })),
  )

  test.each(sources.filter(({ after }) => after === 'timed out'))('$name, timed out', ({ value, source }) => {
    expect(fingerprintTimedOut(value)).toBe(source)
  })

  test.each(sources.filter(({ after }) => after === 'canceled'))('$name, canceled', ({ value, source }) => {
    expect(canceledByCustomer(value)).toBe(source)
  })
})

/** An answer as it arrives. */
function replyOf({ status = 200, body, headers }: AnswerFixture): Reply {
  const seconds = headers?.['Retry-After']
  return { status, body: body ?? {}, retryAfterMs: seconds === undefined ? null : Number(seconds) * 1000 }
}

describe('an action of the fixtures is read by the script:', () => {
  test.each(actions)('$name', ({ customer_action: action }) => {
    const body = { success: true, outcome: 'pending', transaction: { status: 'waiting' }, customer_action: action }
    expect(readPaymentReply('iv_fixture', { status: 200, body, retryAfterMs: null })).toEqual({
      kind: 'action',
      action: { type: action.type, value: action.value, isFullPage: action.metadata?.no_iframe === 'true' },
    })
  })
})

describe('an answer of the fixtures is understood by the script:', () => {
  /** What an answer is to the script. Those that mean an error are all failures, and their code tells which. */
  const KINDS: Record<string, Answer['kind']> = { paid: 'paid', open: 'open', asks: 'action' }
  const answers = FIXTURES.answers.filter(({ means }) => means !== 'invoice' && means !== 'lost')

  test.each(answers)('$name', (answer) => {
    const { means, body } = answer
    const read = readPaymentReply('iv_fixture', replyOf(answer))
    expect(read.kind).toBe(KINDS[means] ?? 'failed')
    if (read.kind === 'failed' && !body.success) expect(read.failure.code).toBe(body.error_type)
    if (read.kind === 'paid')
      expect(read.result).toEqual({
        invoice_id: 'iv_fixture',
        status: body.transaction.status,
        transaction_id: 'tr_fixture',
        customer_token_id: body.customer_token_id,
      })
  })

  test.each(FIXTURES.answers.filter(({ means }) => means === 'invoice'))('$name', (answer) => {
    const { invoice } = answer.body
    const { paid, failed, over } = FIXTURES.protocol.invoice_statuses
    const read = readInvoiceReply('iv_fixture', replyOf(answer))
    if (paid.includes(invoice.status)) expect(read).toMatchObject({ kind: 'paid', result: { status: invoice.status } })
    else if ([...failed, ...over].includes(invoice.status)) expect(read.kind).toBe('failed')
    else if (invoice.status === 'pending') expect(read.kind).toBe('untouched')
    else expect(read).toEqual({ kind: 'open', isWaiting: invoice.transaction.status === 'waiting' })
  })

  test.each(FIXTURES.answers.filter(({ status }) => status !== undefined))(
    '$name is worth another try, or not',
    (answer) => {
      const isWorthIt = [408, 409, 429, 500, 503].includes(answer.status ?? 0)
      const isHopeless = answer.body?.error_type === 'request.rate.too-many-failures'
      expect(isPassing(replyOf(answer))).toBe(isWorthIt && !isHopeless)
    },
  )
})

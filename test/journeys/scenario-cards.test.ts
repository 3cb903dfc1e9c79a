import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { paymentWorkflowId } from '../../src/temporal/workflow-ids.ts'
import { verbsOf } from '../support/history-verbs.ts'
import { makeStack, type Stack } from '../support/stack.ts'
import { createStory } from '../support/story.ts'

/** Longer than the first look-ups of an outcome that is not known, and shorter than an authorization holds. */
const LOOK_UPS_MS = 10 * 60_000

let stack: Stack
let story: ReturnType<typeof createStory>

beforeAll(async () => {
  stack = await makeStack({ mode: 'together' })
  story = createStory(stack)
})
afterAll(() => stack.stop())

/** What is asked of the payment after its authorization: the call, and what it answers. */
type Step = [verb: string, body: object, answer: { status: number; error_type?: string; outcome?: string }]

interface Scenario {
  /** What the card does, in words. */
  does: string
  /** Options of the authorization, or of the invoice. */
  options?: Record<string, unknown>
  /** What the authorization answers; approved by default. */
  answer?: { status: number; error_type?: string; outcome?: string }
  steps?: Step[]
  /** Whether the payment lives through the first look-ups before it is looked at. */
  later?: boolean
  /** How the transaction ends. */
  ends: Record<string, unknown>
  /** What the history shows, in order, where it is more than the authorization. */
  history?: string[]
}

const APPROVED = { status: 200 }
const PENDING = { status: 200, outcome: 'pending' }
const declined = (errorType: string) => ({ status: 410, error_type: errorType })
const sale = { authorize_only: false }
const SALE_HISTORY = ['authorize', 'capture']
const CAPTURE: Step = ['capture', {}, APPROVED]
const incremental = { invoice: { incremental: true } }

const approvedOn = (scheme: string): Scenario => ({
  does: `is approved on ${scheme}`,
  ends: { status: 'authorized', scheme_used: scheme },
})
const approvedIn = (country: string): Scenario => ({
  does: `is approved, issued in ${country}`,
  ends: { status: 'authorized' },
})
const declines = (errorType: string, ends: Record<string, unknown> = {}): Scenario => ({
  does: `is declined with ${errorType}`,
  answer: declined(errorType),
  ends: { status: 'failed', error_code: errorType, authorized_amount: '0.00', ...ends },
})
const checks = (cvc: string, avs: string): Scenario => ({
  does: `is approved, with ${cvc} for the security code and ${avs} for the address`,
  ends: { status: 'authorized', cvc_check: cvc, avs_check: avs },
})
const disputed = (status: string, ends: Record<string, unknown> = {}): Scenario => ({
  does: `is paid and becomes ${status}`,
  options: sale,
  ends: { status, captured_amount: '29.00', ...ends },
})

const SCENARIOS: Record<string, Scenario> = {
  '4242424242424242': approvedOn('visa'),
  '5555555555554444': approvedOn('mastercard'),
  '378282246310005': approvedOn('american express'),
  '30123456789019': approvedOn('diners club'),
  '3530111333300000': approvedOn('jcb'),
  '6011111111111117': approvedOn('discover'),

  '4977830000000001': approvedIn('FR'),
  '4360000001000005': approvedIn('FR'),
  '4556620000000005': approvedIn('FR'),
  '5130290000000009': approvedIn('FR'),
  '4658580000000008': approvedIn('GB'),
  '4571730000000003': approvedIn('DK'),
  '4023600000000002': approvedIn('IT'),
  '4338300000000009': approvedIn('AR'),
  '4835910000000003': approvedIn('CN'),

  '4000000000002180': declines('card.do-not-honor'),
  '4000000000002198': declines('card.possible-fraud'),
  '4000000000002206': declines('card.no-money'),
  '4000000000002214': declines('card.expired'),
  '4000000000002222': declines('card.stolen'),
  '4000000000002230': declines('card.failed-cvc', { cvc_check: 'failed' }),
  '4000000000002248': declines('card.failed-avs', { avs_check: 'failed' }),
  '4000000000002255': declines('card.not-authorized'),
  '4000000000002263': declines('card.inactive'),
  '4000000000002271': declines('card.lost'),
  '4000000000002289': declines('card.region-not-authorized'),
  '4127969420587632': declines('card.blacklisted'),

  '4000000000000002': declines('card.declined'),
  '4000000000000010': {
    does: 'is authorized, and every capture fails',
    steps: [
      ['capture', {}, declined('gateway.declined')],
      ['capture', { capture_amount: '5.00' }, declined('gateway.declined')],
    ],
    ends: { status: 'authorized', captured_amount: '0.00' },
    history: ['authorize', 'capture', 'capture'],
  },
  '4000000000000028': checks('failed', 'unchecked'),
  '4000000000000036': checks('passed', 'failed'),
  '4000000000000044': checks('failed', 'failed'),
  '4000000000000085': checks('passed', 'failed'),
  '4000000000000093': checks('passed', 'failed'),
  '4000000000000069': disputed('chargeback-initiated'),
  '4000000000000200': disputed('solved'),
  '4000000000000309': disputed('retrieval-request', { received_retrieval_request: true }),
  '4000000000004004': disputed('fraud-notification', { received_fraud_notification: true }),
  '4000000000000077': {
    does: 'is paid, and its refunds are declined',
    options: sale,
    steps: [['refunds', {}, declined('gateway.declined')]],
    ends: { status: 'completed', refunded_amount: '0.00' },
    history: [...SALE_HISTORY, 'refund'],
  },
  '4000000000001216': declines('card.declined'),
  '4000000000006223': {
    does: 'is captured once, and a second time fails',
    steps: [
      ['capture', { capture_amount: '10.00', capture_type: 'non-final' }, APPROVED],
      ['capture', { capture_amount: '5.00' }, declined('gateway.declined')],
    ],
    ends: { status: 'completed', captured_amount: '10.00' },
    history: ['authorize', 'capture', 'capture'],
  },
  '4000000000000531': {
    does: 'is authorized, and cannot be incremented',
    options: incremental,
    steps: [['increment_authorization', { amount: '5.00' }, declined('card.declined')]],
    ends: { status: 'authorized', authorized_amount: '29.00' },
    history: ['authorize', 'incrementAuthorization'],
  },
  '4000000000003303': {
    does: 'is authorized, and has no money for an increment',
    options: incremental,
    steps: [['increment_authorization', { amount: '5.00' }, declined('card.no-money')]],
    ends: { status: 'authorized', authorized_amount: '29.00' },
    history: ['authorize', 'incrementAuthorization'],
  },
  '5337480000007168': declines('card.dont-retry', { recommendation_code: 'do-not-retry' }),

  '4000000000007007': {
    does: 'loses the answer, and is found approved',
    answer: PENDING,
    later: true,
    ends: { status: 'authorized', authorized_amount: '29.00' },
    history: ['authorize', 'lookUp'],
  },
  '4000000000007015': {
    does: 'loses the answer, and is found declined',
    answer: PENDING,
    later: true,
    ends: { status: 'failed', error_code: 'card.do-not-honor' },
    history: ['authorize', 'lookUp'],
  },
  '4000000000007031': {
    does: 'loses the answer of its capture, and is found captured',
    steps: [['capture', {}, PENDING]],
    later: true,
    ends: { status: 'completed', captured_amount: '29.00' },
    history: ['authorize', 'capture', 'lookUp'],
  },
  '4000000000007049': {
    does: 'is captured later',
    steps: [['capture', {}, PENDING]],
    later: true,
    ends: { status: 'completed', captured_amount: '29.00' },
    history: ['authorize', 'capture', 'lookUp'],
  },
  '4000000000007056': {
    does: 'has its capture accepted and refused later',
    steps: [['capture', {}, PENDING]],
    later: true,
    ends: { status: 'authorized', captured_amount: '0.00' },
    history: ['authorize', 'capture', 'lookUp'],
  },
  '4000000000007064': {
    does: 'is refunded later',
    options: sale,
    steps: [['refunds', {}, PENDING]],
    later: true,
    ends: { status: 'refunded', refunded_amount: '29.00' },
    history: [...SALE_HISTORY, 'refund', 'lookUp'],
  },
  '4000000000007072': {
    does: 'has its refund accepted and refused later',
    options: sale,
    steps: [['refunds', {}, PENDING]],
    later: true,
    ends: { status: 'completed', refunded_amount: '0.00' },
    history: [...SALE_HISTORY, 'refund', 'lookUp'],
  },
  '4000000000005126': {
    does: 'is refunded, and the refund fails afterwards',
    options: sale,
    steps: [['refunds', {}, APPROVED]],
    ends: { status: 'completed', refunded_amount: '0.00' },
    history: [...SALE_HISTORY, 'refund'],
  },
  '4000000000007080': {
    does: 'cannot be voided',
    steps: [['void', {}, declined('gateway.declined')], CAPTURE],
    ends: { status: 'completed', voided_amount: '0.00' },
    history: ['authorize', 'voidAuthorization', 'capture'],
  },
  '4000000000007098': declines('gateway.internal-error'),
  '4000000000007106': declines('gateway.network-error'),
  '4000000000007114': {
    ...declines('card.no-money'),
    does: 'is approved in part, which is given back',
    history: ['authorize', 'reverseOrphan'],
  },
  '4000000000007148': {
    does: 'loses the answer of an increment, and is found incremented',
    options: incremental,
    steps: [['increment_authorization', { amount: '5.00' }, PENDING]],
    later: true,
    ends: { status: 'authorized', authorized_amount: '34.00' },
    history: ['authorize', 'incrementAuthorization', 'lookUp'],
  },
  '4000000000007155': {
    does: 'is paid at once, where that is allowed',
    options: { allow_fallback_to_sale: true },
    ends: { status: 'completed', captured_amount: '29.00' },
  },
}

describe.each(Object.entries(SCENARIOS))('the card %s', (number, scenario) => {
  const { does, options = {}, answer = APPROVED, steps = [], later = false, ends } = scenario
  test(does, async () => {
    const paid = await story.pay({ number, ...options })
    expect(paid.answer).toMatchObject(answerOf(answer))
    const { invoiceId } = paid
    for (const [verb, body, wanted] of steps)
      expect(await story.post(invoiceId, verb, body)).toMatchObject(answerOf(wanted))
    if (later) await stack.skipTime(invoiceId, LOOK_UPS_MS)
    const transaction = await story.becomes(invoiceId, ends)
    expect(transaction).toMatchObject(ends)
    const { history = options === sale ? SALE_HISTORY : ['authorize'] } = scenario
    const verbs = await stack.waitFor(async () => {
      const shown = (await verbsOf(stack.temporal, paymentWorkflowId(invoiceId))).filter((verb) => !isBackground(verb))
      return includesInOrder(shown, history) ? shown : null
    })
    // Look-ups are repeated until one tells; every other verb is there as often as it was asked for.
    expect(verbs.filter((verb) => verb !== 'lookUp')).toEqual(history.filter((verb) => verb !== 'lookUp'))
  })
})

describe('a stored card', () => {
  test.each([
    ['4000000000006009', 'card.no-money'],
    ['4000000000004301', 'card.expired'],
  ])('%s is approved once, and declined with %s when it is used again', async (number, errorType) => {
    const { body } = await stack.post('/customers', {})
    const customerId = String(body.customer.id)
    const { id: source } = await stack.createCard({ number })
    const { token } = (await stack.post(`/customers/${customerId}/tokens`, { source })).body
    const first = await stack.createInvoice({ customer_id: customerId })
    expect((await story.post(String(first.id), 'authorize', { source: token.id })).status).toBe(200)
    const second = await stack.createInvoice({ customer_id: customerId })
    const refused = await story.post(String(second.id), 'authorize', { source: token.id })
    expect(refused).toMatchObject(answerOf(declined(errorType)))
    for (const { id } of [first, second]) {
      const verbs = () => verbsOf(stack.temporal, paymentWorkflowId(String(id)))
      await stack.waitFor(async () => (await verbs()).join() === 'authorize')
    }
  })
})

describe('the card 4000000000001216', () => {
  test('is verified, although every payment is declined', async () => {
    const { body } = await stack.post('/customers', {})
    const { id: source } = await stack.createCard({ number: '4000000000001216' })
    const answer = await stack.post(`/customers/${body.customer.id}/tokens`, { source, verify: true })
    expect(answer).toMatchObject({ status: 200, body: { token: { is_chargeable: true } } })
  })
})

describe('the card 4000000000007023', () => {
  test('loses the answer for good: the payment is never called failed, and staff find it as unresolved', async () => {
    const { invoiceId, answer } = await story.pay({ number: '4000000000007023' })
    expect(answer).toMatchObject(answerOf(PENDING))
    await stack.skipTime(invoiceId, 40 * 60 * 60_000)
    const verbs = await stack.waitFor(async () => {
      const shown = await verbsOf(stack.temporal, paymentWorkflowId(invoiceId))
      return shown.filter((verb) => verb === 'lookUp').length > 3 ? shown : null
    })
    expect(new Set(verbs)).toEqual(new Set(['authorize', 'lookUp']))
    expect(await story.transactionOf(invoiceId)).toMatchObject({ status: 'pending', error_code: null })
  })
})

describe('every card of the sandbox', () => {
  test('has a test that names it, but for those that ask for 3-D Secure', async () => {
    const read = (file: string) => readFile(new URL(file, import.meta.url), 'utf8')
    const table = await read('../../src/gateways/simulator/test-cards.ts')
    const cards = [...table.matchAll(/\[\s*'(\d{13,19})',\s*'([a-z0-9-]+)'/g)].map(([, number, name]) => ({
      number,
      name,
    }))
    expect(cards.length).toBeGreaterThan(90)
    const tests = await Promise.all(['scenario-cards.test.ts', 'merchant-advice.test.ts'].map(read))
    const unnamed = cards.filter(
      ({ number, name }) => !name?.startsWith('three-d-s') && !tests.some((text) => text.includes(`'${number}'`)),
    )
    expect(unnamed).toEqual([])
  })
})

function answerOf({ status, error_type, outcome }: Step[2]) {
  return {
    status,
    body: {
      success: status === 200,
      ...(error_type !== undefined && { error_type }),
      ...(outcome !== undefined && { outcome }),
    },
  }
}

/** What happens by itself around the commands, at an instant that depends on the dispatcher and not on the card. */
function isBackground(verb: string): boolean {
  return verb === 'applyNotifications' || verb === 'loadPayment' || verb === 'announceExpiry'
}

function includesInOrder(shown: readonly string[], wanted: readonly string[]): boolean {
  let next = 0
  for (const verb of shown) if (verb === wanted[next]) next += 1
  return next === wanted.length
}

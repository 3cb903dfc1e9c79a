import { describe, expect, test } from '@jest/globals'
import { decide } from '../../domain/decision.ts'
import {
  answerableDisputes,
  DISPUTE_STEPS,
  type DisputeStatus,
  type DisputeStep,
  disputedMinor,
} from '../../domain/dispute.ts'
import { type Payment, refundableMinor } from '../../domain/payment.ts'
import { applyDispute } from '../../domain/payment-outcome.ts'
import type { TransactionStatus } from '../../domain/transaction.ts'
import {
  AT,
  authorized,
  captureCommand,
  completed,
  failed,
  fresh,
  inFlight,
  partCommand,
  partly,
  refundCommand,
  reportOutcome,
  short,
  step,
  voidCommand,
  voided,
} from './payment-builders.ts'

/** A step of a dispute about the whole captured amount. */
const about = (step: DisputeStep, id: string | null = 'du_1', amountMinor = 2_900) => ({ step, id, amountMinor })

/** The payment after these steps of disputes, with the events of the last. */
const afterReports = (payment: Payment, ...steps: Parameters<typeof applyDispute>[1][]) =>
  steps.reduce((change, step) => applyDispute(change.payment, step), { payment, fires: [] as readonly string[] })

const afterSteps = (payment: Payment, ...steps: DisputeStep[]) =>
  afterReports(payment, ...steps.map((step) => about(step, 'du_1', payment.capturedMinor))).payment

describe('a dispute', () => {
  test.each<[string, Payment]>([
    ['was never begun', fresh],
    ['failed', failed],
    ['is reserved only', authorized()],
    ['is being captured', inFlight('capture', 'pending-capture')],
    ['was voided', voided()],
  ])('about a payment that %s is for staff, and changes nothing else', (_, payment) => {
    for (const next of DISPUTE_STEPS) {
      expect(applyDispute(payment, about(next))).toEqual({ payment: { ...payment, needsAttention: true }, fires: [] })
    }
  })

  test.each<[DisputeStep[], TransactionStatus]>([
    [['retrieval-request'], 'retrieval-request'],
    [['fraud-notification'], 'fraud-notification'],
    [['retrieval-request', 'inquiry-closed'], 'retrieval-request'],
    [['inquiry-closed'], 'completed'],
    [['chargeback-created', 'dispute-answered'], 'chargeback-initiated'],
    [['chargeback-created'], 'chargeback-initiated'],
    [['chargeback-created', 'chargeback-won'], 'solved'],
    [['chargeback-created', 'chargeback-lost'], 'reversed'],
  ])('%j leads to %s, and moves no amount', (steps, status) => {
    const payment = completed()

    const { disputes: _, ...disputed } = afterSteps(payment, ...steps)
    expect(disputed).toEqual({ ...payment, status })
  })

  test('ends the same in whatever order its steps arrive', () => {
    for (const last of ['chargeback-won', 'chargeback-lost'] as const) {
      const steps: DisputeStep[] = [
        'retrieval-request',
        'inquiry-closed',
        'dispute-answered',
        'chargeback-created',
        last,
      ]
      const ends = orders(steps).map((order) => afterSteps(completed(), ...order))
      expect(new Set(ends.map(({ status }) => status)).size).toBe(1)
      expect(ends.some(({ needsAttention }) => needsAttention)).toBe(false)
      expect(ends.flatMap((payment) => answerableDisputes(payment))).toEqual([])
    }
    const open: DisputeStep[] = ['retrieval-request', 'fraud-notification']
    expect(orders(open).map((order) => afterSteps(completed(), ...order).status)).toEqual([
      'fraud-notification',
      'fraud-notification',
    ])
  })

  test('that was won can be lost on appeal; one that was lost and is told to be won is for staff', () => {
    expect(afterSteps(completed(), 'chargeback-won', 'chargeback-lost')).toMatchObject({
      status: 'reversed',
      needsAttention: false,
    })
    expect(afterReports(completed(), about('chargeback-lost'), about('chargeback-won'))).toMatchObject({
      payment: { status: 'reversed', needsAttention: true },
      fires: [],
    })
  })

  test('that began as an inquiry takes no money before the chargeback, and is told as created then', () => {
    const asked = afterSteps(completed(), 'fraud-notification', 'retrieval-request')
    expect([asked.disputes?.map(({ status }) => status), disputedMinor(asked)]).toEqual([['inquiry'], 0])
    const { payment, fires } = afterReports(asked, about('chargeback-created'))
    expect([fires, disputedMinor(payment)]).toEqual([['transaction.chargeback.created'], 2_900])
    expect(afterSteps(payment, 'retrieval-request').disputes).toEqual(payment.disputes)
  })

  test.each<[DisputeStep, DisputeStep[], readonly string[], number]>([
    ['dispute-answered', ['chargeback-created'], ['transaction.chargeback.answered'], 2_900],
    ['dispute-answered', ['retrieval-request'], ['transaction.chargeback.answered'], 0],
    ['dispute-answered', ['chargeback-created', 'dispute-answered'], [], 2_900],
    ['dispute-answered', ['chargeback-won'], [], 0],
    ['dispute-answered', ['retrieval-request', 'inquiry-closed'], [], 0],
    ['inquiry-closed', ['retrieval-request'], ['transaction.chargeback.inquiry-closed'], 0],
    ['inquiry-closed', [], ['transaction.chargeback.inquiry-closed'], 0],
    ['inquiry-closed', ['inquiry-closed'], [], 0],
    ['inquiry-closed', ['chargeback-created'], [], 2_900],
  ])('with the step %s after %j tells %j, and holds %i back', (step, before, expected, held) => {
    const { payment, fires } = afterReports(afterSteps(completed(), ...before), about(step))
    expect([fires, disputedMinor(payment)]).toEqual([expected, held])
  })

  // Where the money was given back, an inquiry is settled; of a chargeback the bank decides all the same.
  test.each<[DisputeStep[], number, DisputeStatus[]]>([
    [['fraud-notification'], 0, []],
    [['retrieval-request'], 0, ['inquiry']],
    [['retrieval-request'], 2_900, []],
    [['chargeback-created'], 2_900, ['open']],
    [['chargeback-created', 'chargeback-won'], 0, []],
    [['chargeback-lost'], 0, []],
    // Answered: the issuer decides. What becomes a chargeback afterwards is answered once more.
    [['retrieval-request', 'dispute-answered'], 0, []],
    [['retrieval-request', 'dispute-answered', 'retrieval-request'], 0, []],
    [['retrieval-request', 'dispute-answered', 'chargeback-created'], 0, ['open']],
    [['chargeback-created', 'dispute-answered', 'chargeback-created'], 0, []],
    [['retrieval-request', 'inquiry-closed'], 0, []],
    [['inquiry-closed', 'retrieval-request'], 0, []],
    [['inquiry-closed', 'chargeback-created'], 0, ['open']],
  ])('after %j, with %i refunded, evidence can decide %j', (steps, refundedMinor, expected) => {
    const payment = { ...afterSteps(completed(), ...steps), refundedMinor }
    expect(answerableDisputes(payment).map(({ status }) => status)).toEqual(expected)
  })

  test('is answered in the order of what the gateway tells, and keeps its reason to the end', () => {
    const told = (id: string, evidenceDueAt: number | null) => ({
      ...about('chargeback-created', id, 1_000),
      evidenceDueAt,
      reason: 'fraud',
      reportedAt: AT,
    })
    const open = afterReports(completed(), told('du_1', null), told('du_2', AT + 2), told('du_3', AT + 1)).payment
    expect(answerableDisputes(open).map(({ id }) => id)).toEqual(['du_3', 'du_2', 'du_1'])
    const again = { ...told('du_2', null), reason: null, reportedAt: AT + 9 }
    const [, kept] = afterReports(open, again).payment.disputes ?? []
    expect(kept).toMatchObject({ evidenceDueAt: AT + 2, reason: 'fraud', reportedAt: AT })
    const [, lost] = afterReports(open, { ...again, step: 'chargeback-lost' }).payment.disputes ?? []
    expect(lost).toMatchObject({ status: 'lost', evidenceDueAt: null, reason: 'fraud' })
  })

  test('about refunded money is one about the payment all the same', () => {
    const refunded = step(completed(), refundCommand(), 'approved').payment

    expect(afterSteps(refunded, 'chargeback-created')).toMatchObject({
      status: 'chargeback-initiated',
      refundedMinor: 2_900,
    })
  })
})

describe('while the issuer takes the money back', () => {
  const charged = afterSteps(partly(), 'chargeback-created')

  test('nothing is refunded, nor captured further', () => {
    expect(short(decide(charged, refundCommand(), AT))).toBe('request.validation.invalid-state')
    expect(short(decide(charged, partCommand(1), AT))).toBe('request.validation.invalid-state')
  })

  test('what is still reserved can be let go', () => {
    expect(step(charged, voidCommand(), 'approved').payment).toMatchObject({
      status: 'chargeback-initiated',
      voidedMinor: 1_900,
    })
  })

  test('what was sent before is booked, and leaves the status', () => {
    const sent = step(
      step(partly(), partCommand(900), 'open').payment,
      refundCommand(500, { operationId: 'tr_op_2' }),
      'open',
    )
    const then = afterSteps(sent.payment, 'chargeback-created')
    const ended = reportOutcome(reportOutcome(then, 'tr_op_1', 'approved').payment, 'tr_op_2', 'approved').payment

    expect(ended).toMatchObject({ status: 'chargeback-initiated', capturedMinor: 1_900, refundedMinor: 500 })
  })

  test('and once it was won, refunds are possible again', () => {
    expect(short(decide(afterSteps(charged, 'chargeback-won'), refundCommand(), AT))).toBe(1_000)
    expect(short(decide(afterSteps(charged, 'chargeback-lost'), refundCommand(), AT))).toBe(
      'request.validation.invalid-state',
    )
  })
})

describe('the disputes of a payment are told apart by the ids of the gateway', () => {
  const won = afterReports(completed(), about('chargeback-created'), about('chargeback-won')).payment

  test('a second one after the first was won takes the money back again: nothing of it can be refunded', () => {
    const { payment, fires } = afterReports(won, about('chargeback-created', 'du_2'))
    expect(fires).toEqual(['transaction.chargeback.created'])
    expect(payment).toMatchObject({ status: 'chargeback-initiated', needsAttention: false })
    expect(short(decide(payment, refundCommand(1), AT))).toBe('request.validation.invalid-state')
    expect(short(decide(won, refundCommand(1), AT))).toBe(1)
  })

  test.each([
    // The second is lost while the first is open, then the first is won: money is gone all the same.
    [['created du_1', 'created du_2', 'lost du_2'], 'chargeback-initiated', 2_000],
    [['created du_1', 'created du_2', 'lost du_2', 'won du_1'], 'reversed', 1_000],
    [['created du_1', 'created du_2', 'won du_2'], 'chargeback-initiated', 1_000],
    [['created du_1', 'created du_2', 'won du_2', 'won du_1'], 'solved', 0],
    [['created du_1', 'lost du_1', 'created du_2', 'lost du_2'], 'reversed', 2_000],
    // Each order of one dispute ends the same.
    [['lost du_1', 'created du_1'], 'reversed', 1_000],
    [['won du_1', 'created du_1'], 'solved', 0],
    [['won du_1', 'won du_1'], 'solved', 0],
    // A second chargeback of a dispute that was won.
    [['created du_1', 'won du_1', 'lost du_1'], 'reversed', 1_000],
  ] as const)('%j: %s, %i disputed', (story, status, disputed) => {
    const steps = story.map((words) => {
      const [step, id] = words.split(' ') as [string, string]
      return about(`chargeback-${step}` as DisputeStep, id, 1_000)
    })
    const { payment } = afterReports(completed(), ...steps)
    expect(payment).toMatchObject({ status, needsAttention: false })
    expect(disputedMinor(payment)).toBe(disputed)
  })

  test('the creation is told once, also where its end came first', () => {
    const lost = afterReports(completed(), about('chargeback-lost')).payment
    expect(afterReports(lost, about('chargeback-created')).fires).toEqual(['transaction.chargeback.created'])
  })
})

describe('a dispute over a part', () => {
  const open = afterReports(completed(), about('chargeback-created', 'du_1', 500)).payment

  test('leaves the rest to be refunded, and no more than that', () => {
    expect(refundableMinor(open)).toBe(2_400)
    expect(short(decide(open, refundCommand(2_400), AT))).toBe(2_400)
    expect(short(decide(open, refundCommand(2_401), AT))).toBe('request.validation.invalid-amount')
    expect(short(decide(open, refundCommand(null), AT))).toBe(2_400)
  })

  test('takes nothing that was refunded before', () => {
    const refunded = { ...open, refundedMinor: 2_600, status: 'chargeback-initiated' as const }
    expect(refundableMinor(refunded)).toBe(0)
    expect(short(decide(refunded, refundCommand(1), AT))).toBe('request.validation.invalid-state')
  })

  test('lets nothing more be captured', () => {
    const disputed = afterReports(partly(), about('chargeback-created', 'du_1', 500)).payment
    expect(short(decide(disputed, captureCommand(100), AT))).toBe('request.validation.invalid-state')
  })
})

function orders<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, index) => orders(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))
}

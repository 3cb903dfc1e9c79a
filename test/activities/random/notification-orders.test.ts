import { strict as assert } from 'node:assert'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { DisputeStep } from '../../../domain/dispute.ts'
import type { GatewayNotification } from '../../../domain/gateway-notification.ts'
import type { GatewayOperationType } from '../../../domain/operation.ts'
import { OperationEntity } from '../../../src/persistence/entities/operation.ts'
import { RefundEntity } from '../../../src/persistence/entities/refund.ts'
import { TransactionEntity } from '../../../src/persistence/entities/transaction.ts'
import { storeNotifications } from '../../../src/persistence/queries/payments/gateway-notifications.ts'
import { disputeNotification, outcomeNotification } from '../../support/gateway-notifications.ts'
import { actorForFile, databaseForFile } from '../../support/payment-for-file.ts'

const RUNS = 12
/** The same lives each time, so that a change is judged by itself. */
const SEED = 20_261_121
const SECONDS = 1000

/** How a call ends that the gateway has only noted. */
type End = 'approved' | 'declined' | 'approved, and fails later'

/** A payment's life from where the gateway only notes what it is asked. */
interface Life {
  /** 1,000 and, of what is left, 900. */
  captures: End[]
  isLastFinal: boolean
  /** Of the first capture, which is known to be approved then. */
  refunds: End[]
  inquiries: DisputeStep[]
  chargeback: DisputeStep[]
}

const endArb = fc.constantFrom<End>('approved', 'declined', 'approved, and fails later')
const chargebackArb = fc.constantFrom<DisputeStep[]>(
  [],
  ['chargeback-created'],
  ['chargeback-created', 'chargeback-won'],
  ['chargeback-created', 'chargeback-lost'],
)
const lifeArb: fc.Arbitrary<Life> = fc
  .record({
    captures: fc.array(endArb, { minLength: 1, maxLength: 2 }),
    isLastFinal: fc.boolean(),
    refunds: fc.array(endArb, { maxLength: 2 }),
    inquiries: fc.subarray<DisputeStep>(['retrieval-request', 'fraud-notification']),
    chargeback: chargebackArb,
  })
  .map((life) => {
    // What is refunded was captured, and nobody disputes one capture while another one turns out to have failed.
    const [first, ...others] = life.captures as [End, ...End[]]
    const isFirstKnown = life.refunds.length > 0 && first === 'declined'
    const captures: End[] = [isFirstKnown ? 'approved' : first, ...others]
    const isDisputable = captures.length === 1 || captures.every((end) => end === 'approved')
    return { ...life, captures, ...(isDisputable ? {} : { inquiries: [], chargeback: [] }) }
  })

const database = databaseForFile()
let words = 0

const actor = actorForFile(database, (gateway) => ({
  ...gateway,
  capture: async ({ reference }) => ({ kind: 'pending', gatewayOperationId: reference }),
  refund: async ({ reference }) => ({ kind: 'pending', gatewayOperationId: reference }),
  lookUp: async () => ({ kind: 'unreachable', reason: 'This gateway tells; it is not asked.' }),
}))

function reportsOf(
  type: GatewayOperationType,
  reference: string,
  amountMinor: number,
  end: End,
): GatewayNotification[] {
  const approved = outcomeNotification(type, reference, {
    ...{ kind: 'approved', gatewayOperationId: `psp_${reference}`, amountMinor, currency: 'EUR' },
  })
  const declined = outcomeNotification(type, reference, {
    ...{ kind: 'declined', code: 'gateway.declined', gatewayCode: 'failed' },
  })
  const failed =
    type === 'refund' && amountMinor === 300 ? disputeNotification('refund-failed', { reference }) : declined
  return end === 'approved' ? [approved] : end === 'declined' ? [declined] : [approved, failed]
}

/** Lives a life: what the merchant asks for, and then what the gateway tells, in the order that `arrange` gives it. */
async function live(
  life: Life,
  arrange: (told: GatewayNotification[]) => { word: GatewayNotification; isBooked: boolean }[],
) {
  const invoiceId = await actor.makeInvoice()
  const payment = actor.referenceOf(invoiceId)
  const { orm, clock } = actor.deps
  const transactionOf = () => orm.em.fork().findOneOrFail(TransactionEntity, { invoiceId })
  await actor.step(invoiceId, actor.build.authorize(await actor.makeSource()))
  const { gatewayConfigurationId, gatewayAuthorizationId } = await transactionOf()
  assert(gatewayConfigurationId != null && gatewayAuthorizationId != null)
  const account = { gatewayConfigurationId, projectId: actor.projectId, sandbox: true }
  const tell = (word: GatewayNotification) => storeNotifications(orm.em.fork(), account, [word], clock.now())
  const book = () => actor.activities.applyNotifications({ payment, at: clock.now().getTime() })

  const told: GatewayNotification[] = []
  for (const [index, end] of life.captures.entries()) {
    const isFinal = life.isLastFinal && index > 0
    const command = actor.build.capture(index === 0 ? 1_000 : 900, { isFinal, wantsRest: true })
    await actor.step(invoiceId, command)
    told.push(...reportsOf('capture', command.operationId, command.amountMinor ?? 0, end))
  }
  if (life.refunds.length > 0) {
    await tell(told.shift() as GatewayNotification)
    await book()
  }
  for (const [index, end] of life.refunds.entries()) {
    const command = actor.build.refund(index === 0 ? 300 : 700)
    await actor.step(invoiceId, command)
    told.push(...reportsOf('refund', command.operationId, command.amountMinor ?? 0, end))
  }
  for (const what of [...life.inquiries, ...life.chargeback])
    told.push(disputeNotification(what, { gatewayAuthorizationId }))

  for (const { word, isBooked } of arrange(told)) {
    await tell(word)
    words += 1
    if (isBooked) await book()
  }
  await book()
  // Told once more, when all is known.
  for (const word of told) await tell(word)
  await book()

  const transaction = await transactionOf()
  const operations = await orm.em.fork().find(OperationEntity, { transactionId: transaction.id })
  const refunds = await orm.em
    .fork()
    .find(RefundEntity, { transactionId: transaction.id }, { orderBy: { amountMinor: 1 } })
  const { capturedAt, chargedbackAt, authorizedMinor, capturedMinor, voidedMinor, refundedMinor } = transaction
  for (const [type, amount] of [
    ['capture', capturedMinor],
    ['void', voidedMinor],
    ['refund', refundedMinor],
  ] as const) {
    const rows = operations.filter((row) => row.type === type && row.isAccountable)
    const sum = rows.reduce((all, row) => all + (row.outcome === 'succeeded' ? row.amountMinor : -row.amountMinor), 0)
    assert.equal(sum, amount, `the rows of ${type} come to another sum than the payment`)
  }
  return {
    ...{ authorizedMinor, capturedMinor, voidedMinor, refundedMinor },
    status: transaction.status,
    needsAttention: transaction.needsAttention,
    capturesCount: transaction.capturesCount,
    inFlight: transaction.attemptsInFlight.length,
    orphans: transaction.orphans.length,
    isCaptured: capturedAt != null,
    isChargedBack: chargedbackAt != null,
    asked: [transaction.receivedRetrievalRequest, transaction.receivedFraudNotification],
    refunds: refunds.map(({ status }) => status),
  }
}

test(
  'what a gateway tells ends the same in any order and any number of times',
  async () => {
    await fc.assert(
      fc.asyncProperty(lifeArb, fc.infiniteStream(fc.nat()), async (life, chances) => {
        const next = () => chances.next().value as number
        const natural = await live(life, (told) => told.map((word) => ({ word, isBooked: true })))
        const other = await live(life, (told) =>
          [...told, ...told.filter(() => next() % 3 === 0)]
            .map((word) => ({ word, isBooked: next() % 2 === 0, place: next() }))
            .sort((one, two) => one.place - two.place),
        )
        expect(other).toEqual(natural)
        expect(natural.inFlight).toBe(0)
      }),
      { seed: SEED, numRuns: RUNS },
    )
    // A test that told nothing would show nothing.
    expect(words).toBeGreaterThan(RUNS)
  },
  300 * SECONDS,
)

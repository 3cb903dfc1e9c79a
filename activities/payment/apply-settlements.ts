import type { LookUp, Outcome } from '../../domain/operation.ts'
import { heldAttempts } from '../../domain/payment.ts'
import {
  GatewayNotificationEntity,
  type GatewayNotificationRow,
} from '../../src/persistence/entities/gateway-notification.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { OperationEntity, type OperationRow } from '../../src/persistence/entities/operation.ts'
import { TransactionEntity, type TransactionRow } from '../../src/persistence/entities/transaction.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import { claimNotifications, REFUND_FAILED } from '../../src/persistence/queries/payments/gateway-notifications.ts'
import { lockPayment } from '../../src/persistence/queries/payments/payment-lock.ts'
import type { PaymentReference } from '../../workflows/inputs.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { lookUpOnce } from './call-gateway.ts'
import { finishAttempt } from './record-outcome.ts'
import { configurationOf } from './records/configurations.ts'
import { reviseEnding } from './revise-ending.ts'

/** A gateway that is unreachable this long after it has said that there is something to look up is not asked again. */
const LOOK_UPS_FOR_MS = 24 * 60 * 60 * 1000

/** Something that the gateway says of a call. */
interface Word {
  attempt: OperationRow
  outcome: Outcome
  /** Of which kind of call the gateway says it: the capture of a sale is one with its authorization. */
  type: OperationRow['type']
  /** True where it was applied before. */
  isKnown: boolean
}

/**
 * Books what the gateway has told of calls of ours. Each word may come at any time and again: of an attempt that is in
 * flight it is the outcome, of one that has ended it is no news or a contradiction, which `reviseEnding` takes care of.
 */
export async function applySettlements(
  deps: PaymentActivityDeps,
  payment: PaymentReference,
  at: number,
): Promise<void> {
  const found = await deps.orm.em.fork().transactional((em) => findSettlements(em, payment))
  if (found === null) return
  const { transaction, operations, notices } = found
  const attempts = new Map(operations.filter(({ isAttempt }) => isAttempt).map((row) => [row.id, row]))
  const waiting = new Set<GatewayNotificationRow>()
  for (const notice of [...notices].sort((one, other) => rankOf(one) - rankOf(other))) {
    const attempt = attempts.get(notice.reference ?? '')
    const word = attempt === undefined ? null : wordOf(notice, attempt, transaction)
    if (word !== null && (await book(deps, payment, word, at)) === 'waiting') waiting.add(notice)
  }
  const wanted = notices.filter((notice) => notice.appliedAt == null && needsLookUp(notice))
  const isUnheard = wanted.length > 0 && (await lookUpAll(deps, payment, { ...found, wanted }, at))
  const giveUpBefore = deps.clock.now().getTime() - LOOK_UPS_FOR_MS
  if (isUnheard) for (const notice of wanted) if (notice.receivedAt.getTime() > giveUpBefore) waiting.add(notice)
  const applied = notices.filter((notice) => !waiting.has(notice))
  await deps.orm.em
    .fork()
    .nativeUpdate(
      GatewayNotificationEntity,
      { id: { $in: applied.map(({ id }) => id) }, appliedAt: null },
      { appliedAt: deps.clock.now() },
    )
}

interface Settlements {
  transaction: TransactionRow
  operations: OperationRow[]
  notices: GatewayNotificationRow[]
}

/**
 * What is not applied yet, and every failure of a capture: one that could not be taken back, because its money had been
 * refunded, can be once the refund has failed as well.
 */
async function findSettlements(em: EntityManager, reference: PaymentReference): Promise<Settlements | null> {
  const { projectId, invoiceId } = reference
  const owner = { projectId, sandbox: reference.environment === 'sandbox', invoiceId }
  const locked = await lockPayment(em, owner)
  if (locked?.transaction == null) return null
  const { transaction } = locked
  await claimNotifications(em, invoiceId, transaction.id)
  const notices = await em.find(
    GatewayNotificationEntity,
    {
      ...owner,
      $or: [
        { appliedAt: null, kind: { $in: ['settled', 'refund-failed'] } },
        { kind: 'settled', operationType: 'capture', outcome: { kind: 'declined' } },
      ],
    },
    { orderBy: { id: 'asc' } },
  )
  if (notices.length === 0) return null
  const operations = await em.find(OperationEntity, { transactionId: transaction.id }, { orderBy: { position: 'asc' } })
  return { transaction, operations, notices }
}

/** A failed capture comes last: it can be taken back once it is booked, and once nothing of its money is refunded. */
function rankOf({ kind, operationType, outcome }: GatewayNotificationRow): number {
  return kind === 'settled' && operationType === 'capture' && outcome?.kind === 'declined' ? 1 : 0
}

/** Null for what tells no outcome, and for what another account says of the call. */
function wordOf(notice: GatewayNotificationRow, attempt: OperationRow, transaction: TransactionRow): Word | null {
  const isOfAccount =
    (attempt.gatewayConfigurationId ?? transaction.gatewayConfigurationId) === notice.gatewayConfigurationId
  if (!isOfAccount || needsLookUp(notice)) return null
  const isKnown = notice.appliedAt != null
  if (notice.kind === 'refund-failed') return { attempt, type: 'refund', outcome: REFUND_FAILED, isKnown }
  const { outcome, operationType } = notice
  return outcome == null || operationType == null ? null : { attempt, outcome, type: operationType, isKnown }
}

function needsLookUp({ kind, outcome }: GatewayNotificationRow): boolean {
  return kind === 'settled' && (outcome == null || outcome.kind === 'unknown')
}

/** `waiting`: the word has come before something that it follows, or that decides what is to be done about it. */
async function book(
  deps: PaymentActivityDeps,
  payment: PaymentReference,
  { attempt, ...said }: Word,
  at: number,
): Promise<'booked' | 'waiting'> {
  const { outcome, type } = said
  const word = { attemptId: attempt.id, outcome, at, actor: 'gateway_webhook', step: null } as const
  if (type === attempt.type) await finishAttempt(deps, payment, word)
  const revision = await reviseEnding(deps, payment, { attemptId: attempt.id, at, ...said })
  if (revision === 'reopened') await finishAttempt(deps, payment, word)
  const isEarly = revision === 'in flight' && type !== attempt.type
  return isEarly || revision === 'waiting' ? 'waiting' : 'booked'
}

/**
 * Asks the gateway about all that a word may be about: Stripe tells of a capture under the reference of its authorization.
 * That an authorization has failed is asked again as well, since it may have been approved after all. Nothing is sent
 * again here: what the gateway never saw is for the look-ups of the schedule.
 *
 * @returns whether it did not answer.
 */
async function lookUpAll(
  deps: PaymentActivityDeps,
  payment: PaymentReference,
  { transaction, operations, wanted }: Settlements & { wanted: readonly GatewayNotificationRow[] },
  at: number,
): Promise<boolean> {
  const em = deps.orm.em.fork()
  const invoice = await em.findOneOrFail(InvoiceEntity, { id: payment.invoiceId })
  // Their outcomes may have been booked just now.
  const now = await em.findOneOrFail(TransactionEntity, { id: transaction.id })
  const inFlight = new Set(now.attemptsInFlight.map(({ operationId }) => operationId))
  const held = new Set(heldAttempts(now).map(({ operationId }) => operationId))
  const answers = await Promise.all(
    operations.map(async (attempt): Promise<LookUp | null> => {
      const own = wanted.filter(
        (notice) => notice.gatewayConfigurationId === (attempt.gatewayConfigurationId ?? now.gatewayConfigurationId),
      )
      const named = own.find(({ reference }) => reference === attempt.id)
      const mayBeMeant = inFlight.has(attempt.id)
        ? own.length > 0
        : named !== undefined && hasFailed(attempt, operations)
      if (!attempt.isAttempt || !mayBeMeant) return null
      const configuration = await configurationOf(deps.orm.em.fork(), attempt, now)
      const found = await lookUpOnce(deps, deps.gateways.find(configuration.gatewayName), {
        invoice,
        transaction: now,
        operation: attempt,
        card: null,
        configuration,
        source: null,
      })
      if (found.kind === 'found')
        await book(deps, payment, { attempt, outcome: found.outcome, type: attempt.type, isKnown: false }, at)
      // One that is in flight is looked up by its schedule all the same.
      return held.has(attempt.id) ? null : found
    }),
  )
  return answers.some((answer) => answer?.kind === 'unreachable')
}

function hasFailed({ id, type }: OperationRow, operations: readonly OperationRow[]): boolean {
  return type === 'authorization' && operations.some((row) => row.attemptOperationId === id && row.outcome === 'failed')
}

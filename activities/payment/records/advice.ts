import { isMerchantInitiated } from '../../../domain/initiation.ts'
import { blockOf } from '../../../domain/merchant-advice.ts'
import type { Outcome } from '../../../domain/operation.ts'
import type { InvoiceRow } from '../../../src/persistence/entities/invoice.ts'
import type { OperationRow } from '../../../src/persistence/entities/operation.ts'
import { liftBlocks, type NewBlock, setBlock } from '../../../src/persistence/queries/advice/advice-blocks.ts'
import { findCardOf } from '../../../src/persistence/queries/customers/cards.ts'
import type { Unit } from '../../../src/persistence/transact.ts'
import type { PaymentActivityDeps } from '../../dependencies.ts'

/** Only Mastercard's network gives merchant advice codes, so only its schemes have blocks to lift. */
const ADVISED_SCHEMES: ReadonlySet<string> = new Set(['mastercard', 'maestro'])

/**
 * Records the scheme's advice about retrying a card, in the database transaction of the outcome. A decline sets or extends a
 * block; an approval lifts the blocks that would have stopped it. Only authorizations with a card have blocks.
 * Uses the wall clock, since a block concerns other payments.
 */
export async function recordAdvice(
  { clock }: Pick<PaymentActivityDeps, 'clock'>,
  unit: Unit,
  { invoice, attempt, outcome }: { invoice: InvoiceRow; attempt: OperationRow; outcome: Outcome },
): Promise<void> {
  if (attempt.type !== 'authorization') return
  const policy = outcome.kind === 'declined' ? blockOf(outcome) : null
  if (policy === null && outcome.kind !== 'approved') return
  const card = await findCardOf(unit, attempt)
  if (card === null) return
  const { projectId, sandbox, amountMinor, currency, gatewayConfigurationId = null } = attempt
  const payment = { projectId, sandbox, cardFingerprint: card.fingerprint }
  const now = clock.now()
  if (outcome.kind === 'declined' && policy !== null) {
    const code = outcome.merchantAdviceCode ?? ''
    const reached: Pick<NewBlock, 'gatewayConfigurationId' | 'amount'> = {
      gatewayConfigurationId: policy.reach === 'gateway' ? gatewayConfigurationId : null,
      amount: policy.reach === 'card' ? null : { minor: amountMinor, currency },
    }
    // The merchant's answer shows `retryAfter`, so the block ends with it.
    const expiresAt = new Date(outcome.retryAfter ?? now.getTime() + policy.periodMs)
    const block = {
      ...payment,
      ...reached,
      code,
      network: 'mastercard',
      sourceOperationId: attempt.id,
      expiresAt,
    } as const
    return setBlock(unit, block, now)
  }
  if (!ADVISED_SCHEMES.has(attempt.schemeUsed ?? card.scheme)) return
  await liftBlocks(
    unit,
    { ...payment, gatewayConfigurationId, amountMinor, currency },
    { sentAt: attempt.createdAt, isMerchantInitiated: isMerchantInitiated(invoice) },
  )
}

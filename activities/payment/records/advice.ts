import { isMerchantInitiated } from '../../../domain/initiation.ts'
import { blockOf } from '../../../domain/merchant-advice.ts'
import type { Outcome } from '../../../domain/operation.ts'
import type { InvoiceRow } from '../../../src/persistence/entities/invoice.ts'
import type { OperationRow } from '../../../src/persistence/entities/operation.ts'
import { liftBlocks, type NewBlock, setBlock } from '../../../src/persistence/queries/advice/advice-blocks.ts'
import { findCardOf } from '../../../src/persistence/queries/customers/cards.ts'
import type { Unit } from '../../../src/persistence/transact.ts'
import type { PaymentActivityDeps } from '../../dependencies.ts'

/** Those whose network gives merchant advice codes, and so the only ones with a block to lift. */
const ADVISED_SCHEMES: ReadonlySet<string> = new Set(['mastercard', 'maestro'])

/**
 * Remembers what a scheme has said about trying a card again, in the database transaction that records the outcome: a decline
 * sets or extends its block, an approval lifts those that would have stopped it. Payments without a card have no block, and
 * neither have steps after the authorization. By the wall clock, since it is about other payments.
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
    // The instant that the merchant is told, where one is.
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

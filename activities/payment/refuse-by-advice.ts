import { isMerchantInitiated } from '../../domain/initiation.ts'
import { reaches, refusedByBlocks } from '../../domain/merchant-advice.ts'
import { isCounted, refusedByNetwork } from '../../domain/network-limits.ts'
import type { Outcome } from '../../domain/operation.ts'
import { findAdvice } from '../../src/persistence/queries/advice/advice-blocks.ts'
import { countDeclines } from '../../src/persistence/queries/advice/count-declines.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import type { Attempt } from './attempt.ts'

/**
 * The decline of an authorization that the scheme's advice or a network limit forbids at this gateway; null if it may be
 * sent. For a call that may have been sent already it only prevents a repeat: its outcome is known to the gateway alone.
 */
export async function refuseByAdvice(
  { orm, clock }: Pick<PaymentActivityDeps, 'orm' | 'clock'>,
  { invoice, operation, card, source }: Attempt,
): Promise<Outcome | null> {
  if (card === null || operation.type !== 'authorization') return null
  const { projectId, sandbox, amountMinor, currency, gatewayConfigurationId = null } = operation
  const now = clock.now()
  const payment = { projectId, sandbox, cardFingerprint: card.fingerprint, amountMinor, currency }
  const { blocks, options } = source?.advice ?? (await findAdvice(orm.em.fork(), payment, now))
  const reaching = blocks.filter((block) => reaches(block, { gatewayConfigurationId, amountMinor, currency }))
  const overridesAdvice = operation.overridesAdvice === true
  const blocked = overridesAdvice
    ? null
    : refusedByBlocks(reaching, { isMerchantInitiated: isMerchantInitiated(invoice), options })
  if (blocked !== null) return { kind: 'declined', ...blocked }
  const scheme = operation.schemeUsed ?? card.scheme
  if (!options.enforcesNetworkLimits || !isCounted(scheme)) return null
  const counts = await countDeclines(orm.em.fork(), { ...payment, scheme }, now)
  const refused = refusedByNetwork(counts, { scheme, limits: options, overridesAdvice })
  return refused === null ? null : { kind: 'declined', ...refused }
}

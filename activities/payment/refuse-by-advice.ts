import { isMerchantInitiated } from '../../domain/initiation.ts'
import { reaches, refusedByBlocks } from '../../domain/merchant-advice.ts'
import { isCounted, refusedByNetwork } from '../../domain/network-limits.ts'
import type { Outcome } from '../../domain/operation.ts'
import { findAdvice } from '../../src/persistence/queries/advice/advice-blocks.ts'
import { countDeclines } from '../../src/persistence/queries/advice/count-declines.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import type { Attempt } from './attempt.ts'

/**
 * The refusal of an authorization that earlier advice of the scheme, or a limit of the network, keeps from this gateway; null
 * where it may be sent. Of a call that may have been made already it is no
 * outcome, since only its gateway can say what became of that; it only keeps the call from being sent again.
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

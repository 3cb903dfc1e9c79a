import type { CardSecurityCodeRow } from '../../persistence/entities/card-security-code.ts'
import type { AppDeps } from '../dependencies.ts'

/**
 * How long a security code waits for its authorization: longer than a checkout takes. Past the authorization none may be
 * kept at all (PCI DSS 3.3.1).
 */
const VALIDITY_MS = 60 * 60 * 1000

/** A security code as it is kept until the authorization. */
export function sealedSecurityCode(
  { vault, clock }: Pick<AppDeps, 'vault' | 'clock'>,
  card: { id: string; projectId: string; sandbox: boolean },
  securityCode: string,
): CardSecurityCodeRow {
  return {
    cardId: card.id,
    projectId: card.projectId,
    sandbox: card.sandbox,
    ...vault.sealSecurityCode(card.id, securityCode),
    expiresAt: new Date(clock.now().getTime() + VALIDITY_MS),
  }
}

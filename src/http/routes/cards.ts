import { makeIdentifier } from '../../../domain/identifiers.ts'
import { createCard as insertCard } from '../../persistence/queries/create-card.ts'
import { findCard } from '../../persistence/queries/find-card.ts'
import { presentCard } from '../../presenters/card.ts'
import { ApiError } from '../api-error.ts'
import { iinOf, schemeOf } from '../card-schemes.ts'
import { type ApiMiddleware, callerOf, scopeOf } from '../context.ts'
import type { AppDeps, CardDescription } from '../dependencies.ts'
import { bodyOf } from '../middleware/body.ts'
import { readCardInput } from '../schemas/card-input.ts'
import { identifierIn } from '../schemas/identifier.ts'

/**
 * How long a security code waits for its authorization: longer than a checkout takes. Past the authorization none may be
 * kept at all (PCI DSS 3.3.1).
 */
const SECURITY_CODE_VALIDITY_MS = 60 * 60 * 1000

/** Takes a card: the number goes to the vault and comes out as an id. The sandbox takes its test cards only. */
export function createCard({ orm, vault, clock, randomBytes, describeTestCard }: AppDeps): ApiMiddleware {
  return async (ctx) => {
    const { projectId, sandbox } = callerOf(ctx)
    const input = readCardInput(bodyOf(ctx), (number) => !sandbox || describeTestCard(number) !== null)
    const { number, cvc2 } = input
    const id = makeIdentifier('card', randomBytes)
    const now = clock.now()
    const sealed = vault.sealNumber(id, number)
    const owner = { projectId, sandbox }
    const row = {
      ...owner,
      id,
      ...(sandbox ? (describeTestCard(number) ?? describe(number)) : describe(number)),
      preferredScheme: input.preferred_scheme,
      iin: iinOf(number),
      last4Digits: number.slice(-4),
      fingerprint: vault.fingerprint(projectId, number),
      expMonth: input.exp_month,
      expYear: input.exp_year,
      name: input.name,
      checks: null,
      metadata: input.metadata,
      numberCiphertext: sealed.ciphertext,
      numberKeyId: sealed.keyId,
      usedByInvoiceId: null,
      createdAt: now,
      updatedAt: now,
    }
    const expiresAt = new Date(now.getTime() + SECURITY_CODE_VALIDITY_MS)
    const securityCode = cvc2 === null ? null : { ...owner, cardId: id, ...vault.sealSecurityCode(id, cvc2), expiresAt }
    await insertCard(orm.em.fork(), row, securityCode)
    ctx.body = { success: true, card: presentCard(row) }
  }
}

export function retrieveCard({ orm }: Pick<AppDeps, 'orm'>): ApiMiddleware {
  return async (ctx) => {
    const id = identifierIn(ctx, 'card', 'resource.card.not-found')
    const row = await findCard(orm.em.fork(), scopeOf(ctx), id)
    if (row === null) throw new ApiError('resource.card.not-found')
    ctx.body = { success: true, card: presentCard(row) }
  }
}

/** Without the issuer's tables, a number tells its scheme only. */
function describe(number: string): Omit<CardDescription, 'type'> & { type: null } {
  return { scheme: schemeOf(number), coScheme: null, countryCode: null, type: null }
}

import { type ErrorCode, isPassing } from '../../../domain/errors.ts'
import { makeIdentifier } from '../../../domain/identifiers.ts'
import { isMerchantInitiated } from '../../../domain/initiation.ts'
import type { Decline, Outcome } from '../../../domain/operation.ts'
import { presentTokenEventData } from '../../../src/objects/event.ts'
import type { CardRow } from '../../../src/persistence/entities/card.ts'
import { CustomerTokenEntity, type CustomerTokenRow } from '../../../src/persistence/entities/customer-token.ts'
import type { InvoiceRow } from '../../../src/persistence/entities/invoice.ts'
import type { OperationRow } from '../../../src/persistence/entities/operation.ts'
import { findUsableToken, insertTokenForCard } from '../../../src/persistence/queries/customers/customer-tokens.ts'
import { findCustomer, holdCustomer } from '../../../src/persistence/queries/customers/customers.ts'
import { type Changes, fireProjectEvent } from '../../../src/persistence/queries/webhooks/project-event.ts'
import type { Unit } from '../../../src/persistence/transact.ts'

interface TokenOutcome {
  invoice: InvoiceRow
  attempt: OperationRow
  card: CardRow | null
  outcome: Outcome
}

/**
 * Updates the stored source after the final outcome of an authorization. A card that the merchant asked to save becomes a
 * token. A token gets the scheme's id of its first payment. A verification marks its token as verified or failed.
 *
 * @returns the id of a new token, if one was created.
 */
export async function recordToken(changes: Changes, unit: Unit, about: TokenOutcome): Promise<string | null> {
  const { attempt, invoice, outcome } = about
  if (attempt.type !== 'authorization') return null
  if (attempt.tokenId == null) return outcome.kind === 'approved' ? saveSource(changes, unit, about) : null
  const token = await findUsableToken(unit, invoice, attempt.tokenId)
  if (token === null || !(invoice.verification || mayTeach(token, about))) return null
  // Every change of a token locks the customer first. The token is read again under that lock.
  if (!(await holdCustomer(unit, invoice, token.customerId))) return null
  await unit.refresh(CustomerTokenEntity, token)
  if (outcome.kind === 'approved' && mayTeach(token, about)) rememberSchemeId(changes, unit, token, attempt, outcome)
  if (invoice.verification) await recordVerification(changes, unit, token, about)
  return null
}

/** For each scheme the customer's first payment counts: later merchant-initiated payments refer to it. */
function mayTeach(token: CustomerTokenRow, { attempt: { schemeUsed }, invoice, outcome }: TokenOutcome): boolean {
  const isKnown = schemeUsed == null || token.schemeTransactionIds[schemeUsed] !== undefined
  return outcome.kind === 'approved' && !isKnown && !isMerchantInitiated(invoice)
}

async function saveSource(changes: Changes, unit: Unit, about: TokenOutcome): Promise<string | null> {
  const { attempt, invoice, card, outcome } = about
  if (attempt.saveSource !== true || card === null || invoice.customerId == null || outcome.kind !== 'approved')
    return null
  const now = changes.clock.now()
  const { schemeUsed } = attempt
  const { schemeTransactionId } = outcome
  const token = await insertTokenForCard(unit, {
    id: makeIdentifier('token', changes.randomBytes),
    customerId: invoice.customerId,
    card,
    paidInvoiceId: invoice.id,
    schemeTransactionIds:
      schemeUsed == null || schemeTransactionId === undefined
        ? {}
        : { [schemeUsed]: { id: schemeTransactionId, obtained_at: now.toISOString() } },
    now,
  })
  if (token === null) return null
  // A separate statement claimed the card. The event must show the card after that.
  unit.update(card, { usedByTokenId: token.id, updatedAt: now })
  await recordTokenEvent(changes, unit, token, card, 'customer.token.created')
  return token.id
}

function rememberSchemeId(
  { clock }: Changes,
  unit: Unit,
  token: CustomerTokenRow,
  { schemeUsed }: OperationRow,
  { schemeTransactionId }: Extract<Outcome, { kind: 'approved' }>,
): void {
  if (schemeUsed == null || schemeTransactionId === undefined) return
  const now = clock.now()
  const obtained = { id: schemeTransactionId, obtained_at: now.toISOString() }
  unit.update(token, {
    schemeTransactionIds: { ...token.schemeTransactionIds, [schemeUsed]: obtained },
    updatedAt: now,
  })
}

/** Refusals of the account, whatever the source. */
const OF_ACCOUNT: ReadonlySet<string> = new Set<ErrorCode>([
  'gateway.configuration-error',
  'gateway.forbidden',
  'gateway.invalid-merchant',
  'gateway.not-allowed',
  'gateway.unsupported-currency',
])

/** Whether a decline judges the source: neither a gateway or issuer out of reach nor the account's rights do. */
function isOfSource({ code, isNotSent }: Decline): boolean {
  return isNotSent !== true && !isPassing(code) && !OF_ACCOUNT.has(code)
}

async function recordVerification(
  changes: Changes,
  unit: Unit,
  token: CustomerTokenRow,
  { card, outcome }: TokenOutcome,
): Promise<void> {
  if (outcome.kind !== 'approved' && outcome.kind !== 'declined') return
  unit.update(token, {
    verificationStatus: outcome.kind === 'approved' ? 'success' : 'failed',
    // A refused source is not charged until another verification succeeds; one that nobody has judged stays as it is.
    ...(outcome.kind === 'approved' ? { isChargeable: true } : isOfSource(outcome) && { isChargeable: false }),
    updatedAt: changes.clock.now(),
  })
  await recordTokenEvent(changes, unit, token, card, 'customer.token.updated')
}

async function recordTokenEvent(
  changes: Changes,
  unit: Unit,
  token: CustomerTokenRow,
  card: CardRow | null,
  name: 'customer.token.created' | 'customer.token.updated',
): Promise<void> {
  const { projectId, sandbox, customerId } = token
  const scope = { projectId, sandbox }
  const customer = await findCustomer(unit, scope, customerId)
  if (customer === null) return
  const data = presentTokenEventData(name, { token, customer, card }, changes.clock.now())
  await fireProjectEvent(unit, changes, {
    scope,
    name,
    data,
    customerId,
    targets: { kind: 'all', ownUrl: token.webhookUrl ?? null },
  })
}

import { iinOf, schemeOf } from '../../../domain/card-number.ts'
import { makeIdentifier } from '../../../domain/identifiers.ts'
import { ApiError, invalidState } from '../../http/api-error.ts'
import { refuseMerchantFields } from '../../http/clients/merchant-only.ts'
import { type ApiContext, callerOf, scopeOf } from '../../http/context.ts'
import type { AppDeps, CardDescription } from '../../http/dependencies.ts'
import { columnsOf } from '../../http/input/columns.ts'
import { foundIn, identifierIn, notFound } from '../../http/input/identifier.ts'
import { bodyOf } from '../../http/middleware/body.ts'
import { presentCard } from '../../objects/card.ts'
import { presentCardEventData } from '../../objects/event.ts'
import type { CardRow } from '../../persistence/entities/card.ts'
import type { CardSecurityCodeRow } from '../../persistence/entities/card-security-code.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import {
  eraseCards,
  findCard,
  createCard as insertCard,
  lockCard,
  replaceSecurityCode,
} from '../../persistence/queries/customers/cards.ts'
import {
  deleteToken,
  findTokenOfCard,
  findTokenOfCustomer,
} from '../../persistence/queries/customers/customer-tokens.ts'
import { lockCustomer } from '../../persistence/queries/customers/customers.ts'
import { paysBesideSimulator } from '../../persistence/queries/projects/gateway-configurations.ts'
import { type Changes, fireProjectEvent } from '../../persistence/queries/webhooks/project-event.ts'
import type { Change } from '../change.ts'
import { recordTokenEvent } from '../tokens/token-event.ts'
import { CARD_CHANGES, type CardInput, CLIENT_CARD_FIELDS, readCardChanges, readCardInput } from './card-input.ts'

/**
 * Stores a card: the vault keeps the number, and the merchant gets an id. A sandbox whose payments all go to the simulator
 * accepts the simulator's test cards only; other gateways have their own.
 */
export async function createCard({ deps, ctx, em }: Change) {
  const { clock, describeTestCard } = deps
  const { sandbox } = callerOf(ctx)
  const acceptsAll = !sandbox || (await paysBesideSimulator(em, scopeOf(ctx)))
  const isAccepted = (number: string) => acceptsAll || describeTestCard(number) !== null
  const input = readCardInput(bodyOf(ctx), isAccepted, clock.now())
  const row = newCard(deps, ctx, input)
  const securityCode = input.cvc2 === null ? null : encryptedSecurityCode(deps, row, input.cvc2)
  await insertCard(em, row, securityCode)
  return { card: presentCard(row, clock.now()) }
}

/**
 * Changes the preferred scheme, the security code, the name or the metadata of a card. A client may change the first two,
 * and only of an unsaved card: a saved card is also the merchant's.
 */
export async function updateCard({ deps, ctx, em, changes }: Change) {
  const { clock } = deps
  const id = identifierIn(ctx, 'card')
  refuseMerchantFields(ctx, CARD_CHANGES, CLIENT_CARD_FIELDS)
  const { cvc2, ...columns } = readCardChanges(bodyOf(ctx))
  const row = await lockCard(em, scopeOf(ctx), id)
  if (row === null) throw notFound('card')
  if (row.usedByTokenId != null && callerOf(ctx).kind === 'client')
    throw invalidState('The card is saved to a customer; changing it needs a secret key.')
  if (cvc2 != null) {
    // PCI DSS 3.3.1: a security code that can no longer be used for an authorization must not be stored.
    if (row.numberErasedAt != null || (row.hasBeenAuthorized && row.usedByTokenId == null))
      throw invalidState('The card cannot be authorized again, so that it takes no security code.')
    await replaceSecurityCode(em, encryptedSecurityCode(deps, row, cvc2))
    em.assign(row, { cvcTokenized: true, updateType: 'new-cvc2', updateReasonCode: 'request' })
  }
  em.assign(row, { ...columnsOf(columns), updatedAt: clock.now() })
  const token = await findTokenOfCard(em, scopeOf(ctx), id)
  const data = presentCardEventData('card.updated', row, clock.now())
  const customerId = token?.customerId ?? null
  await fireProjectEvent(em, changes, { scope: scopeOf(ctx), name: 'card.updated', data, customerId })
  return { card: presentCard(row, clock.now()) }
}

/** Deletes for good: number, security code, holder, and the token made from the card. */
export async function deleteCard({ deps, ctx, em, changes }: Change) {
  const { id } = await foundIn(ctx, 'card', (scope, named) => findCard(em, scope, named))
  if (await deleteTokenOf(changes, ctx, em, id)) return {}
  const row = await lockCard(em, scopeOf(ctx), id)
  if (row === null) throw notFound('card')
  // The card became a token between the two reads.
  if (row.usedByTokenId != null) throw new ApiError('request.still-processing')
  await eraseCards(em, scopeOf(ctx), [id], deps.clock.now())
  return {}
}

/** @returns false for a card without a token. */
async function deleteTokenOf(changes: Changes, ctx: ApiContext, em: EntityManager, cardId: string): Promise<boolean> {
  const scope = scopeOf(ctx)
  const found = await findTokenOfCard(em, scope, cardId)
  const customer = found === null ? null : await lockCustomer(em, scope, found.customerId)
  const token = found === null || customer === null ? null : await findTokenOfCustomer(em, customer, found.id)
  if (customer === null || token === null) return false
  await deleteToken(em, customer, token, changes.clock.now())
  await recordTokenEvent(em, changes, 'customer.token.deleted', { token, customer, card: null })
  return true
}

/**
 * How long a security code waits for its authorization: longer than a checkout takes. After the authorization it must not
 * be stored (PCI DSS 3.3.1).
 */
const SECURITY_CODE_VALIDITY_MS = 60 * 60 * 1000

/** A security code as it is stored until the authorization. */
function encryptedSecurityCode(
  { vault, clock }: AppDeps,
  { id: cardId, projectId, sandbox }: CardRow,
  securityCode: string,
): CardSecurityCodeRow {
  const expiresAt = new Date(clock.now().getTime() + SECURITY_CODE_VALIDITY_MS)
  return { cardId, projectId, sandbox, ...vault.encryptSecurityCode(cardId, securityCode), expiresAt }
}

function newCard({ vault, clock, randomBytes, describeTestCard }: AppDeps, ctx: ApiContext, input: CardInput): CardRow {
  const { projectId, sandbox } = callerOf(ctx)
  const { number } = input
  const id = makeIdentifier('card', randomBytes)
  const now = clock.now()
  const encrypted = vault.encryptNumber(id, number)
  return {
    id,
    projectId,
    sandbox,
    ...(sandbox ? (describeTestCard(number) ?? describe(number)) : describe(number)),
    bankName: null,
    brand: null,
    category: null,
    preferredScheme: input.preferred_scheme,
    iin: iinOf(number),
    last4Digits: number.slice(-4),
    fingerprint: vault.fingerprint(projectId, number),
    expMonth: input.exp_month,
    expYear: input.exp_year,
    name: input.name,
    ...input.holder,
    cvcTokenized: input.cvc2 !== null,
    hasBeenAuthorized: false,
    updateType: null,
    updateReasonCode: null,
    checks: null,
    metadata: input.metadata,
    numberCiphertext: encrypted.ciphertext,
    numberKeyId: encrypted.keyId,
    numberErasedAt: null,
    usedByInvoiceId: null,
    usedByTokenId: null,
    expiryAnnounced: null,
    deletedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

/** Without the issuer's tables, a number only reveals its scheme. */
function describe(number: string): Omit<CardDescription, 'type'> & { type: null } {
  return { scheme: schemeOf(number), coScheme: null, countryCode: null, type: null }
}

import type { ErrorCode } from '../../../domain/errors.ts'
import { invalidField } from '../../http/input/input.ts'
import type { CustomerTokenRow } from '../../persistence/entities/customer-token.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { findCard } from '../../persistence/queries/customers/cards.ts'
import { columnsOfCard, takeCardForToken } from '../../persistence/queries/customers/customer-tokens.ts'
import type { TokenSource } from './token-input.ts'

/**
 * Attaches a source to a token; a card is claimed for good.
 *
 * @returns the token's columns that follow from the source.
 * @throws ApiError where the source is unknown or already used.
 */
export async function attachSource(
  em: EntityManager,
  token: CustomerTokenRow,
  source: TokenSource,
  now: Date,
): Promise<Partial<CustomerTokenRow>> {
  if (token.type !== 'pending') {
    if (source.kind === 'card' && source.id === token.cardId) return {}
    throw wrong('is there already; a token keeps its source', 'request.validation.invalid-state')
  }
  if (source.kind === 'gateway-request') {
    return { type: 'gateway_token', gatewayToken: source.word, isChargeable: true, description: 'gateway token' }
  }
  const { projectId, sandbox } = token
  const card = await findCard(em, { projectId, sandbox }, source.id)
  if (card === null) throw wrong('is not a card of this project', 'resource.card.not-found')
  if (!(await takeCardForToken(em, card, { tokenId: token.id, paidInvoiceId: null, now }))) {
    // Read again: it may have been erased a moment ago.
    const isErased = ((await findCard(em, { projectId, sandbox }, source.id))?.numberErasedAt ?? null) !== null
    throw isErased
      ? wrong('is a card whose number was erased; create the card again', 'request.source.invalid')
      : wrong('is a card that was already used; create the card again', 'request.source.card-already-used')
  }
  return columnsOfCard(card)
}

const wrong = (message: string, code: ErrorCode) => invalidField('source', message, code)

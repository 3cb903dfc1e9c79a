import { makeIdentifier } from '../../../domain/identifiers.ts'
import { type ApiContext, scopeOf } from '../../http/context.ts'
import { foundIn } from '../../http/input/identifier.ts'
import { invalidField } from '../../http/input/input.ts'
import { bodyOf } from '../../http/middleware/body.ts'
import { presentCustomer } from '../../objects/customer.ts'
import { eraseEventData } from '../../objects/erased-event.ts'
import { presentCustomerEventData } from '../../objects/event.ts'
import { CustomerEntity, type CustomerRow } from '../../persistence/entities/customer.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { findTokenOfCustomer } from '../../persistence/queries/customers/customer-tokens.ts'
import { lockCustomer } from '../../persistence/queries/customers/customers.ts'
import { eraseCustomer, nobody } from '../../persistence/queries/customers/erase-customer.ts'
import type { Scope } from '../../persistence/queries/scope.ts'
import { type Changes, fireProjectEvent } from '../../persistence/queries/webhooks/project-event.ts'
import type { Change } from '../change.ts'
import { recordTokenEvents } from '../tokens/token-event.ts'
import { type CustomerColumns, readCustomerChanges, readNewCustomer } from './customer-input.ts'

export async function createCustomer({ ctx, em, changes }: Change) {
  const row = await addCustomer(changes, em, scopeOf(ctx), readNewCustomer(bodyOf(ctx)))
  return { customer: presentCustomer(row) }
}

export async function updateCustomer({ deps, ctx, em, changes }: Change) {
  const row = await lockCustomerIn(ctx, em)
  const given = readCustomerChanges(bodyOf(ctx), row)
  const { defaultTokenId } = given
  if (defaultTokenId != null && (await findTokenOfCustomer(em, row, defaultTokenId)) === null)
    throw invalidField('default_token_id', 'is not a token of this customer', 'resource.token.not-found')
  em.assign(row, { ...given, updatedAt: deps.clock.now() })
  await recordCustomerEvent(changes, em, 'customer.updated', row)
  return { customer: presentCustomer(row) }
}

/** Deletes for good, with tokens and card numbers; the rows stay without personal data. */
export async function deleteCustomer({ deps, ctx, em, changes }: Change) {
  const erasure = { now: deps.clock.now(), erase: eraseEventData }
  // The events show the erased rows, so that no personal data is written again.
  const { customer, tokens } = await foundIn(ctx, 'customer', (scope, id) => eraseCustomer(em, scope, id, erasure))
  const sources = tokens.map((token) => ({ token, card: null }))
  await recordTokenEvents(em, changes, 'customer.token.deleted', { customer, sources })
  await recordCustomerEvent(changes, em, 'customer.deleted', customer)
  return {}
}

/** Writes a customer with the given fields, and its event. */
export async function addCustomer(
  events: Changes,
  em: EntityManager,
  scope: Scope,
  given: CustomerColumns,
): Promise<CustomerRow> {
  const now = events.clock.now()
  const row = {
    ...nobody(em),
    ...blankCustomer(now),
    ...given,
    ...scope,
    id: makeIdentifier('customer', events.randomBytes),
  }
  await em.insert(CustomerEntity, row)
  await recordCustomerEvent(events, em, 'customer.created', row)
  return row
}

/** Locks the customer in the address until the database transaction ends. */
export function lockCustomerIn(ctx: ApiContext, em: EntityManager): Promise<CustomerRow> {
  return foundIn(ctx, 'customer', (scope, id) => lockCustomer(em, scope, id))
}

async function recordCustomerEvent(
  events: Changes,
  em: EntityManager,
  name: 'customer.created' | 'customer.updated' | 'customer.deleted',
  row: CustomerRow,
): Promise<void> {
  const data = presentCustomerEventData(name, row)
  await fireProjectEvent(em, events, { scope: row, name, data, customerId: row.id })
}

function blankCustomer(now: Date) {
  return {
    isBusiness: false,
    currency: null,
    balanceMinor: 0,
    registeredAt: now,
    deletedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

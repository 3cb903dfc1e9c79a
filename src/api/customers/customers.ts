import { makeIdentifier } from '../../../domain/identifiers.ts'
import { type ApiContext, type ApiMiddleware, scopeOf } from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { mutation } from '../../http/idempotency.ts'
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
import { recordTokenEvents } from '../tokens/token-event.ts'
import { type CustomerColumns, readCustomerChanges, readNewCustomer } from './customer-input.ts'

export function createCustomer(deps: AppDeps): ApiMiddleware {
  return mutation(deps, async (ctx, em, events) => {
    const row = await addCustomer(events, em, scopeOf(ctx), readNewCustomer(bodyOf(ctx)))
    return { success: true, customer: presentCustomer(row) }
  })
}

export function updateCustomer(deps: AppDeps): ApiMiddleware {
  return mutation(deps, async (ctx, em, events) => {
    const row = await lockCustomerIn(ctx, em)
    const changes = readCustomerChanges(bodyOf(ctx), row)
    const { defaultTokenId } = changes
    if (defaultTokenId != null && (await findTokenOfCustomer(em, row, defaultTokenId)) === null)
      throw invalidField('default_token_id', 'is not a token of this customer', 'resource.token.not-found')
    em.assign(row, { ...changes, updatedAt: deps.clock.now() })
    await recordCustomerEvent(events, em, 'customer.updated', row)
    return { success: true, customer: presentCustomer(row) }
  })
}

/** Deletes for good, with tokens and card numbers; the rows stay without personal data. */
export function deleteCustomer(deps: AppDeps): ApiMiddleware {
  return mutation(deps, async (ctx, em, events) => {
    const erasure = { now: deps.clock.now(), erase: eraseEventData }
    // The events show the erased rows, so that no personal data is written again.
    const { customer, tokens } = await foundIn(ctx, 'customer', (scope, id) => eraseCustomer(em, scope, id, erasure))
    const sources = tokens.map((token) => ({ token, card: null }))
    await recordTokenEvents(em, events, 'customer.token.deleted', { customer, sources })
    await recordCustomerEvent(events, em, 'customer.deleted', customer)
    return { success: true }
  })
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

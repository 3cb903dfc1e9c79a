import { randomBytes } from 'node:crypto'
import type { Environment } from '../../domain/environment.ts'
import { makeIdentifier } from '../../domain/identifiers.ts'
import { DeliveryEntity } from '../../src/persistence/entities/delivery.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { ProjectEntity } from '../../src/persistence/entities/project.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import type { Orm } from '../../src/persistence/orm.ts'

import { INVOICE_DEFAULTS, TRANSACTION_DEFAULTS } from '../support/row-defaults.ts'

export interface SeededEvent {
  projectId: string
  environment: Environment
  eventId: string
  run: number
  /** One for each target, in their order. */
  deliveryIds: string[]
}

/**
 * Writes an event `transaction.captured`, with all that a row of it refers to, and a delivery for each target.
 *
 * @param project whose event it is; a new one's when absent.
 */
export async function seedEvent(orm: Orm, targets: readonly string[], project?: string): Promise<SeededEvent> {
  const em = orm.em.fork()
  const id = (kind: Parameters<typeof makeIdentifier>[0]) => makeIdentifier(kind, randomBytes)
  const projectId = project ?? id('project')
  const [invoiceId, transactionId, eventId] = [id('invoice'), id('transaction'), id('event')]
  const owner = { projectId, sandbox: true }
  const createdAt = new Date()
  const money = { currency: 'EUR', amountMinor: 1250 }
  // One by one, because the entities do not know of the foreign keys between their tables.
  if (project === undefined) em.create(ProjectEntity, { id: projectId, name: 'Shop', createdAt })
  await em.flush()
  const gateway = em.create(GatewayConfigurationEntity, {
    ...owner,
    id: id('gatewayConfiguration'),
    gatewayName: 'simulator',
    name: 'Simulator',
    enabled: true,
    createdAt,
  })
  await em.flush()
  em.create(InvoiceEntity, {
    ...INVOICE_DEFAULTS,
    ...owner,
    ...money,
    id: invoiceId,
    createdAt,
    updatedAt: createdAt,
  })
  await em.flush()
  em.create(TransactionEntity, {
    ...TRANSACTION_DEFAULTS,
    ...owner,
    ...money,
    id: transactionId,
    invoiceId,
    gatewayConfigurationId: gateway.id,
    status: 'completed',
    authorizedMinor: 1250,
    capturedMinor: 1250,
    eventCount: 1,
    createdAt,
    updatedAt: createdAt,
  })
  await em.flush()
  em.create(EventEntity, {
    ...owner,
    id: eventId,
    name: 'transaction.captured',
    invoiceId,
    transactionId,
    sequence: 1,
    data: {},
    firedAt: createdAt,
  })
  await em.flush()
  const deliveryIds = targets.map((targetUrl) => {
    const delivery = {
      ...owner,
      id: id('delivery'),
      eventId,
      targetUrl,
      status: 'pending' as const,
      queuedAt: createdAt,
      createdAt,
    }
    em.create(DeliveryEntity, delivery)
    return delivery.id
  })
  await em.flush()
  return { projectId, environment: 'sandbox', eventId, run: 0, deliveryIds }
}

import { exampleEvent } from '../../src/api/examples/events.ts'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { CustomerEntity } from '../../src/persistence/entities/customer.ts'
import { CustomerTokenEntity } from '../../src/persistence/entities/customer-token.ts'
import { DeliveryEntity } from '../../src/persistence/entities/delivery.ts'
import { DeliveryAttemptEntity } from '../../src/persistence/entities/delivery-attempt.ts'
import { EventEntity, type EventRow } from '../../src/persistence/entities/event.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { RefundEntity } from '../../src/persistence/entities/refund.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { WebhookEndpointEntity } from '../../src/persistence/entities/webhook-endpoint.ts'
import type { ListEntity } from '../../src/persistence/queries/lists/list-entity.ts'
import { CARD_DEFAULTS, INVOICE_DEFAULTS, TRANSACTION_DEFAULTS } from '../support/row-defaults.ts'
import type { Interface, Merchant } from './interface.ts'

/** Puts rows of a merchant into the database, as payments would; `id` is one of the row's own. */
export interface RowWriter {
  invoice(id: string, fields?: object): Promise<void>
  card(id: string, fields?: object): Promise<void>
  /** A transaction of an invoice that is there. */
  transaction(id: string, invoiceId: string, fields?: object): Promise<void>
  operation(id: string, transactionId: string, fields?: object): Promise<void>
  customer(id: string, fields?: object): Promise<void>
  token(id: string, customerId: string, fields?: object): Promise<void>
  /** A refund of a transaction, with its operation. */
  refund(id: string, transactionId: string, fields?: object): Promise<void>
  event(id: string, fields?: Partial<EventRow>): Promise<void>
  delivery(id: string, eventId: string, fields?: object): Promise<void>
  deliveryAttempt(deliveryId: string, attempt: number, fields?: object): Promise<void>
  webhookEndpoint(id: string, fields?: object): Promise<void>
  insert(entity: ListEntity, row: object): Promise<void>
  gatewayConfigurationId: string
}

const AT = new Date('2026-11-21T01:17:10.123Z')

const INVOICE = { ...INVOICE_DEFAULTS, createdAt: AT, updatedAt: AT }

const CARD = {
  ...CARD_DEFAULTS,
  iin: '42424242',
  last4Digits: '4242',
  fingerprint: 'f'.repeat(64),
  numberCiphertext: Buffer.from([1, 2, 3]),
  numberKeyId: 'n1',
  createdAt: AT,
  updatedAt: AT,
}

const TRANSACTION = {
  ...TRANSACTION_DEFAULTS,
  status: 'authorized',
  authorizedMinor: 2900,
  createdAt: AT,
  updatedAt: AT,
}

const CUSTOMER = { isBusiness: false, balanceMinor: 0, metadata: {}, registeredAt: AT, createdAt: AT, updatedAt: AT }

const TOKEN = {
  type: 'pending',
  isChargeable: false,
  isSubscriptionOnly: false,
  verificationStatus: 'not-requested',
  schemeTransactionIds: {},
  manualInvoiceCancellation: false,
  metadata: {},
  createdAt: AT,
  updatedAt: AT,
}

const REFUND = {
  amountMinor: 2900,
  currency: 'EUR',
  reason: 'other',
  metadata: {},
  status: 'succeeded',
  createdAt: AT,
  updatedAt: AT,
}

const EVENT = { name: 'transaction.captured', firedAt: AT } as const
const DELIVERY = { targetUrl: 'https://shop.example/1', status: 'pending', queuedAt: AT, createdAt: AT }
const ENDPOINT = {
  url: 'https://shop.example/webhooks',
  enabled: true,
  signWithEd25519: false,
  createdAt: AT,
  updatedAt: AT,
}
const ATTEMPT = { responseTimeMs: 12, startedAt: AT }

export const RECONCILIATION = {
  source: 'list',
  day: '2026-11-20',
  status: 'completed',
  tries: 1,
  isListed: true,
  linesCount: 1,
  differencesCount: 1,
  judgedUntil: AT,
  completedAt: AT,
  createdAt: AT,
  updatedAt: AT,
}

export const DIFFERENCE = {
  kind: 'amount',
  status: 'open',
  type: 'capture',
  ourState: 'succeeded',
  ourAmountMinor: 2900,
  ourCurrency: 'EUR',
  lineId: 'line_1',
  gatewayReference: 'cap_1',
  gatewayState: 'booked',
  gatewayAmountMinor: 2899,
  gatewayCurrency: 'EUR',
  gatewayBookedAt: AT,
  createdAt: AT,
  updatedAt: AT,
}

const OPERATION = {
  type: 'authorization',
  isAttempt: true,
  hasFailed: false,
  isAccountable: false,
  amountMinor: 2900,
  currency: 'EUR',
  actor: 'merchant',
  createdAt: AT,
}

/** @param sandbox which environment the rows are of; it has a gateway configuration. */
export async function rowWriter(
  api: Pick<Interface, 'database'>,
  { projectId }: Pick<Merchant, 'projectId'>,
  sandbox = true,
): Promise<RowWriter> {
  const owner = { projectId, sandbox }
  const em = () => api.database.orm.em.fork()
  const { id: gatewayConfigurationId } = await em().findOneOrFail(GatewayConfigurationEntity, owner)
  const insert: RowWriter['insert'] = async (entity, row) => {
    await em().insert(entity, { ...row, ...owner })
  }
  const operation: RowWriter['operation'] = (id, transactionId, fields = {}) =>
    insert(OperationEntity, { ...OPERATION, id, transactionId, ...fields })
  return {
    insert,
    gatewayConfigurationId,
    operation,
    customer: (id, fields = {}) => insert(CustomerEntity, { ...CUSTOMER, id, ...fields }),
    token: (id, customerId, fields = {}) => insert(CustomerTokenEntity, { ...TOKEN, id, customerId, ...fields }),
    async refund(id, transactionId, fields = {}) {
      const operationId = `tr_op_${id.replaceAll('_', '')}`
      await operation(operationId, transactionId, { type: 'refund' })
      await insert(RefundEntity, { ...REFUND, id, transactionId, operationId, ...fields })
    },
    event(id, fields = {}) {
      const { data } = exampleEvent(fields.name ?? EVENT.name)
      return insert(EventEntity, { ...EVENT, data, id, ...fields })
    },
    delivery: (id, eventId, fields = {}) => insert(DeliveryEntity, { ...DELIVERY, id, eventId, ...fields }),
    deliveryAttempt: (deliveryId, attempt, fields = {}) =>
      insert(DeliveryAttemptEntity, {
        ...ATTEMPT,
        id: `wha_${deliveryId.replace('whd_', '')}${attempt}`,
        deliveryId,
        attempt,
        ...fields,
      }),
    webhookEndpoint: (id, fields = {}) => insert(WebhookEndpointEntity, { ...ENDPOINT, id, ...fields }),
    invoice: (id, fields = {}) => insert(InvoiceEntity, { ...INVOICE, id, ...fields }),
    card: (id, fields = {}) => insert(CardEntity, { ...CARD, id, ...fields }),
    transaction: (id, invoiceId, fields = {}) =>
      insert(TransactionEntity, { ...TRANSACTION, gatewayConfigurationId, id, invoiceId, ...fields }),
  }
}

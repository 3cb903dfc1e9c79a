import { expect } from '@jest/globals'
import { GatewayNotificationEntity } from '../../../src/persistence/entities/gateway-notification.ts'
import { InvoiceEntity } from '../../../src/persistence/entities/invoice.ts'
import { makeDatabase, type TestDatabase } from '../../support/database.ts'
import { insertRows, TABLES } from '../insert-rows.ts'
import { makeRows } from '../rows.ts'

export const mine = makeRows('mine')
const theirs = makeRows('theirs')

/** A second object beside the row: what else it would break is changed, so that one constraint is left to break. */
export const another = {
  apiKey: { ...mine.apiKey, id: 'key_other', secretHash: 'other' },
  customer: { ...mine.customer, id: 'cust_other', defaultTokenId: null },
  token: { ...mine.token, id: 'tok_other', type: 'gateway_token' as const, cardId: null },
  card: { ...mine.card, id: 'card_other', usedByInvoiceId: null, usedByTokenId: null },
  securityCode: { ...mine.securityCode },
  invoice: { ...mine.invoice, id: 'iv_other', referenceId: null },
  transaction: { ...mine.transaction, id: 'tr_other', invoiceId: 'iv_other' },
  result: { ...mine.result, id: 'tr_op_other', attemptOperationId: null },
  refund: { ...mine.refund, id: 'refd_other', operationId: mine.result.id },
  gatewayNotification: { ...mine.gatewayNotification, gatewayNotificationId: 'notification_other' },
  invoiceDetail: { ...mine.invoiceDetail, id: 'iv_det_other', position: 2 },
  event: { ...mine.event, id: 'ev_other', sequence: 2 },
  delivery: { ...mine.delivery, id: 'whd_other', targetUrl: 'https://other.example/' },
  webhookEndpoint: { ...mine.webhookEndpoint, id: 'whe_other' },
  webhookSecret: { ...mine.webhookSecret, id: 'whs_other' },
  deliveryAttempt: { ...mine.deliveryAttempt, id: 'wha_other', attempt: 1 },
  gatewayConfiguration: { ...mine.gatewayConfiguration, id: 'gway_conf_other' },
  gatewayCircuit: { ...mine.gatewayCircuit, process: 'another' },
}

/** Makes a row one of another project, and one of the other environment. */
export const owner = { projectId: theirs.project.id }
export const live = { sandbox: false }

export type Name = keyof typeof another

const ENTITIES: Record<string, object> = {
  ...Object.fromEntries(TABLES),
  gatewayNotification: GatewayNotificationEntity,
}

/** A database with the rows of two projects, and the invoice that `another.transaction` is for. */
export interface ConstraintStage {
  database: TestDatabase
  /** Proves that the database takes `another` of this name with a change; it is gone afterwards. */
  accepted(name: Name, change?: object): Promise<void>
  /** Proves that `another` of this name with a change breaks this constraint. */
  refused(name: Name, change: object, constraint: string | RegExp): Promise<void>
}

export async function startConstraintStage(): Promise<ConstraintStage> {
  const database = await makeDatabase()
  const fork = () => database.orm.em.fork()
  await insertRows(fork(), mine)
  await insertRows(fork(), theirs)
  await fork().insert(InvoiceEntity, another.invoice)
  return {
    database,
    async accepted(name, change) {
      const em = fork()
      await em.begin()
      await em.insert(ENTITIES[name] as never, { ...another[name], ...change } as never)
      // What is checked at the commit otherwise.
      await em.execute('set constraints all immediate')
      await em.rollback()
    },
    async refused(name, change, constraint) {
      const insertion = fork().insert(ENTITIES[name] as never, { ...another[name], ...change } as never)
      await expect(insertion).rejects.toMatchObject({ constraint: expect.stringMatching(constraint) })
    },
  }
}

import { randomBytes } from 'node:crypto'
import type { PaymentActivityDeps } from '../../activities/dependencies.ts'
import { type BookedOperation, type Recovered, recoverPayment } from '../../activities/payment/recover-operation.ts'
import { environmentOf } from '../../domain/environment.ts'
import { type Comparison, findLostOperations, type LostPayment } from '../books/lost-operations.ts'
import { systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { openDatabase } from '../database/open-database.ts'
import type { ListRequest } from '../gateways/gateway.ts'
import { createGatewayRegistry } from '../gateways/registry.ts'
import { checkKeysOf } from '../keys/key-check.ts'
import { readKeys } from '../keys/process-keys.ts'
import { createLogger } from '../logger.ts'
import type { GatewayConfigurationRow } from '../persistence/entities/gateway-configuration.ts'
import { MAINTENANCE_LIMITS } from '../persistence/limits.ts'
import { recordAct } from '../persistence/queries/audit/record-act.ts'
import { insertRecoveredInvoice } from '../persistence/queries/payments/lost-operations.ts'
import { execute } from '../persistence/statements.ts'
import { createRuleBook } from '../routing/rule-book.ts'
import { createVault } from '../vault/vault.ts'
import { createAdapters } from './adapters.ts'

/** Who books, and why, for the audit log. */
export interface Booker {
  actor: string
  reason: string
}

export type { Comparison, LostPayment, Recovered }

/**
 * Compares accounts at gateways with the record, and books what the record has lost, on the database alone: neither Temporal
 * nor a worker has to run. Events of what is booked go out as soon as workers do.
 */
export interface Recovery {
  /** Null where the gateway has no list. @throws StartupError where it does not give it. */
  compare(
    configuration: GatewayConfigurationRow,
    span: Pick<ListRequest, 'from' | 'until'>,
    told: (operations: number) => void,
  ): Promise<Comparison | null>
  /** Books a payment that `compare` has found, one operation after the other. */
  book(configuration: GatewayConfigurationRow, lost: LostPayment, by: Booker): Promise<BookedOperation[]>
  orm: PaymentActivityDeps['orm']
  close(): Promise<void>
}

/** @throws StartupError where the database is not there, or the keys are not those of the database. */
export async function openRecovery(config: Config & { databaseUrl: string }): Promise<Recovery> {
  const keys = await readKeys(config)
  const vault = createVault(keys)
  const orm = await openDatabase(config.databaseUrl, MAINTENANCE_LIMITS)
  const close = () => orm.close(true)
  try {
    await checkKeysOf(orm, keys)
  } catch (error) {
    await close()
    throw error
  }
  const clock = systemClock
  const { sandboxHosts } = config
  const gateways = createGatewayRegistry(
    createAdapters({ execute: (sql, values) => execute(orm, sql, values), clock, sandboxHosts }),
  )
  const deps: PaymentActivityDeps = {
    orm,
    gateways,
    ruleBook: createRuleBook(),
    vault,
    pendingAnswers: NOBODY_WAITS,
    // Workers start what waits in the record.
    webhookStarter: { start: async () => undefined },
    // Beside the output, which programs read.
    logger: createLogger({ level: config.logLevel, process: 'admin', destination: process.stderr }),
    clock,
    randomBytes,
    publicUrl: () => config.publicUrl ?? null,
  }
  return {
    orm,
    close,
    async compare(configuration, span, told) {
      const { id: gatewayConfigurationId, settings, gatewayName } = configuration
      const access = { gatewayConfigurationId, settings, credentials: vault.decryptCredentials(configuration) }
      const { listOperations: list } = gateways.find(gatewayName)
      return list === undefined ? null : findLostOperations({ orm }, { list, access, owner: configuration, span }, told)
    },
    async book(configuration, lost, by) {
      await begin(orm, configuration, lost, by)
      const { projectId, sandbox } = configuration
      const payment = { projectId, environment: environmentOf(sandbox), invoiceId: lost.invoiceId }
      return recoverPayment(deps, payment, { operations: lost.operations, configuration })
    },
  }
}

const NOBODY_WAITS: PaymentActivityDeps['pendingAnswers'] = {
  expect: () => {
    throw new Error('Nobody waits for what is booked.')
  },
  answer: () => undefined,
}

/** Writes who books what, and the invoice where the record has lost it. */
async function begin(
  orm: PaymentActivityDeps['orm'],
  { id, projectId, sandbox }: GatewayConfigurationRow,
  { invoiceId, record, operations }: LostPayment,
  { actor, reason }: Booker,
): Promise<void> {
  const authorization = operations.find(({ type }) => type === 'authorization')
  await orm.em.fork().transactional(async (em) => {
    if (record === null && authorization !== undefined)
      await insertRecoveredInvoice(em, {
        ...{ id: invoiceId, projectId, sandbox },
        amountMinor: authorization.amountMinor,
        currency: authorization.currency,
        incremental: operations.some(({ type }) => type === 'increment_authorization'),
        createdAt: new Date(authorization.at),
      })
    const references = operations.map(({ reference }) => reference)
    const facts = { invoice_id: invoiceId, gateway_configuration_id: id, operation_ids: references, reason }
    await recordAct(em, { projectId, sandbox, kind: 'payment.recovered', actor, facts })
  })
}

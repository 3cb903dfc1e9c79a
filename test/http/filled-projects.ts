import { createHash } from 'node:crypto'
import type { IdentifierKind } from '../../domain/identifiers.ts'
import { PREFIXES } from '../../domain/identifiers.ts'
import { PERMISSIONS, type Permission } from '../../domain/permission.ts'
import { ApiKeyEntity } from '../../src/persistence/entities/api-key.ts'
import { ApiRequestEntity } from '../../src/persistence/entities/api-request.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { InvoiceDetailEntity } from '../../src/persistence/entities/invoice-detail.ts'
import { ProjectEntity } from '../../src/persistence/entities/project.ts'
import { ReconciliationEntity } from '../../src/persistence/entities/reconciliation.ts'
import { ReconciliationDifferenceEntity } from '../../src/persistence/entities/reconciliation-difference.ts'
import { RuleSetEntity } from '../../src/persistence/entities/rule-set.ts'
import { createVault } from '../../src/vault/vault.ts'
import type { TestDatabase } from '../support/database.ts'
import { TEST_KEYS } from '../support/keys.ts'
import { HIGH_LIMITS } from '../support/limits.ts'
import { DIFFERENCE, RECONCILIATION, rowWriter } from './row-writer.ts'

/** The objects that each of the projects has one of. */
export const OBJECT_KINDS = [
  'card',
  'customer',
  'token',
  'invoice',
  'invoiceDetail',
  'transaction',
  'operation',
  'refund',
  'event',
  'delivery',
  'webhookEndpoint',
  'gatewayConfiguration',
  'reconciliation',
  'reconciliationDifference',
  'ruleSet',
  'apiRequest',
] as const satisfies readonly IdentifierKind[]

export type ObjectKind = (typeof OBJECT_KINDS)[number]

/** One environment of a project, with one object of each kind and a secret key. */
export interface FilledProject {
  /** Letters only, so that it can be the end of an id. */
  name: string
  projectId: string
  sandbox: boolean
  secretKey: string
  /** The gateway of its one account. */
  gatewayName: string
  id(kind: ObjectKind): string
}

/** A well-formed id that no object has. */
export const unknownId = (kind: ObjectKind): string => `${PREFIXES[kind]}Unknown`

const AT = new Date('2026-11-21T01:17:10.123Z')

/** Two projects with two environments each, which have nothing in common. */
export interface FilledProjects {
  mine: FilledProject
  /** The live environment of the same project. */
  mineLive: FilledProject
  other: FilledProject
  otherLive: FilledProject
  /** Another secret key of a project. */
  addKey(project: FilledProject, key: { permissions?: readonly Permission[]; isRevoked?: boolean }): Promise<string>
}

export async function makeFilledProjects(database: TestDatabase): Promise<FilledProjects> {
  const vault = createVault(TEST_KEYS)
  let keys = 0
  const addKey: FilledProjects['addKey'] = async (
    { projectId, sandbox },
    { permissions = PERMISSIONS, isRevoked = false },
  ) => {
    keys += 1
    const text = createHash('sha256').update(`${database.name} ${keys}`).digest('hex').slice(0, 32)
    const secret = `${sandbox ? 'key_sandbox_' : 'key_live_'}${text}`
    await database.orm.em.fork().insert(ApiKeyEntity, {
      id: `key_made${keys}`,
      projectId,
      sandbox,
      secretHash: vault.hashSecret(secret),
      permissions: [...permissions],
      revokedAt: isRevoked ? AT : null,
      createdAt: AT,
    })
    return secret
  }
  const make = async (name: string, projectId: string, sandbox: boolean): Promise<FilledProject> => {
    const project = {
      name,
      projectId,
      sandbox,
      secretKey: '',
      // The simulator serves the sandbox only; nobody pays here.
      gatewayName: sandbox ? 'simulator' : 'a-gateway',
      id: (kind: ObjectKind) => `${PREFIXES[kind]}${name}`,
    }
    await fill(database, project)
    return { ...project, secretKey: await addKey(project, {}) }
  }
  for (const id of ['proj_mine', 'proj_other']) {
    await database.orm.em.fork().insert(ProjectEntity, { id, name: id, createdAt: AT, ...HIGH_LIMITS })
  }
  return {
    mine: await make('Mine', 'proj_mine', true),
    mineLive: await make('MineLive', 'proj_mine', false),
    other: await make('Other', 'proj_other', true),
    otherLive: await make('OtherLive', 'proj_other', false),
    addKey,
  }
}

async function fill(
  database: TestDatabase,
  { name, projectId, sandbox, gatewayName, id }: Omit<FilledProject, 'secretKey'>,
): Promise<void> {
  const em = database.orm.em.fork()
  await em.insert(GatewayConfigurationEntity, {
    id: id('gatewayConfiguration'),
    projectId,
    sandbox,
    gatewayName,
    name: 'Simulator',
    enabled: true,
    createdAt: AT,
  })
  const rows = await rowWriter({ database }, { projectId }, sandbox)
  await rows.customer(id('customer'))
  await rows.card(id('card'))
  await rows.token(id('token'), id('customer'), { type: 'card', cardId: id('card'), isChargeable: true })
  await rows.invoice(id('invoice'), { customerId: id('customer'), tokenId: id('token'), hasDetails: true })
  await rows.insert(InvoiceDetailEntity, {
    id: id('invoiceDetail'),
    invoiceId: id('invoice'),
    position: 1,
    name: 'Shoes',
    amountMinor: 2900,
    quantity: 1,
    capturedMinor: 0,
    refundedMinor: 0,
    metadata: {},
    createdAt: AT,
  })
  await rows.transaction(id('transaction'), id('invoice'), {
    status: 'completed',
    capturedMinor: 2900,
    customerId: id('customer'),
    tokenId: id('token'),
    cardId: id('card'),
  })
  await rows.refund(id('refund'), id('transaction'))
  await rows.operation(id('operation'), id('transaction'), { type: 'chargeback' })
  await rows.event(id('event'), { invoiceId: id('invoice'), transactionId: id('transaction'), sequence: 1 })
  await rows.webhookEndpoint(id('webhookEndpoint'), { url: `https://${name.toLowerCase()}.example/webhooks` })
  await rows.delivery(id('delivery'), id('event'), { endpointId: id('webhookEndpoint'), status: 'failed' })
  await rows.insert(ReconciliationEntity, {
    ...RECONCILIATION,
    id: id('reconciliation'),
    gatewayConfigurationId: id('gatewayConfiguration'),
  })
  await rows.insert(ReconciliationDifferenceEntity, {
    ...DIFFERENCE,
    id: id('reconciliationDifference'),
    reconciliationId: id('reconciliation'),
    gatewayConfigurationId: id('gatewayConfiguration'),
    operationId: id('operation'),
    transactionId: id('transaction'),
  })
  await rows.insert(RuleSetEntity, {
    id: id('ruleSet'),
    version: 1,
    text: 'block {}',
    rules: [],
    defaultCurrency: 'EUR',
    createdAt: AT,
    createdBy: 'key_made',
  })
  await rows.insert(ApiRequestEntity, {
    id: id('apiRequest'),
    requestId: `request-of-${name}`,
    method: 'GET',
    path: '/events',
    status: 200,
    apiKeyId: null,
    hasIdempotencyKey: false,
    latencyMs: 3,
    createdAt: AT,
  })
}

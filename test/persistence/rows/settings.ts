import type { ApiKeyRow } from '../../../src/persistence/entities/api-key.ts'
import type { ApiRequestRow } from '../../../src/persistence/entities/api-request.ts'
import type { GatewayCircuitRow } from '../../../src/persistence/entities/gateway-circuit.ts'
import type { GatewayConfigurationRow } from '../../../src/persistence/entities/gateway-configuration.ts'
import type { IdempotencyKeyRow } from '../../../src/persistence/entities/idempotency-key.ts'
import type { PersonRow } from '../../../src/persistence/entities/person.ts'
import type { ProjectRow } from '../../../src/persistence/entities/project.ts'
import type { ProjectMemberRow } from '../../../src/persistence/entities/project-member.ts'
import { AT, HOSTILE, idsOf } from './values.ts'

/** The project with its keys and accounts, and what is kept of requests. */
export function makeSettingRows(seed: string) {
  const ids = idsOf(seed)
  const owner = { projectId: ids.project, sandbox: true }
  const project: ProjectRow = {
    id: ids.project,
    name: HOSTILE,
    defaultCurrency: 'EUR',
    acceptsPartialApprovals: true,
    primaryLimit: 1,
    secondaryLimit: 2,
    sandboxLimit: 600_000,
    clientAddressLimit: 3,
    clientInvoiceLimit: 4,
    suspendedAt: AT,
    allowsClientCaptures: true,
    allowsClientOverrides: true,
    allowsClientAmounts: true,
    pageOrigins: ['https://shop.example', 'http://localhost:4000'],
    blocksStoppedPayments: true,
    enforcesRetryAfter: true,
    enforcesNetworkLimits: true,
    visaReattempts: 15,
    mastercardDeclinesPerDay: 7,
    mastercardDeclinesPerAmount: 34,
    clientFailuresPerInvoice: 5,
    clientFailuresPerCard: 6,
    clientFailuresPerProject: 7,
    createdAt: AT,
  }
  const apiKey: ApiKeyRow = {
    ...owner,
    id: ids.apiKey,
    secretHash: `hash of ${seed}`,
    name: HOSTILE,
    permissions: ['read', 'webhooks'],
    secretEnding: 'abcd',
    lastUsedAt: AT,
    revokedAt: AT,
    createdAt: AT,
  }
  const person: PersonRow = {
    id: ids.person,
    email: `person-${seed}@example.com`.toLowerCase(),
    name: HOSTILE,
    passwordHash: `$argon2id$ of ${seed}`,
    mustChangePassword: true,
    createdAt: AT,
    disabledAt: AT,
    lastSignedInAt: AT,
  }
  const projectMember: ProjectMemberRow = {
    projectId: ids.project,
    personId: ids.person,
    role: 'support',
    createdAt: AT,
  }
  const gatewayConfiguration: GatewayConfigurationRow = {
    ...owner,
    id: ids.gatewayConfiguration,
    gatewayName: 'simulator',
    name: HOSTILE,
    enabled: true,
    drainingSince: AT,
    defaultPreferredScheme: 'visa',
    defaultCurrency: 'EUR',
    processingRegion: 'EEA',
    merchantAccountCountryCode: 'FR',
    capabilities: { multipleCaptures: false },
    authorizationValidity: [{ scheme: 'visa', initiation: 'merchant', seconds: 410_400 }],
    credentialsCiphertext: Buffer.from(seed),
    credentialsKeyId: 'n1',
    credentialsHash: 'c'.repeat(64),
    credentialsSetAt: { secret_key: AT.toISOString() },
    settings: { delay_ms: '1' },
    accountVersion: 2,
    metadata: { note: HOSTILE },
    enabledAt: AT,
    createdAt: AT,
    updatedAt: AT,
    deletedAt: null,
  }
  const deletedGatewayConfiguration: GatewayConfigurationRow = {
    ...gatewayConfiguration,
    id: `${ids.gatewayConfiguration}deleted`,
    enabled: false,
    enabledAt: null,
    credentialsCiphertext: null,
    credentialsKeyId: null,
    credentialsHash: null,
    credentialsSetAt: {},
    deletedAt: AT,
  }
  const gatewayCircuit: GatewayCircuitRow = {
    ...owner,
    gatewayConfigurationId: ids.gatewayConfiguration,
    process: HOSTILE,
    state: 'open',
    reason: HOSTILE,
    changedAt: AT,
  }
  const apiRequest: ApiRequestRow = {
    ...owner,
    id: `api_req_${seed}`,
    requestId: `req_${seed}`,
    method: 'POST',
    path: `/invoices/${ids.invoice}/capture`,
    query: { expand: ['transaction', HOSTILE] },
    status: 410,
    errorType: 'card.do-not-honor',
    apiKeyId: ids.apiKey,
    personId: ids.person,
    hasIdempotencyKey: true,
    ip: '127.0.0.1',
    userAgent: HOSTILE,
    apiVersion: '1.4.0.0',
    latencyMs: 12,
    requestBody: { name: HOSTILE, amount: null },
    responseBody: HOSTILE,
    createdAt: AT,
  }
  const idempotencyKey: IdempotencyKeyRow = {
    ...owner,
    id: Buffer.from(seed).toString('hex').padStart(64, '0'),
    requestHash: 'e'.repeat(64),
    operationId: ids.attempt,
    status: 200,
    body: HOSTILE,
    createdAt: AT,
    completedAt: AT,
  }
  return {
    project,
    apiKey,
    person,
    projectMember,
    gatewayConfiguration,
    gatewayCircuit,
    deletedGatewayConfiguration,
    apiRequest,
    idempotencyKey,
  }
}

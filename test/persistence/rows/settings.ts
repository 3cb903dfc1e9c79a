import { ApiKeyEntity } from '../../../src/persistence/entities/api-key.ts'
import { ApiRequestEntity } from '../../../src/persistence/entities/api-request.ts'
import { GatewayCircuitEntity } from '../../../src/persistence/entities/gateway-circuit.ts'
import { GatewayConfigurationEntity } from '../../../src/persistence/entities/gateway-configuration.ts'
import { IdempotencyKeyEntity } from '../../../src/persistence/entities/idempotency-key.ts'
import { NotificationRefusalEntity } from '../../../src/persistence/entities/notification-refusal.ts'
import { PersonEntity } from '../../../src/persistence/entities/person.ts'
import { ProjectEntity } from '../../../src/persistence/entities/project.ts'
import { ProjectMemberEntity } from '../../../src/persistence/entities/project-member.ts'
import { AT, HOSTILE, rowsOf } from './values.ts'

/** The project with its keys and accounts, and what is kept of requests. */
export function makeSettingRows(seed: string) {
  const { ids, filled } = rowsOf(seed)
  const project = filled(ProjectEntity, {
    primaryLimit: 1,
    secondaryLimit: 2,
    sandboxLimit: 600_000,
    clientAddressLimit: 3,
    clientInvoiceLimit: 4,
    pageOrigins: ['https://shop.example', 'http://localhost:4000'],
    visaReattempts: 15,
    mastercardDeclinesPerDay: 7,
    mastercardDeclinesPerAmount: 34,
    clientFailuresPerInvoice: 5,
    clientFailuresPerCard: 6,
    clientFailuresPerProject: 7,
  })
  const apiKey = filled(ApiKeyEntity, {
    secretHash: `hash of ${seed}`,
    permissions: ['read', 'webhooks'],
    secretEnding: 'abcd',
  })
  const person = filled(PersonEntity, {
    email: `person-${seed}@example.com`.toLowerCase(),
    passwordHash: `$argon2id$ of ${seed}`,
    resetHash: Buffer.from(seed).toString('hex').padEnd(64, '0'),
    totpCiphertext: Buffer.from(seed),
    totpKeyId: 'n1',
  })
  const projectMember = filled(ProjectMemberEntity, {
    role: 'support',
  })
  const gatewayConfiguration = filled(GatewayConfigurationEntity, {
    defaultPreferredScheme: 'visa',
    processingRegion: 'EEA',
    merchantAccountCountryCode: 'FR',
    capabilities: { multipleCaptures: false },
    authorizationValidity: [{ scheme: 'visa', initiation: 'merchant', seconds: 410_400 }],
    credentialsCiphertext: Buffer.from(seed),
    credentialsKeyId: 'n1',
    credentialsHash: 'c'.repeat(64),
    credentialsSetAt: { secret_key: AT.toISOString() },
    settings: { delay_ms: '1' },
    metadata: { note: HOSTILE },
    deletedAt: null,
  })
  const deletedGatewayConfiguration = filled(GatewayConfigurationEntity, {
    ...gatewayConfiguration,
    id: `${ids.gatewayConfiguration}deleted`,
    enabled: false,
    enabledAt: null,
    credentialsCiphertext: null,
    credentialsKeyId: null,
    credentialsHash: null,
    credentialsSetAt: {},
    deletedAt: AT,
  })
  const gatewayCircuit = filled(GatewayCircuitEntity, {
    state: 'open',
  })
  const notificationRefusal = filled(NotificationRefusalEntity, { reason: 'unproven' })
  const apiRequest = filled(ApiRequestEntity, {
    id: `api_req_${seed}`,
    requestId: `req_${seed}`,
    method: 'POST',
    path: `/invoices/${ids.invoice}/capture`,
    query: { expand: ['transaction', HOSTILE] },
    status: 410,
    errorType: 'card.do-not-honor',
    ip: '127.0.0.1',
    apiVersion: '1.4.0.0',
    latencyMs: 12,
    requestBody: { name: HOSTILE, amount: null },
  })
  const idempotencyKey = filled(IdempotencyKeyEntity, {
    id: Buffer.from(seed).toString('hex').padStart(64, '0'),
    requestHash: 'e'.repeat(64),
    status: 200,
  })
  return {
    project,
    apiKey,
    person,
    projectMember,
    gatewayConfiguration,
    gatewayCircuit,
    notificationRefusal,
    deletedGatewayConfiguration,
    apiRequest,
    idempotencyKey,
  }
}

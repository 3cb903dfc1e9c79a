import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, isGrpcServiceError } from '@temporalio/client'
import { msToTs } from '@temporalio/common'
import type { Environment } from '../../domain/environment.ts'
import { SEARCH_ATTRIBUTES } from '../../domain/search-attributes.ts'
import { StartupError, temporalFailure } from '../startup-error.ts'

/**
 * How long closed workflows stay visible in namespaces that we make, on a server that we have started or that is given; the
 * record is kept for good.
 */
const NAMESPACE_RETENTION_DAYS = { own: 30, given: 90 } as const
/** The services of a cluster reload namespaces and search attributes every few seconds, the slowest once a minute. */
const PROPAGATION_TIMEOUT_MS = 75_000
const POLL_INTERVAL_MS = 100
const DAY_MS = 24 * 60 * 60 * 1000

/** gRPC status codes, https://grpc.io/docs/guides/status-codes/ */
const INVALID_ARGUMENT = 3
const NOT_FOUND = 5
const ALREADY_EXISTS = 6

/** `temporal.api.enums.v1.IndexedValueType`; only the types in use. */
const INDEXED_VALUE_TYPES = { KEYWORD: 2, INT: 3, DATETIME: 6 } as const

/** The services that provisioning needs; client and worker connections have both. */
export type TemporalServices = Pick<Connection, 'workflowService' | 'operatorService'>

export interface ProvisionOptions {
  namespaces: readonly string[]
  /** True also sets the retention of existing namespaces: for a server that we have started. */
  ownsServer?: boolean
}

/**
 * Makes missing namespaces and search attributes, and waits until they can be used. Where all exist it changes nothing and
 * sends one query per namespace, so a server that allows no changes (Temporal Cloud) can be prepared beforehand.
 */
export async function provisionTemporal(
  services: TemporalServices,
  { namespaces, ownsServer = false }: ProvisionOptions,
): Promise<void> {
  await Promise.all(
    namespaces.map(async (namespace) => {
      await provideNamespace(services, namespace, ownsServer)
      await provideSearchAttributes(services, namespace)
    }),
  )
}

/**
 * For a process that makes no namespaces.
 *
 * @param address of the server, for the sentence.
 * @throws StartupError where the server lacks one of them, or refuses the question.
 */
export async function requireNamespaces(
  { workflowService }: Pick<TemporalServices, 'workflowService'>,
  { address, namespaces }: { address: string; namespaces: Record<Environment, string> },
): Promise<void> {
  for (const [environment, namespace] of Object.entries(namespaces)) {
    const isThere = await unless(NOT_FOUND, () => workflowService.describeNamespace({ namespace })).catch(
      (error: Error) => {
        throw temporalFailure(address, error)
      },
    )
    if (isThere) continue
    throw new StartupError(
      `Temporal on ${address} has no namespace ${namespace}. It is that of TEMPORAL_NAMESPACE_${environment.toUpperCase()}; ` +
        'npm run migrate makes what is missing.',
    )
  }
}

async function provideNamespace(
  { workflowService }: TemporalServices,
  namespace: string,
  ownsServer: boolean,
): Promise<void> {
  const retentionDays = NAMESPACE_RETENTION_DAYS[ownsServer ? 'own' : 'given']
  const workflowExecutionRetentionTtl = msToTs(retentionDays * DAY_MS)
  const exists = () => unless(NOT_FOUND, () => workflowService.describeNamespace({ namespace }))
  if (await exists()) {
    if (ownsServer) await workflowService.updateNamespace({ namespace, config: { workflowExecutionRetentionTtl } })
    return
  }
  await unless(ALREADY_EXISTS, () =>
    workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: workflowExecutionRetentionTtl }),
  )
  await until(exists, `namespace ${namespace}`)
}

async function provideSearchAttributes(services: TemporalServices, namespace: string): Promise<void> {
  const { workflowService, operatorService } = services
  // A search that names all attributes proves that they are usable: the server refuses unknown names.
  const query = Object.values(SEARCH_ATTRIBUTES)
    .map(({ name }) => `${name} IS NULL`)
    .join(' AND ')
  const search = () => workflowService.listWorkflowExecutions({ namespace, pageSize: 1, query })
  // A new namespace is not known to all services at once; this alone is no reason to make its attributes twice.
  const known = () => unless(NOT_FOUND, () => unless(INVALID_ARGUMENT, search))
  if (await known()) return
  await until(
    () =>
      unless(NOT_FOUND, () =>
        unless(ALREADY_EXISTS, async () => {
          const { customAttributes } = await operatorService.listSearchAttributes({ namespace })
          const missing = Object.values(SEARCH_ATTRIBUTES).filter(({ name }) => !(name in customAttributes))
          const searchAttributes = Object.fromEntries(
            missing.map(({ name, type }) => [name, INDEXED_VALUE_TYPES[type]]),
          )
          if (missing.length > 0) await operatorService.addSearchAttributes({ namespace, searchAttributes })
        }),
      ),
    `search attributes of namespace ${namespace}`,
  )
  await until(known, `search attributes of namespace ${namespace}`)
}

/** Makes a call; false if it fails with this gRPC status, true if it succeeds. */
async function unless(code: number, call: () => Promise<unknown>): Promise<boolean> {
  try {
    return (await call()) !== false
  } catch (error) {
    if (isGrpcServiceError(error) && error.code === code) return false
    throw error
  }
}

async function until(condition: () => Promise<boolean>, subject: string): Promise<void> {
  const deadline = Date.now() + PROPAGATION_TIMEOUT_MS
  while (!(await condition())) {
    if (Date.now() > deadline)
      throw new Error(`Temporal does not know the ${subject} after ${PROPAGATION_TIMEOUT_MS / 1000} s`)
    await sleep(POLL_INTERVAL_MS)
  }
}

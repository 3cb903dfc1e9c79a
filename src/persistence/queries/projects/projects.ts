import { isDeepStrictEqual } from 'node:util'
import { LockMode } from '@mikro-orm/postgresql'
import type { ClientFailureLimits } from '../../../../domain/client-failures.ts'
import { makeIdentifier } from '../../../../domain/identifiers.ts'
import type { NetworkLimits } from '../../../../domain/network-limits.ts'
import { PERMISSIONS } from '../../../../domain/permission.ts'
import type { ProjectLimitName } from '../../../../domain/rate-limits.ts'
import { GatewayConfigurationEntity } from '../../entities/gateway-configuration.ts'
import { ProjectEntity, type ProjectRow } from '../../entities/project.ts'
import type { EntityManager } from '../../orm.ts'
import { recordAct } from '../audit/record-act.ts'
import { createApiKey, type SecretMaking } from './api-keys.ts'

/** A project as it is now. */
export function findProject(em: EntityManager, id: string): Promise<ProjectRow | null> {
  return em.findOne(ProjectEntity, { id }, { disableIdentityMap: true })
}

/** Every project, the oldest first. */
export function listProjects(em: EntityManager): Promise<ProjectRow[]> {
  return em.findAll(ProjectEntity, { orderBy: { createdAt: 'asc', id: 'asc' }, disableIdentityMap: true })
}

/** A project as it is now, locked until the caller's database transaction ends. */
function lockProject(em: EntityManager, id: string): Promise<ProjectRow | null> {
  return em.findOne(ProjectEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true })
}

export interface NewProject extends SecretMaking {
  name: string
  /** The environment of the first key. */
  sandbox: boolean
  /** Requests a minute, where they differ from the defaults. */
  limits?: Partial<Pick<ProjectRow, 'primaryLimit' | 'secondaryLimit' | 'sandboxLimit'>>
  /** That of amounts without one; by default USD. */
  defaultCurrency?: string
  /** The creator, for the audit log; `service` by default. */
  actor?: string
}

/**
 * Makes a project with one secret key of all permissions, and in the sandbox with the simulator as its gateway.
 *
 * @returns the secret key in the clear, which is shown only this once.
 */
export async function createProject(
  em: EntityManager,
  { name, sandbox, limits = {}, defaultCurrency, actor = 'service', ...making }: NewProject,
): Promise<{ projectId: string; secretKey: string }> {
  const { randomBytes, now } = making
  const projectId = makeIdentifier('project', randomBytes)
  return em.transactional(async (transaction) => {
    await transaction.insert(ProjectEntity, {
      ...{ id: projectId, name, createdAt: now, ...limits },
      ...(defaultCurrency !== undefined && { defaultCurrency }),
    })
    if (sandbox) {
      await transaction.insert(GatewayConfigurationEntity, {
        id: makeIdentifier('gatewayConfiguration', randomBytes),
        projectId,
        sandbox,
        gatewayName: 'simulator',
        name: 'Simulator',
        enabled: true,
        enabledAt: now,
        createdAt: now,
      })
    }
    await recordAct(transaction, { projectId, sandbox: null, kind: 'project.created', actor, facts: { name } })
    const key = { ...making, projectId, sandbox, name: null, permissions: PERMISSIONS, actor }
    const { secretKey } = await createApiKey(transaction, key)
    return { projectId, secretKey }
  })
}

/** Requests a minute, by the name of the limit. */
export type Limits = Record<ProjectLimitName, number>

/** The column of each limit. */
const COLUMN_OF = {
  primary: 'primaryLimit',
  secondary: 'secondaryLimit',
  sandbox: 'sandboxLimit',
  client_address: 'clientAddressLimit',
  client_invoice: 'clientInvoiceLimit',
} as const satisfies Record<ProjectLimitName, keyof ProjectRow>

const NAMES = Object.keys(COLUMN_OF) as ProjectLimitName[]

/** The limits of a project, in display order. */
export function limitsOf(project: ProjectRow): Limits {
  return Object.fromEntries(NAMES.map((name) => [name, project[COLUMN_OF[name]]])) as Limits
}

/**
 * Changes limits of a project from the next request on, in the caller's database transaction; the others stay.
 *
 * @param limits each from 1 to `LIMIT_MAX`.
 * @returns all limits as they were before; null where there is no such project.
 */
export async function setLimits(
  em: EntityManager,
  { projectId, limits, actor }: { projectId: string; limits: Partial<Limits>; actor: string },
): Promise<Limits | null> {
  const project = await lockProject(em, projectId)
  if (project === null) return null
  const before = limitsOf(project)
  const changed = NAMES.filter((name) => limits[name] !== undefined && limits[name] !== before[name])
  if (changed.length === 0) return before
  const columns = Object.fromEntries(changed.map((name) => [COLUMN_OF[name], limits[name]]))
  await em.nativeUpdate(ProjectEntity, { id: projectId }, columns)
  const facts = Object.fromEntries(changed.map((name) => [name, { from: before[name], to: limits[name] }]))
  await recordAct(em, { projectId, sandbox: null, kind: 'project.limits-changed', actor, facts })
  return before
}

/** The options that an operator can set for a project. */
export type ProjectOption =
  | 'acceptsPartialApprovals'
  | 'allowsClientCaptures'
  | 'allowsClientOverrides'
  | 'allowsClientAmounts'
  | 'pageOrigins'
  | 'defaultCurrency'
  | 'blocksStoppedPayments'
  | 'enforcesRetryAfter'
  | 'enforcesNetworkLimits'
  | 'requiresSecondFactor'
  | keyof NetworkLimits
  | keyof ClientFailureLimits

export type OptionValue = boolean | string | number | string[]

export interface OptionChange {
  projectId: string
  option: ProjectOption
  value: OptionValue
  actor: string
}

/**
 * Changes one option of a project from the next payment on, in the caller's database transaction.
 *
 * @returns false where there is no such project.
 */
export async function setProjectOption(
  em: EntityManager,
  { projectId, option, value, actor }: OptionChange,
): Promise<boolean> {
  const project = await lockProject(em, projectId)
  if (project === null) return false
  if (isDeepStrictEqual(project[option], value)) return true
  await em.nativeUpdate(ProjectEntity, { id: projectId }, { [option]: value } as Partial<ProjectRow>)
  const facts = { option, from: project[option], to: value }
  await recordAct(em, { projectId, sandbox: null, kind: 'project.option-changed', actor, facts })
  return true
}

/**
 * Suspends a project, or with null ends its suspension: no new money moves in either environment, from the commit of the
 * caller's transaction on. What has begun is completed. A suspended project keeps its date.
 *
 * @returns the project as it was; null where there is none.
 */
export async function setSuspended(
  em: EntityManager,
  { projectId, suspendedAt, actor }: { projectId: string; suspendedAt: Date | null; actor: string },
): Promise<ProjectRow | null> {
  const project = await lockProject(em, projectId)
  if (project === null || (project.suspendedAt == null) === (suspendedAt === null)) return project
  await em.nativeUpdate(ProjectEntity, { id: projectId }, { suspendedAt })
  const kind = suspendedAt === null ? 'project.resumed' : 'project.suspended'
  const facts = project.suspendedAt == null ? {} : { suspended_at: project.suspendedAt.toISOString() }
  await recordAct(em, { projectId, sandbox: null, kind, actor, facts })
  return project
}

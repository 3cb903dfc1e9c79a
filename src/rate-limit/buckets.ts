import type { Environment } from '../../domain/environment.ts'
import {
  type BucketKind,
  CONNECTION_TEST_LIMIT,
  FAILED_AUTHENTICATION_LIMIT,
  INVITATION_LIMIT,
  LIMIT_MAX,
  OPEN_ROUTE_LIMIT,
  REFUSED_NOTIFICATION_LIMIT,
  SIGN_IN_ADDRESS_LIMIT,
  SIGN_IN_KNOWN_LIMIT,
} from '../../domain/rate-limits.ts'
import type { EntityManager } from '../persistence/orm.ts'

/** The remainder of a limit after a request; shown in the headers of every answer. */
export interface Usage {
  kind: BucketKind
  /** Requests a minute, and the capacity of the bucket. */
  limit: number
  isAllowed: boolean
  /** Never below 0. */
  remaining: number
  /** Until `remaining` grows by one: for a refused request, until it would be admitted. */
  moreInMs: number
}

/** The project data that every request needs. */
export interface AdmittedProject {
  projectId: string
  isSuspended: boolean
  allowsClientCaptures: boolean
  allowsClientOverrides: boolean
  allowsClientAmounts: boolean
}

/** Whose requests count towards a limit by address. */
export interface Network {
  /** As `192.0.2.1` or `2001:db8:1:2::/64`. */
  name: string
  /** How many times the limit of one address it has. */
  share: number
}

/** A project named without a secret, with the usage of the limit that is closest to empty. */
export interface AdmittedClient extends AdmittedProject {
  usage: Usage
}

export interface UsageRow {
  kind: BucketKind
  limit: number
  is_allowed: boolean
  remaining: number
  more_in_us: string
}

export interface ProjectColumns {
  project_id: string
  is_suspended: boolean
  allows_client_captures: boolean
  allows_client_overrides: boolean
  allows_client_amounts: boolean
}

export interface ClientQuestion {
  projectId: string
  environment: Environment
  /** See `networksOf`. */
  networks: readonly Network[]
  /** Null for a call about no invoice. */
  invoiceId: string | null
}

/**
 * Admits a client's call, which names a project without a secret. It counts towards the limit of its address and, if it is
 * about an invoice, of that invoice; never towards the merchant's limits. The invoice comes last, so that one caller cannot
 * block it for all others.
 *
 * @returns null where there is no such project.
 */
export async function admitClient(
  em: EntityManager,
  { projectId, environment, networks: [network = { name: '', share: 1 }, ...around], invoiceId }: ClientQuestion,
): Promise<AdmittedClient | null> {
  const owner = `${projectId} ${environment}`
  const [found] = await em.execute<(ProjectColumns & UsageRow & { invoice_limit: number })[]>(
    `select id as project_id, suspended_at is not null as is_suspended, allows_client_captures, allows_client_overrides,
            allows_client_amounts, client_invoice_limit as invoice_limit,
            'client_address' as kind, client_address_limit as "limit", taken.*
       from project, lateral take_requests('client_address', ?, client_address_limit) taken where id = ?`,
    [`${owner} ${network.name}`, projectId],
  )
  if (found === undefined) return null
  const others = bucketsOf('client_address', around, found.limit, owner)
  if (invoiceId !== null)
    others.push({ kind: 'client_invoice', subject: `${owner} ${invoiceId}`, limit: found.invoice_limit })
  return { ...projectOf(found), usage: await takeFromEach(em, others, usageOf(found)) }
}

interface Bucket {
  kind: BucketKind
  subject: string
  limit: number
}

/** The buckets of networks, for a limit by address. */
function bucketsOf(kind: BucketKind, networks: readonly Network[], limit: number, owner?: string): Bucket[] {
  return networks.map(({ name, share }) => ({
    kind,
    subject: owner === undefined ? name : `${owner} ${name}`,
    limit: Math.min(limit * share, LIMIT_MAX),
  }))
}

/**
 * Takes a request from one bucket after the other, as long as it is admitted: a flood that one of them refuses takes nothing
 * from those of others.
 *
 * @param taken that of the bucket before.
 * @returns the usage of the one that refuses, or is closest to empty.
 */
async function takeFromEach(em: EntityManager, buckets: readonly Bucket[], taken?: Usage): Promise<Usage> {
  let closest = taken
  for (const { kind, subject, limit } of buckets) {
    if (closest?.isAllowed === false) break
    const usage = await takeRequest(em, kind, subject, limit)
    if (closest === undefined || !usage.isAllowed || usage.remaining < closest.remaining) closest = usage
  }
  if (closest === undefined) throw new Error('A request comes from no address.')
  return closest
}

/** Counts a call with wrong credentials towards the limit of its address. */
export function countFailedAuthentication(em: EntityManager, networks: readonly Network[]): Promise<Usage> {
  return takeFromEach(em, bucketsOf('failed_authentication', networks, FAILED_AUTHENTICATION_LIMIT))
}

/** Counts a notification without a valid proof of its gateway towards the limit of its address. */
export function countRefusedNotification(em: EntityManager, networks: readonly Network[]): Promise<Usage> {
  return takeFromEach(em, bucketsOf('refused_notification', networks, REFUSED_NOTIFICATION_LIMIT))
}

/** Counts a request that is answered without a key towards the limit of its address. */
export function countOpenRequest(em: EntityManager, networks: readonly Network[]): Promise<Usage> {
  return takeFromEach(em, bucketsOf('open_route', networks, OPEN_ROUTE_LIMIT))
}

/** Counts what somebody unknown does about an account: a try to sign in, the use of a one-time link. */
export function countStranger(em: EntityManager, networks: readonly Network[]): Promise<Usage> {
  return takeFromEach(em, bucketsOf('sign_in_address', networks, SIGN_IN_ADDRESS_LIMIT))
}

/**
 * Counts a try to sign in by a browser that knows the account.
 *
 * @param account a hash of the email address.
 */
export function countKnownSignIn(em: EntityManager, account: string): Promise<Usage> {
  return takeRequest(em, 'sign_in_known', account, SIGN_IN_KNOWN_LIMIT)
}

/** Counts an invitation towards the limit of its project, which is one of an hour. */
export function countInvitation(em: EntityManager, projectId: string): Promise<Usage> {
  return takeRequest(em, 'invitation', projectId, INVITATION_LIMIT, 3_600)
}

/** Counts a test of an account at its gateway, which has limits of its own. */
export function countConnectionTest(em: EntityManager, configurationId: string): Promise<Usage> {
  return takeRequest(em, 'connection_test', configurationId, CONNECTION_TEST_LIMIT)
}

async function takeRequest(
  em: EntityManager,
  kind: BucketKind,
  subject: string,
  limit: number,
  seconds = 60,
): Promise<Usage> {
  const [row] = await em.execute<Omit<UsageRow, 'kind' | 'limit'>[]>(
    'select * from take_requests(?, ?, ?, asked_seconds => ?)',
    [kind, subject, limit, seconds],
  )
  return usageOf({ kind, limit, ...(row as Omit<UsageRow, 'kind' | 'limit'>) })
}

/** Buckets deleted by one statement, during which requests for them wait. */
const DELETED_AT_ONCE = 10_000

/**
 * Deletes buckets that have been full for an hour: a missing bucket counts as full. Skips buckets in use, since waiting for
 * one while holding others could deadlock.
 *
 * @returns how many were deleted.
 */
export async function deleteFullBuckets(em: EntityManager, now: Date): Promise<number> {
  const before = (now.getTime() - 60 * 60 * 1000) * 1000
  const rows = await em.execute<{ count: number }[]>(
    `with full_buckets as materialized (
       select kind, subject from rate_limit_bucket where theoretical_arrival_us < ? limit ${DELETED_AT_ONCE}
          for update skip locked
     ), deleted as (
       delete from rate_limit_bucket bucket using full_buckets
        where bucket.kind = full_buckets.kind and bucket.subject = full_buckets.subject returning 1
     )
     select count(*)::integer as count from deleted`,
    [before],
  )
  return rows[0]?.count ?? 0
}

export function projectOf(row: ProjectColumns): AdmittedProject {
  return {
    projectId: row.project_id,
    isSuspended: row.is_suspended,
    allowsClientCaptures: row.allows_client_captures,
    allowsClientOverrides: row.allows_client_overrides,
    allowsClientAmounts: row.allows_client_amounts,
  }
}

export function usageOf(row: UsageRow): Usage {
  return {
    kind: row.kind,
    limit: row.limit,
    isAllowed: row.is_allowed,
    remaining: row.remaining,
    moreInMs: Number(row.more_in_us) / 1000,
  }
}

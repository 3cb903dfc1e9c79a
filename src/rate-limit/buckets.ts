import type { Environment } from '../../domain/environment.ts'
import { type BucketKind, FAILED_AUTHENTICATION_LIMIT, REFUSED_NOTIFICATION_LIMIT } from '../../domain/rate-limits.ts'
import type { EntityManager } from '../persistence/orm.ts'

/** What is left of a limit after a request; shown in the headers of every answer. */
export interface Usage {
  kind: BucketKind
  /** Requests a minute, and how many the bucket holds when it is full. */
  limit: number
  isAllowed: boolean
  /** Never below 0. */
  remaining: number
  /** Until one more is left than now: where the request was refused, until it would be admitted. */
  moreInMs: number
}

/** A project as far as every request needs to know it. */
export interface AdmittedProject {
  projectId: string
  isSuspended: boolean
  allowsClientCaptures: boolean
  allowsClientOverrides: boolean
  allowsClientAmounts: boolean
}

/** A project that was named without a secret, and what is left of the limits for such calls: the one that is closest. */
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
  /** See `addressBlock`. */
  address: string
  /** Null where the call is about none. */
  invoiceId: string | null
}

/**
 * Admits a call that names a project and no secret. It counts towards what one address may ask, and towards what may be
 * asked about one invoice where it is about one; never towards the limits of the merchant. The invoice is asked only where
 * the address was admitted, so that whoever has asked too much cannot lock an invoice for everybody else.
 *
 * @returns null where there is no such project.
 */
export async function admitClient(
  em: EntityManager,
  { projectId, environment, address, invoiceId }: ClientQuestion,
): Promise<AdmittedClient | null> {
  const owner = `${projectId} ${environment}`
  const [found] = await em.execute<(ProjectColumns & UsageRow & { invoice_limit: number })[]>(
    `select id as project_id, suspended_at is not null as is_suspended, allows_client_captures, allows_client_overrides,
            allows_client_amounts, client_invoice_limit as invoice_limit,
            'client_address' as kind, client_address_limit as "limit", taken.*
       from project, lateral take_requests('client_address', ?, client_address_limit) taken where id = ?`,
    [`${owner} ${address}`, projectId],
  )
  if (found === undefined) return null
  const [project, ofAddress] = [projectOf(found), usageOf(found)]
  if (!ofAddress.isAllowed || invoiceId === null) return { ...project, usage: ofAddress }
  const ofInvoice = await takeRequest(em, 'client_invoice', `${owner} ${invoiceId}`, found.invoice_limit)
  const isInvoiceCloser = !ofInvoice.isAllowed || ofInvoice.remaining < ofAddress.remaining
  return { ...project, usage: isInvoiceCloser ? ofInvoice : ofAddress }
}

/** Counts a call with wrong credentials towards what one address may try. */
export function countFailedAuthentication(em: EntityManager, address: string): Promise<Usage> {
  return takeRequest(em, 'failed_authentication', address, FAILED_AUTHENTICATION_LIMIT)
}

/** Counts a notification that no gateway was proven to have sent towards what one address may try. */
export function countRefusedNotification(em: EntityManager, address: string): Promise<Usage> {
  return takeRequest(em, 'refused_notification', address, REFUSED_NOTIFICATION_LIMIT)
}

async function takeRequest(em: EntityManager, kind: BucketKind, subject: string, limit: number): Promise<Usage> {
  const asked = [kind, subject, limit]
  const [row] = await em.execute<Omit<UsageRow, 'kind' | 'limit'>[]>('select * from take_requests(?, ?, ?)', asked)
  return usageOf({ kind, limit, ...(row as Omit<UsageRow, 'kind' | 'limit'>) })
}

/** Buckets deleted by one statement: as long as it runs, requests for them wait. */
const DELETED_AT_ONCE = 10_000

/**
 * Deletes buckets that have been full for an hour: one that is not there is full. Leaves alone those that are asked at
 * this moment, since a statement that waited for one of them while it held others could be waited for in turn.
 *
 * @returns how many there were.
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

import { CLIENT_FAILURE_WINDOW_MS } from '../../../../domain/client-failures.ts'
import type { VelocityPath } from '../../../../domain/routing/condition.ts'
import type { VelocityNeed, VelocityValues } from '../../../../domain/routing/velocity.ts'
import { VelocityRecordEntity } from '../../entities/velocity-record.ts'
import type { Reader } from '../../rows.ts'
import type { Unit } from '../../transact.ts'
import type { Scope } from '../scope.ts'

/** The columns that velocity rules count by. */
const COLUMNS: Readonly<Record<VelocityPath, string>> = {
  card_fingerprint: 'card_fingerprint',
  card_iin: 'card_iin',
  customer_id: 'customer_id',
  ip_address: 'ip_address',
}

/**
 * The newest records that a count reads. A count of thousands has exceeded any sensible limit long ago, and this many are
 * read within some 10 ms.
 */
export const VELOCITY_RECORDS_MAX = 10_000

export interface NewVelocityRecord {
  operationId: string
  invoiceId: string
  values: VelocityValues
  /** True for an attempt of a client. */
  isOfClient: boolean
  /** The payment's time, by which intervals are counted. */
  at: Date
  /** The wall-clock time, by which the record is deleted. */
  now: Date
}

/** Writes the velocity record of an attempt, in the caller's unit of work. */
export function createVelocityRecord(
  unit: Unit,
  { projectId, sandbox }: Scope,
  { operationId, invoiceId, values, isOfClient, at, now }: NewVelocityRecord,
): void {
  unit.insert(VelocityRecordEntity, {
    operationId,
    projectId,
    sandbox,
    invoiceId,
    cardFingerprint: values.card_fingerprint,
    cardIin: values.card_iin,
    customerId: values.customer_id,
    ipAddress: values.ip_address,
    isClientFailure: isOfClient,
    at,
    createdAt: now,
  })
}

interface Counted {
  exceptInvoiceId: string | null
  at: Date
  until?: Date | undefined
}

/**
 * Counts, for each need, the other payments of the project and environment with the same value and an attempt within the
 * interval before `at`; in one statement, which reads the records of each path once, however many intervals it is counted in.
 *
 * @param until of a payment that is decided once more: what was tried after this instant is not counted. Absent for one that is
 *   decided now, where every record counts: the clock of the process that wrote it may be ahead of ours.
 * @returns the counts by the keys of the needs, without needs for which this payment has no value.
 */
export async function countVelocities(
  reader: Reader,
  { projectId, sandbox }: Scope,
  needs: readonly VelocityNeed[],
  { exceptInvoiceId, at, until, ...values }: VelocityValues & Counted,
): Promise<Map<string, number>> {
  const since = (seconds: number) => new Date(at.getTime() - seconds * 1000)
  const counted = [...Map.groupBy(needs, ({ path }) => path)].flatMap(([path, ofPath]) => {
    const value = values[path]
    if (value === null) return []
    const longest = Math.max(...ofPath.map(({ intervalSeconds }) => intervalSeconds))
    const ofRecords = [projectId, sandbox, value, since(longest), until ?? 'infinity', exceptInvoiceId ?? '']
    const ofCounts = ofPath.flatMap(({ key, intervalSeconds }) => [key, since(intervalSeconds)])
    return [{ sql: countBy(COLUMNS[path], ofPath.length), values: [...ofCounts, ...ofRecords, VELOCITY_RECORDS_MAX] }]
  })
  if (counted.length === 0) return new Map()
  const rows = await reader.execute<{ counts: Record<string, number> }[]>(
    counted.map(({ sql }) => sql).join(' union all '),
    counted.flatMap(({ values }) => values),
  )
  return new Map(rows.flatMap(({ counts }) => Object.entries(counts)))
}

/** A payment lies within an interval if its newest attempt does. */
function countBy(column: string, intervals: number): string {
  const counts = Array.from({ length: intervals }, () => '?::text, count(*) filter (where at > ?)')
  return `select jsonb_build_object(${counts.join(', ')}) as counts
    from (
      select max(at) as at from (
        select invoice_id, at from velocity_record
         where project_id = ? and sandbox = ? and ${column} = ? and at > ? and at <= ? and invoice_id <> ?
         order by at desc limit ?) as newest
       group by invoice_id) as payment`
}

/**
 * Records whether an attempt of a client counts as a failure. Written at once: a command that fell back to another gateway
 * may have two outcomes in one database transaction, of which the later one counts.
 */
export async function recordClientFailure(unit: Unit, operationId: string, isFailure: boolean): Promise<void> {
  await unit.execute('update velocity_record set is_client_failure = ? where operation_id = ?', [
    isFailure,
    operationId,
  ])
}

/**
 * Whether an attempt of a client exceeds the limit of its invoice, its card or its project. Attempts under way count as
 * failed. Attempts with the same card wait for each other until the caller's database transaction ends.
 *
 * @param failedOfInvoice the number of failed attempts of the invoice.
 */
export async function hasTooManyClientFailures(
  unit: Unit,
  { projectId, sandbox }: Scope,
  { cardFingerprint, failedOfInvoice, now }: { cardFingerprint: string | null; failedOfInvoice: number; now: Date },
): Promise<boolean> {
  const since = new Date(now.getTime() - CLIENT_FAILURE_WINDOW_MS)
  const [row] = await unit.execute<{ too_many: boolean }[]>(
    'select has_too_many_client_failures(?, ?, ?, ?, ?) as too_many',
    [projectId, sandbox, cardFingerprint, failedOfInvoice, since],
  )
  return row?.too_many === true
}

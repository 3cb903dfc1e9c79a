import { CLIENT_FAILURE_WINDOW_MS } from '../../../../domain/client-failures.ts'
import type { VelocityPath } from '../../../../domain/routing/condition.ts'
import type { VelocityNeed, VelocityValues } from '../../../../domain/routing/velocity.ts'
import { VelocityRecordEntity } from '../../entities/velocity-record.ts'
import type { Reader } from '../../rows.ts'
import type { Unit } from '../../transact.ts'
import type { Scope } from '../scope.ts'

/** The columns that payments are counted by. */
const COLUMNS: Readonly<Record<VelocityPath, string>> = {
  card_fingerprint: 'card_fingerprint',
  card_iin: 'card_iin',
  customer_id: 'customer_id',
  ip_address: 'ip_address',
}

/**
 * Attempts that a count looks at, the newest first: a count of thousands asks for nothing but a limit that was passed
 * long ago, and this many are read within some 10 ms.
 */
export const VELOCITY_RECORDS_MAX = 10_000

export interface NewVelocityRecord {
  operationId: string
  invoiceId: string
  values: VelocityValues
  /** Whether a client makes the attempt. */
  isOfClient: boolean
  /** Of the payment's clock, by which intervals are counted. */
  at: Date
  /** Of the wall clock, by which the record is deleted. */
  now: Date
}

/** Notes what an attempt has in common with others, in the caller's unit of work. */
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

/**
 * Counts the other payments of the project and environment that an attempt was made of within each interval before `at`,
 * and that have the same value; in one statement.
 *
 * @returns the counts by the keys of the needs, without those of which this payment has no value.
 */
export async function countVelocities(
  reader: Reader,
  { projectId, sandbox }: Scope,
  needs: readonly VelocityNeed[],
  { exceptInvoiceId, at, ...values }: VelocityValues & { exceptInvoiceId: string | null; at: Date },
): Promise<Map<string, number>> {
  const counted = needs.flatMap((need) => {
    const value = values[need.path]
    return value === null ? [] : [{ ...need, value }]
  })
  if (counted.length === 0) return new Map()
  const rows = await reader.execute<{ key: string; count: number }[]>(
    counted.map(({ path }) => countBy(COLUMNS[path])).join(' union all '),
    counted.flatMap(({ key, value, intervalSeconds }) => [
      key,
      projectId,
      sandbox,
      value,
      new Date(at.getTime() - intervalSeconds * 1000),
      exceptInvoiceId ?? '',
      VELOCITY_RECORDS_MAX,
    ]),
  )
  return new Map(rows.map(({ key, count }) => [key, count]))
}

function countBy(column: string): string {
  return `select ?::text as key, count(distinct invoice_id)::integer as count
    from (
      select invoice_id from velocity_record
       where project_id = ? and sandbox = ? and ${column} = ? and at > ? and invoice_id <> ?
       order by at desc limit ?) as newest`
}

/**
 * Notes whether an attempt of a client counts as a failure. Written at once: a command that has gone on at another gateway
 * may have two outcomes in one database transaction, of which the later one counts.
 */
export async function recordClientFailure(unit: Unit, operationId: string, isFailure: boolean): Promise<void> {
  await unit.execute('update velocity_record set is_client_failure = ? where operation_id = ?', [
    isFailure,
    operationId,
  ])
}

/**
 * Whether an attempt of a client is one too many for its invoice, its card or its project. Attempts that are under way
 * count as failed, and those with the same card wait for one another until the caller's database transaction ends.
 *
 * @param failedOfInvoice how many have failed for the invoice.
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

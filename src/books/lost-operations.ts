import { setTimeout as sleep } from 'node:timers/promises'
import { isIdentifier, makeIdentifier } from '../../domain/identifiers.ts'
import { inOrder, type ListedOperation, type NamedOperation } from '../../domain/recovery.ts'
import type { Gateway, GatewayAccess, ListRequest, OperationPage } from '../gateways/gateway.ts'
import type { Orm } from '../persistence/orm.ts'
import { findRecordedPayments, type RecordedPayment } from '../persistence/queries/payments/lost-operations.ts'
import { findKnownOperations } from '../persistence/queries/payments/operations.ts'
import type { Scope } from '../persistence/queries/scope.ts'
import { StartupError } from '../startup-error.ts'
import { derivedBytes } from '../vault/derived-bytes.ts'

/** A page has up to a hundred payments, each of which may be read by itself. */
const PAGE_TIMEOUT_MS = 60_000

/** The waits before a page is asked for again, of a gateway that is down or allows no more calls for now. */
const WAITS_MS: readonly number[] = [1_000, 2_000, 5_000]

/** References or invoices that one statement looks for. */
const BATCH_SIZE = 1_000

/** An account with its owner, and what it is asked for. */
export interface ListedAccount {
  list: NonNullable<Gateway['listOperations']>
  access: GatewayAccess
  owner: Scope
  span: Pick<ListRequest, 'from' | 'until'>
}

/** A payment of which the gateway has done what the record does not know. */
export interface LostPayment {
  invoiceId: string
  /** Null where the record has lost the invoice as well. */
  record: RecordedPayment | null
  /** In the order in which they can be booked. */
  operations: NamedOperation[]
  /** Why nothing of it can be booked, in a sentence; null where it can. */
  problem: string | null
}

export interface Comparison {
  /** How many operations the gateway has listed. */
  listed: number
  /** How many of them are none of ours. */
  foreign: number
  lost: LostPayment[]
}

/**
 * Compares what an account has done with the record, and changes nothing.
 *
 * @param told is called after each page with the number of operations so far.
 * @throws StartupError where the gateway does not give its list.
 */
export async function findLostOperations(
  { orm, waitsMs = WAITS_MS }: { orm: Orm; waitsMs?: readonly number[] },
  account: ListedAccount,
  told: (operations: number) => void,
): Promise<Comparison> {
  const all = new Map<string, ListedOperation>()
  for await (const page of pagesOf(account, waitsMs)) {
    for (const operation of page) {
      const name = `${operation.gatewayAuthorizationId} ${nameOf(operation)}`
      // Each page dates a step by what it tells of the payment, and the latest is the nearest.
      all.set(name, { ...operation, at: Math.max(operation.at, all.get(name)?.at ?? 0) })
    }
    told(all.size)
  }
  const listed = [...all.values()]
  const ours = listed.flatMap((operation) => named(operation))
  const known = await findKnown(orm, ours)
  const records = await findRecords(orm, ours)
  const lost = [...Map.groupBy(ours, ({ invoiceId }) => invoiceId)].flatMap(([invoiceId, operations]) => {
    const record = records.get(invoiceId) ?? null
    const missing = operations.filter((one) => isLost(one, operations, { record, known }))
    if (missing.length === 0) return []
    return [{ invoiceId, record, operations: inOrder(missing), problem: problemOf(record, missing, account.owner) }]
  })
  return { listed: listed.length, foreign: listed.length - ours.length, lost }
}

async function* pagesOf(
  account: ListedAccount,
  waitsMs: readonly number[],
): AsyncGenerator<readonly ListedOperation[]> {
  let cursor: string | null = null
  do {
    const page: Extract<OperationPage, { kind: 'page' }> = await pageAt(account, cursor, waitsMs)
    if (page.next !== null && page.next === cursor) throw new StartupError('The gateway lists the same page again.')
    yield page.operations
    cursor = page.next
  } while (cursor !== null)
}

async function pageAt({ list, access, span }: ListedAccount, cursor: string | null, waitsMs: readonly number[]) {
  for (const waitMs of [...waitsMs, null]) {
    const page = await list({ ...access, ...span, cursor }, AbortSignal.timeout(PAGE_TIMEOUT_MS))
    if (page.kind === 'page') return page
    if (waitMs === null)
      throw new StartupError(`The gateway does not list what ${access.gatewayConfigurationId} has done: ${page.reason}`)
    await sleep(waitMs)
  }
  throw new Error('There is no wait after the last one.')
}

/** Of several operations without our reference those of one type are told apart by their amounts. */
function nameOf({ reference, type, amountMinor }: ListedOperation): string {
  return reference ?? `${type} ${amountMinor}`
}

/**
 * The operation under our reference, if it is ours. What was released of a payment of ours without one gets a reference that
 * is always the same; a refund without one was made past the service, and is found by the comparison of the books.
 */
function named(operation: ListedOperation): NamedOperation[] {
  const { type, invoiceId, gatewayAuthorizationId } = operation
  if (invoiceId === null || !isIdentifier('invoice', invoiceId)) return []
  const reference = operation.reference ?? (type === 'void' ? referenceOfRelease(gatewayAuthorizationId) : '')
  return isIdentifier('operation', reference) ? [{ ...operation, reference, invoiceId }] : []
}

const referenceOfRelease = (gatewayAuthorizationId: string) =>
  makeIdentifier('operation', derivedBytes(`release of ${gatewayAuthorizationId}`))

async function findKnown(orm: Orm, operations: readonly NamedOperation[]): Promise<Set<string>> {
  const known = new Set<string>()
  for (const batch of batches(operations.map(({ reference }) => reference)))
    for (const reference of await findKnownOperations(orm, batch)) known.add(reference)
  return known
}

async function findRecords(orm: Orm, operations: readonly NamedOperation[]): Promise<Map<string, RecordedPayment>> {
  const records = new Map<string, RecordedPayment>()
  for (const batch of batches([...new Set(operations.map(({ invoiceId }) => invoiceId))]))
    for (const [id, record] of await findRecordedPayments(orm.em.fork(), batch)) records.set(id, record)
  return records
}

function batches<One>(all: readonly One[]): One[][] {
  const count = Math.ceil(all.length / BATCH_SIZE)
  return Array.from({ length: count }, (_, index) => all.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE))
}

/**
 * Whether the record does not know the operation. That a gateway released a payment, which it tells without our reference, is
 * known where the record holds nothing of that authorization any more, or is about to learn of its own void.
 */
function isLost(
  { reference, gatewayAuthorizationId }: NamedOperation,
  ofPayment: readonly NamedOperation[],
  { record, known }: { record: RecordedPayment | null; known: ReadonlySet<string> },
): boolean {
  if (known.has(reference)) return false
  if (reference !== referenceOfRelease(gatewayAuthorizationId)) return true
  const authorization = ofPayment.find(
    (one) => one.type === 'authorization' && one.gatewayAuthorizationId === gatewayAuthorizationId,
  )
  if (authorization !== undefined && !known.has(authorization.reference)) return true
  const { gatewayAuthorizationId: current, reservedMinor = 0, isVoiding = false } = record ?? {}
  return current === gatewayAuthorizationId && reservedMinor > 0 && !isVoiding
}

function problemOf(record: RecordedPayment | null, operations: readonly NamedOperation[], owner: Scope): string | null {
  if (record !== null) {
    const isOwn = record.projectId === owner.projectId && record.sandbox === owner.sandbox
    return isOwn ? null : 'The invoice belongs to another project.'
  }
  const isWhole = operations.some(({ type }) => type === 'authorization')
  return isWhole ? null : 'The list begins after its authorization: ask for an earlier --since.'
}

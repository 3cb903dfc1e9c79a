import { compareBooks, type Listed, type SettlementLine } from '../../domain/books.ts'
import { presentReconciliationEventData } from '../objects/reconciliation.ts'
import type { ReconciliationRow } from '../persistence/entities/reconciliation.ts'
import {
  ReconciliationDifferenceEntity,
  type ReconciliationDifferenceRow,
} from '../persistence/entities/reconciliation-difference.ts'
import type { EntityManager, Orm } from '../persistence/orm.ts'
import {
  type FoundDifference,
  findOpenDifferences,
  resolveDifference,
  storeDifferences,
} from '../persistence/queries/reconciliations/differences.ts'
import {
  findAttemptsBetween,
  findAttemptsByGateway,
  findEntries,
  findPaymentsOf,
  type KnownEntry,
} from '../persistence/queries/reconciliations/entries.ts'
import { findBookedLines, findLinesOfRun, findNamedLines } from '../persistence/queries/reconciliations/lines.ts'
import { findListedSpan, holdReconciliation } from '../persistence/queries/reconciliations/runs.ts'
import { type ChangeDeps, fireProjectEvent, makeChanges } from '../persistence/queries/webhooks/project-event.ts'

export interface JudgeDeps extends ChangeDeps {
  orm: Orm
}

/** Lines, entries or differences that one database transaction looks at. */
const BATCH_SIZE = 200

const AGREED = 'Both sides agree by now.'

/**
 * Compares our books with all that an account has listed: what this run has listed, what has become due since the last run
 * on either side, and what was open. Each part is written for itself, and written again it changes nothing.
 */
export async function judgeBooks(
  deps: JudgeDeps,
  run: ReconciliationRow,
  graceMs: number,
  stopping?: AbortSignal,
): Promise<void> {
  const span = await findListedSpan(deps.orm.em.fork(), run)
  const listed: Listed = { until: span.listedUntil.getTime(), graceMs }
  const until = new Date(Math.max(listed.until - graceMs, span.judgedUntil.getTime()))
  const judge: Judge = async (find) => {
    stopping?.throwIfAborted()
    return deps.orm.em.fork().transactional(async (em) => {
      const names = await find(em)
      await write(deps, em, run, await findDifferences(em, run, names, listed))
      await holdReconciliation(em, run, deps.clock.now())
    })
  }
  await judgeLinesOfRun(judge, run)
  await judgeDueLines(judge, run, { from: span.judgedUntil, until })
  await judgeDueEntries(judge, run, { from: span.judgedUntil, until })
  await judgeOpenDifferences(deps, run, stopping)
  await complete(deps, run, until)
}

/** Names on either side: with all that shares one of them they are compared. */
interface Names {
  attemptIds?: readonly string[]
  lines?: readonly SettlementLine[]
}

/** Judges what `find` finds, in one database transaction. */
type Judge = (find: (em: EntityManager) => Promise<Names>) => Promise<void>

async function judgeLinesOfRun(judge: Judge, run: ReconciliationRow): Promise<void> {
  for (let after: string | null = ''; after !== null; )
    await judge(async (em) => {
      const lines = await findLinesOfRun(em, run, { after: after ?? '', limit: BATCH_SIZE })
      after = lines.length < BATCH_SIZE ? null : (lines.at(-1)?.id ?? null)
      return { lines }
    })
}

interface Span {
  from: Date
  until: Date
}

async function judgeDueLines(judge: Judge, run: ReconciliationRow, { from, until }: Span): Promise<void> {
  let place: { from: Date; after: string } | null = { from, after: '' }
  while (place !== null) {
    const here: { from: Date; after: string } = place
    await judge(async (em) => {
      const lines = await findBookedLines(em, run, { ...here, until, limit: BATCH_SIZE })
      const last = lines.length < BATCH_SIZE ? undefined : lines.at(-1)
      place = last === undefined ? null : { from: new Date(last.bookedAt), after: last.id }
      return { lines }
    })
  }
}

async function judgeDueEntries(judge: Judge, run: ReconciliationRow, { from, until }: Span): Promise<void> {
  let place: { createdAt: Date; id: string } | null = { createdAt: from, id: '' }
  while (place !== null) {
    const after: { createdAt: Date; id: string } = place
    await judge(async (em) => {
      const { attemptIds, last } = await findAttemptsBetween(em, run, { after, until, limit: BATCH_SIZE })
      place = last
      return { attemptIds }
    })
  }
}

/** What is open and is no difference any more has resolved itself. */
async function judgeOpenDifferences(
  { orm, clock }: JudgeDeps,
  run: ReconciliationRow,
  stopping?: AbortSignal,
): Promise<void> {
  // It was due when it was found, so that nothing of it is to be waited for.
  const listed = { until: Number.POSITIVE_INFINITY, graceMs: 0 }
  for (let after: string | null = ''; after !== null; ) {
    stopping?.throwIfAborted()
    const place: string = after
    await orm.em.fork().transactional(async (em) => {
      const open = await findOpenDifferences(em, run, { after: place, limit: BATCH_SIZE })
      after = open.length < BATCH_SIZE ? null : (open.at(-1)?.id ?? null)
      const left = new Set((await findDifferences(em, run, await namesOf(em, run, open), listed)).map(subjectOf))
      const by = `reconciliation:${run.id}`
      for (const difference of open)
        if (!left.has(`${difference.kind} ${difference.operationId ?? difference.lineId}`))
          await resolveDifference(em, difference, { by, reason: AGREED, now: clock.now() })
      await holdReconciliation(em, run, clock.now())
    })
  }
}

function subjectOf({ kind, entry, line }: FoundDifference): string {
  return `${kind} ${entry?.reference ?? line?.id}`
}

async function namesOf(
  em: EntityManager,
  run: ReconciliationRow,
  differences: readonly ReconciliationDifferenceRow[],
): Promise<Names> {
  const ids = differences.flatMap(({ lineId }) => lineId ?? [])
  const lines = await findNamedLines(em, run, { ids, references: [], gatewayReferences: [] })
  return { lines, attemptIds: differences.flatMap(({ operationId }) => operationId ?? []) }
}

/** How often names lead to further ones: from a line to its capture, to another capture of that payment, to its line. */
const ROUNDS = 3

/** Compares what has these names, and all that shares a name with it: a part of a payment could not be judged. */
async function findDifferences(
  em: EntityManager,
  run: ReconciliationRow,
  { attemptIds = [], lines = [] }: Names,
  listed: Listed,
): Promise<FoundDifference[]> {
  const knownLines = new Map(lines.map((line) => [line.id, line]))
  const knownEntries = new Map<string, KnownEntry>()
  let wanted: readonly string[] = attemptIds
  for (let round = 0; round < ROUNDS; round += 1) {
    const gatewayReferences = textsOf([...knownLines.values(), ...knownEntries.values()], 'gatewayReference')
    const byGateway = await findAttemptsByGateway(em, run, gatewayReferences)
    const ids = [...wanted, ...byGateway, ...textsOf([...knownLines.values()], 'reference')]
    for (const entry of await findEntries(em, run, [...new Set(ids)])) knownEntries.set(entry.reference, entry)
    wanted = []
    const entries = [...knownEntries.values()]
    const names = {
      references: [...knownEntries.keys()],
      gatewayReferences: textsOf([...entries, ...knownLines.values()], 'gatewayReference'),
    }
    for (const line of await findNamedLines(em, run, names)) knownLines.set(line.id, line)
  }
  return compareBooks([...knownEntries.values()], [...knownLines.values()], listed)
}

function textsOf<Name extends string>(rows: readonly Record<Name, string | null>[], name: Name): string[] {
  return [...new Set(rows.flatMap((row) => row[name] ?? []))]
}

async function write(
  { clock, randomBytes }: JudgeDeps,
  em: EntityManager,
  run: ReconciliationRow,
  found: readonly FoundDifference[],
): Promise<void> {
  const foreign = found.flatMap(({ entry, line }) => (entry === null && line !== null ? [line] : []))
  const names = [...textsOf(foreign, 'reference'), ...textsOf(foreign, 'gatewayReference')]
  const payments = await findPaymentsOf(em, run, names)
  await storeDifferences(em, run, found, {
    now: clock.now(),
    randomBytes,
    paymentOf: ({ line }) => payments.get(line?.reference ?? '') ?? payments.get(line?.gatewayReference ?? '') ?? null,
  })
}

/** Ends the run, and tells the merchant if it has found anything, in one database transaction. */
async function complete(deps: JudgeDeps, run: ReconciliationRow, judgedUntil: Date): Promise<void> {
  const { orm, clock } = deps
  await makeChanges(deps, orm.em.fork(), async (em, changes) => {
    const now = clock.now()
    const differencesCount = await em.count(ReconciliationDifferenceEntity, { reconciliationId: run.id })
    const done = { status: 'completed' as const, differencesCount, judgedUntil, completedAt: now, failure: null }
    await holdReconciliation(em, run, now, { ...done, nextTryAt: null, listCursor: null })
    if (differencesCount === 0) return
    const { projectId, sandbox } = run
    const name = 'reconciliation.differences-found'
    const data = presentReconciliationEventData(name, { ...run, ...done, nextTryAt: null, updatedAt: now })
    await fireProjectEvent(em, changes, { scope: { projectId, sandbox }, name, data })
  })
}

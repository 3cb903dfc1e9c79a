import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openCluster } from '../src/embedded/postgres-cluster.ts'
import { findPostgres, openPostgresHome } from '../src/embedded/postgres-program.ts'
import type { EntityManager } from '../src/persistence/orm.ts'
import { monotonicMs } from './load.ts'

/** Only loaded, and told to look at nothing: what is timed is timed without it. */
const SETTINGS = ["shared_preload_libraries = 'pg_stat_statements'", 'pg_stat_statements.track = none']

/** A connection hears of a new setting between two statements; those that are idle, at their next one. */
const HEARD_MS = 300

/** Longer than the pauses of the sweeps, so that each of them is seen. */
const IDLE_MS = 12_000
const IDLE_QUICK_MS = 3_000

/** BEGIN, COMMIT and their like, and PostgreSQL's own, when it looks after a foreign key at the end of a transaction. */
const NOT_OURS = [
  /^(begin|start transaction|commit|rollback|savepoint|release|abort|end)\b/i,
  /^SELECT (\$\d|1) FROM ONLY .* FOR KEY SHARE OF x$/,
]
const SIMULATORS = /\bsimulator\./
const SENT_BY_METER = /pg_stat_statements|pg_reload_conf|alter system/i

/**
 * What is counted of an operation, besides CPU time: statements of ours in PostgreSQL; those that only the simulator has, which
 * no other gateway needs; transactions that write, each of which waits for the disk when it ends; bytes of PostgreSQL's
 * write-ahead log; and of all histories that it writes to, workflow tasks, events and bytes.
 */
export type Counts = Partial<
  Record<
    'statements' | 'simulatorStatements' | 'commits' | 'walBytes' | 'workflowTasks' | 'events' | 'historyBytes',
    number
  >
>

/** What was counted of an operation, and which statements they were, the most frequent first. */
export interface Counted {
  counts: Counts
  statements: Statement[]
}

/** How often a statement is sent for one operation. */
export interface Statement {
  text: string
  calls: number
}

interface Reading {
  at: number
  /** By text. */
  calls: Map<string, number>
  transactionIds: number
  walBytes: number
}

/**
 * Makes the cluster that the servers will find, with `pg_stat_statements` in it: it has to be loaded when the server
 * starts. The settings of `npm start` stay what they are.
 *
 * @param folder as `startPostgres` is given it.
 */
export async function prepareStatementCounts(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o711 })
  const home = await openPostgresHome(folder, findPostgres(), () => undefined)
  const cluster = await openCluster(home.folder, home.program, true)
  await appendFile(join(cluster.folder, 'postgresql.conf'), `\n${SETTINGS.join('\n')}\n`)
}

/**
 * Counts what operations take of PostgreSQL, and takes off what the service does by itself, in proportion to the time.
 *
 * Commits are counted by the transaction ids that were given out: a transaction that writes or locks gets one, and waits
 * for the disk at its end; one that only reads does neither.
 *
 * @param run gives how many operations it made.
 */
export async function countStatements(
  em: EntityManager,
  run: () => Promise<number>,
  { quick, signal }: { quick: boolean; signal: AbortSignal },
): Promise<Counted> {
  await em.execute('create extension if not exists pg_stat_statements')
  await setTracking(em, 'top', signal)
  try {
    const idle = await readWhile(em, () => sleep(quick ? IDLE_QUICK_MS : IDLE_MS, undefined, { signal }))
    let operations = 0
    const busy = await readWhile(em, async () => {
      operations = await run()
    })
    const { counts, statements } = perOperation(idle, busy, operations)
    const { commits: _, walBytes: __, ...own } = counts
    return { counts: (await isAlone(em)) ? counts : own, statements }
  } finally {
    await setTracking(em, 'none', signal)
  }
}

/** Transaction ids and the log are those of the whole cluster, of which Temporal's server may have a part. */
async function isAlone(em: EntityManager): Promise<boolean> {
  const [{ others }] = await em.execute<[{ others: number }]>(
    `select count(*)::int as others from pg_database
     where not datistemplate and datname not in (current_database(), 'postgres')`,
  )
  return others === 0
}

async function setTracking(em: EntityManager, which: 'top' | 'none', signal: AbortSignal): Promise<void> {
  await em.execute(`alter system set pg_stat_statements.track = '${which}'`)
  await em.execute('select pg_reload_conf()')
  await sleep(HEARD_MS, undefined, { signal })
}

async function readWhile(em: EntityManager, run: () => Promise<void>): Promise<Reading> {
  const before = await read(em)
  await run()
  const after = await read(em)
  return {
    at: after.at - before.at,
    calls: new Map([...after.calls].map(([text, calls]) => [text, calls - (before.calls.get(text) ?? 0)])),
    transactionIds: after.transactionIds - before.transactionIds,
    walBytes: after.walBytes - before.walBytes,
  }
}

async function read(em: EntityManager): Promise<Reading> {
  const rows = await em.execute<{ text: string; calls: string }[]>(
    `select query as text, sum(calls)::text as calls from pg_stat_statements
     where dbid = (select oid from pg_database where datname = current_database()) group by query`,
  )
  const [position] = await em.execute<[{ transaction_ids: string; wal_bytes: string }]>(
    `select pg_snapshot_xmax(pg_current_snapshot())::text as transaction_ids,
            pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as wal_bytes`,
  )
  return {
    at: monotonicMs(),
    calls: new Map(
      rows
        .filter(({ text }) => !SENT_BY_METER.test(text) && !/pg_snapshot_xmax/.test(text))
        .map(({ text, calls }) => [text.replace(/\s+/g, ' ').trim(), Number(calls)]),
    ),
    transactionIds: Number(position.transaction_ids),
    walBytes: Number(position.wal_bytes),
  }
}

/** Pure: what is left of the busy time, an operation. */
export function perOperation(idle: Reading, busy: Reading, operations: number): Counted {
  const share = busy.at / idle.at
  const mean = (all: number, byItself: number) => (all - byItself * share) / operations
  const statements = [...busy.calls]
    .map(([text, calls]) => ({ text, calls: mean(calls, idle.calls.get(text) ?? 0) }))
    .filter(({ calls }) => calls > 0)
    .toSorted((one, other) => other.calls - one.calls)
  const texts = [...new Set([...busy.calls.keys(), ...idle.calls.keys()])]
  const sum = (isMeant: (text: string) => boolean) =>
    texts.filter(isMeant).reduce((all, text) => all + mean(busy.calls.get(text) ?? 0, idle.calls.get(text) ?? 0), 0)
  const isOurs = (text: string) => ![...NOT_OURS, SIMULATORS].some((other) => other.test(text))
  const simulatorStatements = sum((text) => SIMULATORS.test(text))
  return {
    counts: {
      statements: sum(isOurs),
      simulatorStatements,
      // Each statement of the simulator is a transaction of its own.
      commits: mean(busy.transactionIds, idle.transactionIds) - simulatorStatements,
      walBytes: mean(busy.walBytes, idle.walBytes),
    },
    statements,
  }
}

import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Orm } from '../src/persistence/orm.ts'
import { monotonicMs } from './load.ts'
import { type ProcessTime, readProcesses, readThreads, timeOf, timeOfTree } from './machine.ts'

/**
 * Whose CPU time is told apart. `service` is API and worker in one process; `vacuum` is PostgreSQL's autovacuum, which is no part
 * of `postgres`. What the bench's own client takes is none of these.
 */
type Role = 'service' | 'temporal' | 'postgres' | 'vacuum'
const ROLES = ['service', 'temporal', 'postgres'] as const

/** CPU milliseconds an operation. */
export type CpuMs = Partial<Record<Role, number>>

/** How the names of programs begin that tell their role, among the children of the bench. */
const PROGRAMS = ['postgres', 'temporal'] as const

/** At rest nothing is left to do but what the servers do by themselves, which is less than this share of a core. */
const REST_SHARE = 0.1
const REST_MS = 250
const REST_TIMEOUT_MS = 10_000

/** A worker of the autovacuum lives for some tenths of a second. */
const SAMPLE_MS = 50

/** What one operation took: CPU of each role and thread, and bytes of PostgreSQL's write-ahead log. */
export interface Taken {
  operations: number
  cpuMs: CpuMs
  threadMs: Record<string, number>
  walBytes: number
}

export interface CostMeter {
  /** Finds out what is taken by itself while nobody asks for anything, which is then taken off, in proportion to the time. */
  learnIdle(milliseconds: number): Promise<void>
  /** Reads the meters before a run, and after it once everything that it has begun has come to rest. */
  measure<Run extends { results: readonly unknown[] }>(run: () => Promise<Run>): Promise<Run & Taken>
  /**
   * CPU milliseconds of the autovacuum for each byte of the log since the meter was made. It comes once a minute, for whatever
   * was written since: within the seconds of a run it would be chance.
   */
  vacuumMsPerByte(): Promise<number>
}

export async function createCostMeter(orm: Orm, signal: AbortSignal): Promise<CostMeter> {
  const vacuum = watchAutovacuum(signal)
  const readTimes = () => {
    const { service = 0, temporal = 0, postgres = 0 } = timesByRole(readProcesses(), process.pid)
    return { service, temporal, postgres: postgres - vacuum.totalMs() }
  }
  const walBytes = async () => {
    const sql = "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as bytes"
    return Number((await orm.em.fork().execute<[{ bytes: string }]>(sql))[0].bytes)
  }
  const firstByte = await walBytes()

  async function rest(): Promise<void> {
    for (let [last, waited] = [totalOf(readTimes()), 0]; waited < REST_TIMEOUT_MS; waited += REST_MS) {
      await sleep(REST_MS, undefined, { signal })
      const now = totalOf(readTimes())
      if (now - last < REST_SHARE * REST_MS) return
      last = now
    }
  }

  const read = async () => {
    return { times: readTimes(), threads: readThreads(), bytes: await walBytes(), at: monotonicMs() }
  }
  let idlePerMs: Partial<Record<Role, number>> = {}
  return {
    async learnIdle(milliseconds) {
      await rest()
      const before = await read()
      await sleep(milliseconds, undefined, { signal })
      const after = await read()
      idlePerMs = perOperation(before.times, after.times, after.at - before.at)
    },
    async measure(run) {
      await rest()
      const before = await read()
      const result = await run()
      await rest()
      const after = await read()
      const operations = result.results.length
      const tookMs = after.at - before.at
      const busy = perOperation(before.times, after.times, operations)
      return {
        ...result,
        operations,
        cpuMs: Object.fromEntries(
          ROLES.map((role) => [role, busy[role] - ((idlePerMs[role] ?? 0) * tookMs) / operations]),
        ),
        threadMs: perOperation(before.threads, after.threads, operations),
        walBytes: (after.bytes - before.bytes) / operations,
      }
    },
    vacuumMsPerByte: async () => vacuum.totalMs() / Math.max(1, (await walBytes()) - firstByte),
  }
}

/** Counts the CPU of PostgreSQL's autovacuum, whose workers come and go: what each had when it was last seen. */
function watchAutovacuum(signal: AbortSignal): { totalMs(): number } {
  const postmaster = readProcesses().find(
    (one) => one.parentPid === process.pid && one.name.startsWith('postgres'),
  )?.pid
  const seen = new Map<string, { isWorker: boolean; ms: number }>()
  const look = () => {
    for (const pid of readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ')) {
      if (seen.get(pid)?.isWorker === false) continue
      const title = titleOf(pid)
      // Before it has a title of its own, it may become anything.
      if (!title.startsWith('postgres: ')) continue
      const isWorker = title.includes('autovacuum worker')
      seen.set(pid, { isWorker, ms: isWorker ? timeOf(Number(pid)) : 0 })
    }
  }
  if (postmaster !== undefined) {
    const timer = setInterval(look, SAMPLE_MS).unref()
    signal.addEventListener('abort', () => clearInterval(timer))
  }
  return { totalMs: () => [...seen.values()].reduce((sum, { ms }) => sum + ms, 0) }
}

/** Empty where the process has ended. */
function titleOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** Of what was not there before, all of it. */
function perOperation<Name extends string>(
  before: Partial<Record<Name, number>>,
  after: Record<Name, number>,
  operations: number,
): Record<Name, number> {
  const names = Object.keys(after) as Name[]
  const taken = names.map((name) => [name, ((after[name] ?? 0) - (before[name] ?? 0)) / operations] as const)
  return Object.fromEntries(taken) as Record<Name, number>
}

/** Pure: CPU milliseconds of each role so far; the process `pid` is the service, and its children are known by their programs. */
export function timesByRole(processes: readonly ProcessTime[], pid: number): CpuMs {
  const times: CpuMs = { service: processes.find((one) => one.pid === pid)?.ownMs ?? 0 }
  for (const child of processes.filter(({ parentPid }) => parentPid === pid)) {
    const role = PROGRAMS.find((program) => child.name.startsWith(program))
    if (role !== undefined) times[role] = (times[role] ?? 0) + timeOfTree(processes, child.pid)
  }
  return times
}

/** The mean of what repeats took, name by name. */
export function meanOf(repeats: readonly Partial<Record<string, number>>[]): Record<string, number> {
  const names = [...new Set(repeats.flatMap(Object.keys))]
  const mean = (name: string) => repeats.reduce((sum, repeat) => sum + (repeat[name] ?? 0), 0) / repeats.length
  return Object.fromEntries(names.map((name) => [name, mean(name)]))
}

export function totalOf(cpuMs: CpuMs): number {
  return Object.values(cpuMs).reduce((sum, ms) => sum + ms, 0)
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Core } from '../src/processes/core.ts'
import { type ProcessTime, readProcesses, readThreads, timeOfTree } from './machine.ts'
import { type Counted, type Counts, countStatements } from './statement-counts.ts'

/**
 * Whose CPU time is told apart. `service` is API and worker in one process; where they have processes of their own it is
 * `api` and `worker`, all of a kind together. What the bench's own client takes is no part of these.
 */
export type Role = 'service' | 'api' | 'worker' | 'temporal' | 'postgres'

/** CPU milliseconds an operation. */
export type CpuMs = Partial<Record<Role, number>>

/** How the names of programs begin that tell their role, among the children of the bench. */
const PROGRAMS: readonly Role[] = ['postgres', 'temporal']

/** At rest nothing is left to do but what the servers do by themselves, which is less than this share of a core. */
const REST_SHARE = 0.1
const REST_MS = 300
const REST_TIMEOUT_MS = 10_000

/** What one operation, named in the singular, takes of each process and server, besides time. */
export interface Costs extends Partial<Counted> {
  operation: string
  cpuMs: CpuMs
  counts: Counts
}

/** CPU of one run, for each of its operations: of each process, and of each thread of this process. */
export interface CpuTaken {
  operations: number
  cpuMs: CpuMs
  threadMs: Record<string, number>
}

/** Tells what operations take of the processes and servers of a stage. */
export interface CostMeter {
  /** Has CPU times read before a run, and after it once everything that it has begun has come to rest. */
  cpu<Result>(
    run: () => Promise<Result>,
    operationsOf: (result: Result) => number,
  ): Promise<{ result: Result } & CpuTaken>
  /**
   * Has statements, commits and bytes of the log counted. Counting costs a little, so it is done in a run of its own, which
   * is not timed and gives how many operations it made; what the service does by itself meanwhile is taken off.
   */
  database(run: () => Promise<number>): Promise<Counted>
  /** Of these workflows, all that these operations have written to. */
  histories(workflowIds: readonly string[], operations: number): Promise<Counts>
  /** Waits until the stage has come to rest, or for ten seconds. */
  rest(): Promise<void>
}

export interface CostMeterOptions {
  core: Core
  /** The role of this process without its children; undefined where it is nothing but the bench. */
  own: Role | undefined
  /** The roles of processes whose program does not tell, with all their children. */
  roles: ReadonlyMap<number, Role>
  quick: boolean
  signal: AbortSignal
}

export function createCostMeter({ core, own, roles, quick, signal }: CostMeterOptions): CostMeter {
  const readTimes = () => timesByRole(readProcesses(), { pid: process.pid, own, roles })

  async function rest(): Promise<void> {
    const total = () => totalOf(readTimes())
    for (let [last, waited] = [total(), 0]; waited < REST_TIMEOUT_MS; waited += REST_MS) {
      await sleep(REST_MS, undefined, { signal })
      const now = total()
      if (now - last < REST_SHARE * REST_MS) return
      last = now
    }
  }

  return {
    rest,
    async cpu(run, operationsOf) {
      await rest()
      const [before, threadsBefore] = [readTimes(), readThreads()]
      const result = await run()
      await rest()
      const [after, threadsAfter] = [readTimes(), readThreads()]
      const operations = operationsOf(result)
      const threadMs = perOperation(threadsBefore, threadsAfter, operations)
      return { result, operations, cpuMs: perOperation(before, after, operations), threadMs }
    },
    database(run) {
      const runToRest = async () => {
        const operations = await run()
        await rest()
        return operations
      }
      return countStatements(core.orm.em.fork(), runToRest, { quick, signal })
    },
    async histories(workflowIds, operations) {
      const sums = { workflowTasks: 0, events: 0, historyBytes: 0 }
      for (const workflowId of workflowIds) {
        const handle = core.temporal.clients.sandbox.workflow.getHandle(workflowId)
        const [{ historySize }, { events }] = [await handle.describe(), await handle.fetchHistory()]
        sums.historyBytes += historySize ?? 0
        sums.events += events?.length ?? 0
        sums.workflowTasks += (events ?? []).filter((event) => event.workflowTaskScheduledEventAttributes).length
      }
      return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, sum / operations]))
    },
  }
}

/** Of what was not there before, all of it. */
function perOperation<Name extends string>(
  before: Partial<Record<Name, number>>,
  after: Partial<Record<Name, number>>,
  operations: number,
): Record<Name, number> {
  const taken = (Object.keys(after) as Name[]).map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)] as const)
  return Object.fromEntries(taken.map(([name, ms]) => [name, ms / operations])) as Record<Name, number>
}

/** Pure: CPU milliseconds of each role so far. What is neither named nor known by its program has none. */
export function timesByRole(
  processes: readonly ProcessTime[],
  { pid, own, roles }: { pid: number; own: Role | undefined; roles: ReadonlyMap<number, Role> },
): CpuMs {
  const times: CpuMs = {}
  const add = (role: Role, time: number) => {
    times[role] = (times[role] ?? 0) + time
  }
  if (own !== undefined) add(own, processes.find((one) => one.pid === pid)?.ownMs ?? 0)
  for (const child of processes.filter(({ parentPid }) => parentPid === pid)) {
    const role = roles.get(child.pid) ?? PROGRAMS.find((program) => child.name.startsWith(program))
    if (role !== undefined) add(role, timeOfTree(processes, child.pid))
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

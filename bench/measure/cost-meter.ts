import { setTimeout as sleep } from 'node:timers/promises'
import type { Core } from '../../src/processes/core.ts'
import type { Costs, Role } from './costs.ts'
import { type ProcessTime, readProcesses, timeOfTree } from './process-tree.ts'
import { countStatements } from './statement-counts.ts'
import { readThreads } from './threads.ts'

/** How the names of programs begin that tell their role, among the children of the bench. */
const PROGRAMS: readonly Role[] = ['postgres', 'temporal']

/** Below this share of a core nothing is left to do but what the servers do by themselves. */
const REST_SHARE = 0.1
const REST_MS = 300
const REST_TIMEOUT_MS = 10_000

/** Tells what operations take of the processes and servers of a stage. */
export interface CostMeter {
  /**
   * Has CPU times read before a run, and after it once everything that it has begun has come to rest.
   *
   * @param run gives its result, and how many operations it made.
   * @returns with what the threads of this process have taken, for whoever wants to know where `service` comes from.
   */
  cpu<Result>(
    run: () => Promise<{ result: Result; operations: number }>,
  ): Promise<{ result: Result; cpuMs: Costs['cpuMs']; threadMs: Record<string, number> }>
  /**
   * Has statements, commits and bytes of the log counted. Counting costs a little, so it is done in a run of its own,
   * which is not timed; what the service does by itself meanwhile is measured before and taken off.
   *
   * @param run gives how many operations it made.
   */
  database(run: () => Promise<number>): Promise<Pick<Costs, 'counts' | 'statements'>>
  /** Reads the histories of these workflows, of all that these operations have written to. */
  histories(workflowIds: readonly string[], operations: number): Promise<Costs['counts']>
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
    const total = () => Object.values(readTimes()).reduce((sum, time) => sum + time, 0)
    for (let [last, waited] = [total(), 0]; waited < REST_TIMEOUT_MS; waited += REST_MS) {
      await sleep(REST_MS, undefined, { signal })
      const now = total()
      if (now - last < REST_SHARE * REST_MS) return
      last = now
    }
  }

  return {
    rest,
    async cpu(run) {
      await rest()
      const [before, threadsBefore] = [readTimes(), readThreads()]
      const { result, operations } = await run()
      await rest()
      const [after, threadsAfter] = [readTimes(), readThreads()]
      return {
        result,
        cpuMs: perOperation(before, after, operations),
        threadMs: perOperation(threadsBefore, threadsAfter, operations),
      }
    },
    database: (run) =>
      countStatements(
        core.orm.em.fork(),
        async () => {
          const operations = await run()
          await rest()
          return operations
        },
        { quick, signal },
      ),
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
  const names = Object.keys(after) as Name[]
  return Object.fromEntries(
    names.map((name) => [name, ((after[name] ?? 0) - (before[name] ?? 0)) / operations]),
  ) as Record<Name, number>
}

/** Pure: CPU milliseconds of each role so far. What is neither named nor known by its program has none. */
export function timesByRole(
  processes: readonly ProcessTime[],
  { pid, own, roles }: { pid: number; own: Role | undefined; roles: ReadonlyMap<number, Role> },
): Partial<Record<Role, number>> {
  const times: Partial<Record<Role, number>> = {}
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

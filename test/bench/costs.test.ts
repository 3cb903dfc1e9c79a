import { describe, expect, test } from '@jest/globals'
import { timesByRole } from '../../bench/costs.ts'
import type { ProcessTime } from '../../bench/machine.ts'
import { perOperation } from '../../bench/statement-counts.ts'

function made(pid: number, parentPid: number, name: string, ownMs: number, endedMs = 0): ProcessTime {
  return { pid, parentPid, name, ownMs, endedMs }
}

/** A bench with a client, PostgreSQL with two backends of which one has ended, Temporal, and somebody else's PostgreSQL. */
const processes = [
  made(1, 0, 'init', 1_000),
  made(10, 1, 'node', 100, 70),
  made(11, 10, 'postgres', 5, 20),
  made(12, 11, 'postgres', 30),
  made(13, 10, 'temporal-1.9.1-', 40),
  made(14, 10, 'node', 500),
  made(15, 14, 'node', 3),
  made(90, 1, 'postgres', 9_000),
]

describe('CPU time by role', () => {
  const roles = new Map()

  test('counts neither the client nor the servers of others', () => {
    const times = timesByRole(processes, { pid: 10, own: 'service', roles })
    expect(times).toEqual({ service: 100, postgres: 55, temporal: 40 })
  })

  test('gives the bench itself no role where API and worker are processes of their own', () => {
    const times = timesByRole(processes, { pid: 10, own: undefined, roles: new Map([[14, 'api']]) })
    expect(times).toEqual({ api: 503, postgres: 55, temporal: 40 })
  })
})

describe('What an operation takes of PostgreSQL', () => {
  const reading = (at: number, calls: Record<string, number>, transactionIds: number, walBytes: number) => ({
    at,
    calls: new Map(Object.entries(calls)),
    transactionIds,
    walBytes,
  })
  const check = 'SELECT $2 FROM ONLY "public"."invoice" x WHERE "id" OPERATOR(pg_catalog.=) $1 FOR KEY SHARE OF x'
  const simulated = 'insert into simulator.request values ($1)'
  const idle = reading(1_000, { sweep: 2 }, 1, 100)
  const busy = reading(2_000, { sweep: 4, begin: 10, COMMIT: 10, work: 30, [check]: 20, [simulated]: 10 }, 22, 1_200)
  const { counts, statements } = perOperation(idle, busy, 10)

  test('leaves out what the service does by itself, in proportion to the time', () => {
    expect(statements.map(({ text }) => text)).not.toContain('sweep')
    expect(counts.commits).toBe(1)
    expect(counts.walBytes).toBe(100)
  })

  test('counts neither BEGIN and COMMIT nor the checks of foreign keys nor the simulator as statements of ours', () => {
    expect(counts).toMatchObject({ statements: 3, simulatorStatements: 1 })
  })
})

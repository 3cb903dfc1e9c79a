import { expect, test } from '@jest/globals'
import { timesByRole } from '../../bench/costs.ts'
import type { ProcessTime } from '../../bench/machine.ts'

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

test('CPU time by role counts neither the client nor the servers of others', () => {
  expect(timesByRole(processes, 10)).toEqual({ service: 100, postgres: 55, temporal: 40 })
})

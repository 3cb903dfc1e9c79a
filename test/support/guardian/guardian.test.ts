import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from '@jest/globals'
import { processStartMark } from '../../../src/embedded/process-table.ts'
import { waitFor } from '../wait-for.ts'

const RUN = fileURLToPath(new URL('./abandoned-run.ts', import.meta.url))
const RUNS = join(tmpdir(), `holdfast-tests-${userInfo().uid}`)

const runs: ChildProcess[] = []
afterAll(() => {
  for (const run of runs) run.kill('SIGKILL')
})

/** Starts a run in a process of its own and waits for its servers. */
async function startRun() {
  const child = spawn(process.execPath, [RUN], { stdio: ['ignore', 'pipe', 'inherit'] })
  runs.push(child)
  const [line] = await once(createInterface(child.stdout), 'line')
  const guardianPid = Number(line)
  const folder = join(RUNS, String(guardianPid))
  const pidIn = (...path: string[]) => Number.parseInt(readFileSync(join(...path), 'utf8'), 10)
  const postgresData = readFileSync(join(folder, 'postgres-data'), 'utf8')
  const pids = [pidIn(postgresData, 'postmaster.pid'), pidIn(folder, 'temporal', 'temporal.pid')]
  return { child, guardianPid, folder, serversRunning: () => pids.filter((pid) => processStartMark(pid) !== undefined) }
}

describe('the servers of a test run', () => {
  test('end, and leave no data, when the run is killed', async () => {
    const { child, guardianPid, folder, serversRunning } = await startRun()
    expect(serversRunning()).toHaveLength(2)
    child.kill('SIGKILL')
    await waitFor(() => processStartMark(guardianPid) === undefined)
    expect(serversRunning()).toEqual([])
    expect(existsSync(folder)).toBe(false)
  })

  test('are ended by the next run when even their guardian was killed', async () => {
    const killed = await startRun()
    process.kill(killed.guardianPid, 'SIGKILL')
    killed.child.kill('SIGKILL')
    await waitFor(() => processStartMark(killed.guardianPid) === undefined)
    expect(killed.serversRunning()).toHaveLength(2)

    const next = await startRun()
    expect(killed.serversRunning()).toEqual([])
    expect(existsSync(killed.folder)).toBe(false)
    expect(next.serversRunning()).toHaveLength(2)
    next.child.kill('SIGKILL')
    await waitFor(() => next.serversRunning().length === 0)
  })
})

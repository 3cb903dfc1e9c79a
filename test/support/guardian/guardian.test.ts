import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from '@jest/globals'
import { processStartMark } from '../process-start-mark.ts'
import { waitFor } from '../wait-for.ts'

const RUN = fileURLToPath(new URL('./abandoned-run.ts', import.meta.url))

/** A folder for temporary files that no other run of the machine has, which would end what it finds abandoned there. */
const TEMPORARY = mkdtempSync(join(tmpdir(), 'holdfast-guardian-'))
// The user that runs PostgreSQL for root must be able to pass through.
chmodSync(TEMPORARY, 0o711)
const RUNS = join(TEMPORARY, `holdfast-tests-${userInfo().uid}`)

const runs: ChildProcess[] = []
afterAll(async () => {
  for (const run of runs) run.kill('SIGKILL')
  await waitFor(() => !existsSync(RUNS) || readdirSync(RUNS).length === 0)
  rmSync(TEMPORARY, { recursive: true, force: true })
})

/** Starts a run in a process of its own and waits for its servers. */
async function startRun() {
  const child = spawn(process.execPath, [RUN], {
    env: { ...process.env, TMPDIR: TEMPORARY },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
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
  test('end, and leave no data, when the run is killed, and when even their guardian was, by the next run', async () => {
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
    await waitFor(() => processStartMark(next.guardianPid) === undefined)
    expect(next.serversRunning()).toEqual([])
    expect(existsSync(next.folder)).toBe(false)
  })
})

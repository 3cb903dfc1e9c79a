import { existsSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Launched, launch } from '../journeys/launched.ts'

const RUNS = join(tmpdir(), `holdfast-chaos-${userInfo().uid}`)

const runs: Launched[] = []
afterAll(async () => {
  for (const run of runs) {
    run.kill('SIGTERM')
    await run.exited()
  }
})

function start(...args: string[]): Launched {
  const { TEMPORAL_CLI_PATH } = process.env
  const environment = TEMPORAL_CLI_PATH === undefined ? {} : { TEMPORAL_CLI_PATH }
  const run = launch('test/chaos/chaos.ts', environment, args)
  runs.push(run)
  return run
}

const hasLeftFolder = ({ pid }: Launched) => existsSync(join(RUNS, String(pid)))

/** At most two of each part, so that two rounds of cells that are broken together try all of them. */
const CELLS = [
  ...['stop/api', 'stop/worker', 'stop/temporal', 'fast-shutdown/postgres', 'reset-after/gateway', 'kill/receiver'],
  ...['kill/api', 'half-open/worker', 'no-route/temporal', 'disk-full/postgres', 'error-after/gateway'],
  'kill/codec-server',
]

describe('npm run chaos', () => {
  let killing: Launched
  let breaking: Launched
  beforeAll(() => {
    // Both at the same time: most of it is waiting.
    killing = start('--kills=2', '--interval=1', '--rate=2', '--trouble=3', '--seed=4')
    breaking = start('--together', '--cell', ...CELLS, '--lasts=2', '--rate=0.5', '--trouble=3', '--seed=4')
  })

  test('kills processes under payments, finds each of them once and every event at its targets, and leaves nothing behind', async () => {
    const exit = await killing.exited()
    const report = killing.output()
    expect(report).toContain('PASSED: no payment was lost or made twice, every event reached each of its targets')
    expect(exit).toBe(0)
    const killed = /killed +worker (\d+), api (\d+), temporal (\d+), postgres (\d+), receiver (\d+)/.exec(report)
    expect((killed ?? []).slice(1).reduce((sum, count) => sum + Number(count), 0)).toBe(2)
    const acknowledged = /(\d+) authorizations, (\d+) captures/.exec(report) ?? []
    expect(Math.min(...acknowledged.slice(1).map(Number))).toBeGreaterThan(0)
    // That of the authorization and that of the capture: each event of a payment has a target.
    expect(Number(/deliveries expected +(\d+)/.exec(report)?.[1])).toBeGreaterThanOrEqual(2)
    expect(hasLeftFolder(killing)).toBe(false)
  })

  test('breaks a part in a way of its own, twelve times, and finds every payment as it was told', async () => {
    const exit = await breaking.exited()
    const report = breaking.output()
    expect(report).toContain('PASSED: in every cell the books of merchants, record, gateway and webhooks agree.')
    expect(exit).toBe(0)
    for (const cell of CELLS)
      expect(report).toMatch(new RegExp(`--cell ${cell} --seed 4 .*\` \\| \\S+ \\| [1-9]|\`${cell}\` \\| only root`))
    expect(hasLeftFolder(breaking)).toBe(false)
  })

  test('stops at Ctrl-C, leaves nothing behind, and does not look like a run that passed', async () => {
    const run = start()
    await run.printed('PostgreSQL runs')
    run.kill('SIGINT')
    expect(await run.exited()).toBe(1)
    expect(run.output()).not.toContain('PASSED')
    expect(hasLeftFolder(run)).toBe(false)
  })
})

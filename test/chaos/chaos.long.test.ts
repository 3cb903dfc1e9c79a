import { existsSync, readdirSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
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

/** The folders of runs that this test has started. */
function folders(): string[] {
  return existsSync(RUNS) ? readdirSync(RUNS).filter((name) => runs.some(({ pid }) => name === String(pid))) : []
}

describe('npm run chaos', () => {
  test('kills processes under payments, finds each of them once and every event at its targets, and leaves nothing behind', async () => {
    const run = start('--kills=2', '--interval=1', '--rate=4', '--trouble=3', '--seed=4')
    const exit = await run.exited()
    const report = run.output()
    expect(report).toContain('PASSED: no payment was lost or made twice, every event reached each of its targets')
    expect(exit).toBe(0)
    const killed = /killed +worker (\d+), api (\d+), temporal (\d+), postgres (\d+), receiver (\d+)/.exec(report)
    expect((killed ?? []).slice(1).reduce((sum, count) => sum + Number(count), 0)).toBe(2)
    const acknowledged = /(\d+) authorizations, (\d+) captures/.exec(report) ?? []
    expect(Math.min(...acknowledged.slice(1).map(Number))).toBeGreaterThan(0)
    // That of the authorization and that of the capture: each event of a payment has a target.
    expect(Number(/deliveries expected +(\d+)/.exec(report)?.[1])).toBeGreaterThanOrEqual(2)
    expect(folders()).toEqual([])
  })

  test('breaks a part in a way of its own, twelve times, and finds every payment as it was told', async () => {
    const cells = [
      ...['stop/api', 'stop/worker', 'stop/postgres', 'stop/temporal', 'kill/receiver', 'reset/postgres'],
      ...[
        'half-open/worker',
        'no-route/temporal',
        'reset-after/gateway',
        'fast-shutdown/postgres',
        'read-only/postgres',
        'disk-full/postgres',
      ],
    ]
    const run = start('--cell', ...cells, '--lasts=2', '--no-apart', '--seed=4')
    const exit = await run.exited()
    const report = run.output()
    expect(report).toContain('PASSED: in every cell the books of merchants, record, gateway and webhooks agree.')
    expect(exit).toBe(0)
    for (const cell of cells)
      expect(report).toMatch(new RegExp(`--cell ${cell} --seed 4\` \\| [1-9]|\`${cell}\` \\| not tried: only root`))
    expect(folders()).toEqual([])
  })

  test('stops at Ctrl-C, leaves nothing behind, and does not look like a run that passed', async () => {
    const run = start()
    await run.printed('PostgreSQL runs')
    run.kill('SIGINT')
    expect(await run.exited()).toBe(1)
    expect(run.output()).not.toContain('PASSED')
    expect(folders()).toEqual([])
  })
})

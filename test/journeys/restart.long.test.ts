import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { processStartMark } from '../support/process-start-mark.ts'
import { type Launched, launch, type Machine, makeMachine } from './launched.ts'

/** Several starts and stops of everything, on a machine that runs other tests as well. */
const TEST_TIMEOUT_MS = 300_000

let machine: Machine
let server: Launched
beforeAll(async () => {
  machine = await makeMachine()
  server = await machine.start()
}, TEST_TIMEOUT_MS)
afterAll(() => machine.remove(), TEST_TIMEOUT_MS)

const isGone = (pid: number) => processStartMark(pid) === undefined

describe('a machine on which everything is embedded', () => {
  test(
    'refuses a second instance on the same data, and one on a taken port, without harming the first',
    async () => {
      const second = launch('src/server.ts', machine.environment)
      expect(await second.exited()).toBe(1)
      expect(second.output()).toContain(`Holdfast is already running on ${machine.dataFolder} (process ${server.pid})`)

      const other = await makeMachine()
      const third = launch('src/server.ts', { ...other.environment, PORT: String(machine.environment.PORT) })
      expect(await third.exited()).toBe(1)
      expect(third.output()).toContain(`Port ${machine.environment.PORT} on 127.0.0.1 is taken by another program`)
      const fourth = launch('src/server.ts', {
        ...other.environment,
        PORT: '0',
        TEMPORAL_UI_PORT: String(machine.environment.TEMPORAL_UI_PORT),
      })
      expect(await fourth.exited()).toBe(1)
      expect(fourth.output()).toContain('set TEMPORAL_UI_PORT to a free port.')
      for (const { output } of [second, third, fourth]) expect(output()).not.toMatch(/^ +at /m)
      await other.remove()

      const { postgres, temporal } = await machine.servers()
      expect([server.pid, postgres, temporal].filter(isGone)).toEqual([])
    },
    TEST_TIMEOUT_MS,
  )

  test(
    'says which server has died, stops the rest and exits with 1; the next start works',
    async () => {
      const { postgres, temporal } = await machine.servers()
      process.kill(temporal, 'SIGKILL')
      expect(await server.exited()).toBe(1)
      expect(server.output()).toContain('Temporal ended by SIGKILL, so everything else stops too')
      expect(isGone(postgres)).toBe(true)
      server = await machine.start()
    },
    TEST_TIMEOUT_MS,
  )
})

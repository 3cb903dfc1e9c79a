import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { processStartMark } from '../support/process-start-mark.ts'
import { type Launched, type Machine, makeMachine } from './launched.ts'

let machine: Machine
let server: Launched
beforeAll(async () => {
  machine = await makeMachine()
  server = await machine.start()
})
afterAll(() => machine.remove())

const isGone = (pid: number) => processStartMark(pid) === undefined

describe('a machine on which everything is embedded', () => {
  test('says which server has died, stops the rest and exits with 1; the next start works', async () => {
    const { postgres, temporal } = await machine.servers()
    process.kill(temporal, 'SIGKILL')
    expect(await server.exited()).toBe(1)
    expect(server.output()).toContain('Temporal ended by SIGKILL, so everything else stops too')
    expect(isGone(postgres)).toBe(true)
    server = await machine.start()
  })
})

import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { expireInvoices } from '../../../src/sweeps/invoice-expiry.ts'
import { seededRandomBytes } from '../../../test/support/random.ts'
import { stackForFile } from '../../../test/support/stack-for-file.ts'
import { RECIPES } from '../src/trigger/recipes.ts'
import { credentialsOf, makeTerminal, type Terminal } from './terminal.ts'

const stack = stackForFile()
let terminal: Terminal
let sweeping: Promise<unknown> = Promise.resolve()
let timer: NodeJS.Timeout

beforeAll(async () => {
  terminal = await makeTerminal(stack.project.secretKey, credentialsOf(stack))
  // As worker processes do it every minute, a minute after the end.
  const { database } = stack
  const clock = { now: () => new Date(stack.clock.now().getTime() + 61_000) }
  const deps = { orm: database.orm, clock, randomBytes: seededRandomBytes('sweep'), announce: () => {} }
  timer = setInterval(() => {
    sweeping = sweeping.then(() => expireInvoices(deps))
  }, 500)
})
afterAll(async () => {
  clearInterval(timer)
  await sweeping
  await terminal.remove()
})

test.each(Object.keys(RECIPES))('holdfast trigger %s: it happens, after the command was given', async (name) => {
  const before = new Date(Date.now() - 5).toISOString()
  const event = await terminal.json('trigger', name)
  expect(event).toMatchObject({ name, sandbox: true })
  expect(event.fired_at >= before).toBe(true)
})

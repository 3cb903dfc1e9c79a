import { expect, test } from '@jest/globals'
import { expireInvoices } from '../../../src/sweeps/invoice-expiry.ts'
import { forFile } from '../../../test/support/for-file.ts'
import { seededRandomBytes } from '../../../test/support/random.ts'
import { stackForFile } from '../../../test/support/stack-for-file.ts'
import { RECIPES } from '../src/trigger/recipes.ts'
import { credentialsOf, makeTerminal } from './terminal.ts'

const stack = stackForFile()
const terminal = forFile(
  () => makeTerminal(stack.project.secretKey, credentialsOf(stack)),
  ({ remove }) => remove(),
)
// As worker processes do it every minute, a minute after the end. It ends before the database that it reads.
forFile(
  async () => {
    const clock = { now: () => new Date(stack.clock.now().getTime() + 61_000) }
    const deps = { orm: stack.database.orm, clock, randomBytes: seededRandomBytes('sweep'), announce: () => {} }
    let sweeping: Promise<unknown> = Promise.resolve()
    const timer = setInterval(() => {
      sweeping = sweeping.then(() => expireInvoices(deps))
    }, 500)
    return { timer, last: () => sweeping }
  },
  async ({ timer, last }) => {
    clearInterval(timer)
    await last()
  },
)

test.each(Object.keys(RECIPES))('holdfast trigger %s: it happens, after the command was given', async (name) => {
  const before = new Date(Date.now() - 5).toISOString()
  const event = await terminal.json('trigger', name)
  expect(event).toMatchObject({ name, sandbox: true })
  expect(event.fired_at >= before).toBe(true)
})

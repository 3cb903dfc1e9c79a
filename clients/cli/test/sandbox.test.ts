import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { EVENT_NAMES } from '../../../domain/webhook-event.ts'
import { stackForFile } from '../../../test/support/stack-for-file.ts'
import { NOT_MADE, RECIPES } from '../src/trigger/recipes.ts'
import { credentialsOf, makeTerminal, type Terminal } from './terminal.ts'

/** What a developer does with the sandbox: make events happen, move the clock, look at it. */

const stack = stackForFile()
let terminal: Terminal
beforeAll(async () => {
  terminal = await makeTerminal(stack.project.secretKey, credentialsOf(stack))
})
afterAll(() => terminal.remove())

async function authorized(): Promise<string> {
  return (await stack.payInvoice()).invoiceId
}

describe('holdfast trigger', () => {
  test('knows of every event how it is made to happen, or why it is not', () => {
    const known = [...Object.keys(RECIPES), ...Object.keys(NOT_MADE)]
    expect(known.toSorted()).toEqual(Object.keys(EVENT_NAMES).toSorted())
  })

  // One of a payment and one of something else; trigger.long.test.ts has the others.
  test.each(['transaction.captured', 'customer.updated'])('%s happens, after the command was given', async (name) => {
    const before = new Date(Date.now() - 5).toISOString()
    const event = await terminal.json('trigger', name)
    expect(event).toMatchObject({ name, sandbox: true })
    expect(event.fired_at >= before).toBe(true)
    expect((await stack.get(`/events/${event.id}`)).body.event).toEqual(event)
  })

  test.each(Object.entries(NOT_MADE))('%s is refused, and the command says how it comes', async (name, how) => {
    const { code, err } = await terminal.run(['trigger', name])
    expect([code, err]).toEqual([1, expect.stringContaining(how ?? '')])
  })
})

describe('holdfast clock advance', () => {
  test('moves a payment by a duration, or to an instant, and says what it has become', async () => {
    const id = await authorized()
    const day = await terminal.json('clock', 'advance', id, '--by', '24h')
    const to = new Date(Date.parse(day.clock.now) + 3_600_000).toISOString()
    expect((await terminal.json('clock', 'advance', id, '--to', to)).clock.target).toBe(to)
    const { code, out } = await terminal.run(['clock', 'advance', id, '--by', '7d'])
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^It is 20.*Z for ${id}, which is voided\\.$`, 'm')),
    ])
  })

  test('moves it once for the same key', async () => {
    const id = await authorized()
    const advance = () => terminal.json('clock', 'advance', id, '--by', '15m', '--idempotency-key', `advance-${id}`)
    expect((await advance()).clock.target).toBe((await advance()).clock.target)
  })
})

describe('holdfast open', () => {
  test('prints the page of the project, and of a payment', async () => {
    const page = `${stack.baseUrl}/dashboard/#/test-${stack.project.id}`
    expect(await terminal.run(['open'])).toEqual({ code: 0, out: `${page}\n`, err: '' })
    const id = await authorized()
    expect(await terminal.json('open', id)).toEqual({ url: `${page}/payments/${id}` })
  })

  test('prints the Temporal history of a payment, where the address of its UI is known', async () => {
    const id = await authorized()
    const args = ['open', id, '--temporal']
    expect(await terminal.run(args)).toMatchObject({
      code: 1,
      err: expect.stringContaining('HOLDFAST_TEMPORAL_UI_URL'),
    })
    terminal.env.HOLDFAST_TEMPORAL_UI_URL = 'http://127.0.0.1:8233'
    const { out } = await terminal.run(args)
    expect(out).toBe(`http://127.0.0.1:8233/namespaces/sandbox/workflows/payment-${id}\n`)
  })
})

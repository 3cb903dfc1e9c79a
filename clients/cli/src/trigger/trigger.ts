import { setTimeout as sleep } from 'node:timers/promises'
import { Argument, type Command } from 'commander'
import { EVENT_NAMES, type EventName } from '../../../../domain/webhook-event.ts'
import type { Event, Holdfast } from '../../../node/src/index.ts'
import { clientOf, findCredentials, isSandbox } from '../credentials/credentials.ts'
import { defineCommand } from '../define-command.ts'
import { eventNameOf, NAMES } from '../event-names.ts'
import { CannotError } from '../failures.ts'
import { type Io, remark } from '../io.ts'
import { type OutputOptions, show } from '../output/show.ts'
import { painterOf } from '../output/style.ts'
import { NOT_MADE, RECIPES } from './recipes.ts'
import { createShop } from './shop.ts'

/** The end of an invoice is told a minute after it, since a payment may just have begun, and looked for once a minute. */
const WAIT_MS = 150_000
const PAUSE_MS = 250

export function addTrigger(program: Command, io: Io): void {
  const width = Math.max(...NAMES.map((name) => name.length))
  const list = Object.entries(EVENT_NAMES).map(([name, about]) => `  ${name.padEnd(width)}  ${about}`)
  // Completion knows the choices; what is none of them is told in our words.
  defineCommand(io, program, 'trigger', {
    summary: 'Make an event happen in the sandbox',
    details:
      'It really happens: a payment is made by ordinary calls with a test card, and what was asked for becomes of it.',
    examples: ['trigger transaction.captured', 'trigger transaction.chargeback.created --json'],
  })
    .addArgument(new Argument('<event>', 'its name').choices(NAMES).argParser((text) => text))
    .addHelpText('after', `\nEvents:\n${list.join('\n')}`)
    .action(async (given: string, options: OutputOptions) => {
      const name = eventNameOf(given, io)
      const event = await trigger(io, name)
      show(io, options, event, () => {
        const about = event.invoice_id === null ? '' : `\nLook at it: ${io.command} open ${event.invoice_id}`
        return `${painterOf(io.stdout)('green', name)} has happened: ${event.id}.${about}`
      })
    })
}

async function trigger(io: Io, name: EventName): Promise<Event> {
  const credentials = await findCredentials(io)
  if (!isSandbox(credentials)) {
    throw new CannotError(
      'Events are made to happen in the sandbox only, and this key is live: log in with one of the sandbox.',
    )
  }
  const recipe = RECIPES[name]
  if (recipe === undefined) throw new CannotError(`${name} cannot be made to happen at once. ${NOT_MADE[name]}`)
  const client = clientOf(io, credentials)
  const before = (await client.events.list({ limit: 1 }, { signal: io.signal })).data[0]?.id
  const invoiceId = await recipe(createShop(client))
  if (name === 'invoice.expired')
    remark(io, 'Waiting for the end of the invoice, which is told one to two minutes later ...')
  return findEvent(client, { name, invoiceId, before }, io.signal)
}

interface Wanted {
  name: EventName
  invoiceId: string | undefined
  /** The newest event of before; undefined where there was none. */
  before: string | undefined
}

async function findEvent(client: Holdfast, { name, invoiceId, before }: Wanted, signal: AbortSignal): Promise<Event> {
  const filter = [`name:${name}`, ...(invoiceId === undefined ? [] : [`invoice_id:${invoiceId}`])]
  const params = { filter, order: 'asc' as const, limit: 1, ...(before === undefined ? {} : { start_after: before }) }
  for (let waited = 0; waited < WAIT_MS; waited += PAUSE_MS) {
    const [event] = (await client.events.list(params, { signal })).data
    if (event !== undefined) return event
    await sleep(PAUSE_MS, undefined, { signal })
  }
  throw new CannotError(`${name} has not happened within ${WAIT_MS / 1000} s. Does a worker of the service run?`)
}

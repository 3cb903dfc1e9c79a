import type { Command } from 'commander'
import type { Event, Holdfast } from '../../../node/src/index.ts'
import { clientOf, findCredentials } from '../credentials/credentials.ts'
import { defineCommand } from '../define-command.ts'
import { eventNameOf } from '../event-names.ts'
import { UsageError } from '../failures.ts'
import { type Io, remark, say } from '../io.ts'
import { type OutputOptions, showLine } from '../output/show.ts'
import { painterOf, paintState } from '../output/style.ts'
import { VERSION } from '../version.ts'
import { follow } from './follow.ts'
import { type Forwarded, forward } from './forward.ts'
import { signingSecretOf } from './signing-secret.ts'

interface ListenOptions extends OutputOptions {
  forwardTo: string
  events?: string
}

/** By which `logs tail` leaves out what the command line asks for every second. */
export const FOLLOWER = { name: 'holdfast-cli-follow', version: VERSION }

export function addListen(program: Command, io: Io): void {
  defineCommand(io, program, 'listen', {
    summary: 'Forward events to a server on your desk, as webhooks',
    details:
      'Forwards what happens from now on, each event once and in order, signed like a real webhook with a secret that it\n' +
      'prints. Needs no public address: it reads the list of events every second.',
    examples: [
      'listen --forward-to http://127.0.0.1:4000/webhooks',
      'listen --forward-to http://127.0.0.1:4000/webhooks --events transaction.captured,transaction.refunded',
    ],
  })
    .requiredOption('--forward-to <url>', 'where your server takes webhooks')
    .option('--events <names>', 'only these, with commas between them')
    .action((options: ListenOptions) => listen(io, options))
}

async function listen(io: Io, options: ListenOptions): Promise<void> {
  const url = addressOf(options.forwardTo)
  const wanted = options.events?.split(',').map((name): string => eventNameOf(name.trim(), io))
  const credentials = await findCredentials(io)
  const { projectId } = credentials
  const client = clientOf(io, credentials, { maxRetries: 0, appInfo: FOLLOWER })
  const secret = await signingSecretOf(io, projectId)
  let last = (await client.events.list({ limit: 1 }, { signal: io.signal })).data[0]?.id
  const paint = painterOf(io.stdout)
  const ready = { project_id: projectId, forward_to: url, secret }
  showLine(io, options, ready, () =>
    [`Events of ${projectId} go to ${url} from now on. Ctrl-C ends.`, `Verify them with ${paint('bold', secret)}`].join(
      '\n',
    ),
  )
  const target = { url, secret }
  let forwarded = 0
  await follow(io, async () => {
    for await (const event of newEvents(client, last, io.signal)) {
      // Before it is sent: what is interrupted then was perhaps received, and is not sent twice.
      last = event.id
      if (wanted?.includes(event.name) === false) continue
      const result = await forward(event, target, io.signal)
      if (io.signal.aborted) return
      forwarded += 1
      showLine(io, options, { event_id: event.id, event_type: event.name, ...result }, () => lineOf(event, result, io))
    }
  })
  if (options.json !== true) say(io, `Forwarded ${forwarded} ${forwarded === 1 ? 'event' : 'events'}.`)
  else remark(io, `Forwarded ${forwarded}.`)
}

function newEvents(client: Holdfast, last: string | undefined, signal: AbortSignal): AsyncIterable<Event> {
  return client.events.list({ order: 'asc', ...(last === undefined ? {} : { start_after: last }) }, { signal })
}

function lineOf({ id, name, fired_at }: Event, { status, problem }: Forwarded, io: Io): string {
  const paint = painterOf(io.stdout)
  const answer = status === null ? paint('red', '---') : paintState(paint, String(status))
  const line = `${paint('dim', (fired_at ?? '').slice(11, 19))} ${answer} ${name} ${paint('dim', id)}`
  return problem === null ? line : `${line}\n  ${paint('red', problem)}`
}

function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--forward-to must be an address such as http://127.0.0.1:4000/webhooks, not "${text}".`)
  return url.href
}

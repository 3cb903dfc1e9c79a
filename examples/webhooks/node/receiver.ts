import { createServer, type IncomingHttpHeaders } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

const { HOLDFAST = '', KEY = '', WEBHOOK_SECRETS = '', DATABASE = 'receipts.db', RECEIVER_PORT = '4242' } = process.env

const webhooks = readSecrets()

/** One secret, or during a rotation both, with a comma between them. */
function readSecrets(): Webhook[] {
  try {
    return WEBHOOK_SECRETS.split(',').map((secret) => new Webhook(secret))
  } catch {
    fail('WEBHOOK_SECRETS is missing or wrong: create an endpoint or rotate its secret (docs/guides/webhooks.md)')
  }
}

function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

/** Waits while somebody else reads or writes, in place of refusing the webhook. */
const database = new DatabaseSync(DATABASE, { timeout: 5_000 })
database.exec(`
  create table if not exists handled_event (event_id text primary key);
  create table if not exists receipt (invoice_id text, amount text);
`)

/** The signature is that of the body as it came: do not parse it before. */
function isGenuine(body: string, headers: IncomingHttpHeaders): boolean {
  return webhooks.some((webhook) => {
    try {
      webhook.verify(body, headers as Record<string, string>)
      return true
    } catch {
      return false
    }
  })
}

interface Event {
  id: string
  data: { invoice: { id: string }; transaction: { captured_amount: string } }
}

async function fetchEvent(id: string): Promise<Event> {
  const headers = { authorization: `Basic ${btoa(KEY)}` }
  const response = await fetch(`${HOLDFAST}/events/${id}`, { headers, signal: AbortSignal.timeout(5_000) })
  if (!response.ok) throw new Error(`GET /events/${id} answered ${response.status}`)
  return ((await response.json()) as { event: Event }).event
}

/** The event and its effect are one transaction: a duplicate finds the event, and a crash leaves neither. */
function handleOnce({ id, data }: Event): void {
  database.exec('begin immediate')
  try {
    const { changes } = database.prepare('insert into handled_event values (?) on conflict do nothing').run(id)
    if (changes === 1) {
      const { invoice, transaction } = data
      database.prepare('insert into receipt values (?, ?)').run(invoice.id, transaction.captured_amount)
    }
    database.exec('commit')
  } catch (error) {
    database.exec('rollback')
    throw error
  }
}

const server = createServer(async (request, response) => {
  try {
    const isSmall = Number(request.headers['content-length']) < 10_000
    const body = isSmall ? await text(request) : ''
    if (!isGenuine(body, request.headers)) return void response.writeHead(400).end()
    const { event_id, event_type } = JSON.parse(body)
    process.stdout.write(`Verified ${event_type} ${event_id}\n`)
    if (event_type === 'transaction.captured') handleOnce(await fetchEvent(event_id))
    response.writeHead(204).end()
  } catch (error) {
    // The webhook comes again.
    process.stderr.write(`${error}\n`)
    response.writeHead(500).end()
  }
})
server.on('error', ({ message }) =>
  fail(`Cannot listen on port ${RECEIVER_PORT} (${message}): set RECEIVER_PORT to a free one`),
)
server.listen(Number(RECEIVER_PORT), '127.0.0.1', () =>
  process.stdout.write(`Waiting for webhooks on port ${RECEIVER_PORT}\n`),
)

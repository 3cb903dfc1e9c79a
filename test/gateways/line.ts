import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from '../support/listen.ts'
import { UNUSED_PORT } from '../support/unused-port.ts'
import type { Trouble } from './contract/harness.ts'

/** One request on its way to the gateway. */
export interface Sent {
  method: string
  /** With its query. */
  path: string
  headers: Readonly<Record<string, string>>
  body: string
}

interface Answer {
  status: number
  headers: Headers
  body: string
}

/** Of one hop, or told anew for the bytes that are really sent. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
])

/**
 * Lines from an adapter to a gateway over HTTP, each with a trouble of its own. They forward what they are sent as it is, so
 * that what stands behind may be a stand-in or the real test host. What the gateway itself does wrong is a fault of `stand-ins`.
 *
 * @param target where the gateway is, such as `https://checkout-test.example`
 * @param isAboutMoney whether a request moves money or asks about it; what only prepares one is spared from most troubles
 */
export async function openLines(target: string, isAboutMoney: (sent: Sent) => boolean) {
  const servers: Awaited<ReturnType<typeof listen>>[] = []
  const heard: { sent: Sent; answer: string }[] = []

  const forward = async (sent: Sent): Promise<Answer> => {
    const answer = await fetch(new URL(sent.path, target), {
      method: sent.method,
      headers: sent.headers,
      ...(sent.body !== '' && { body: sent.body }),
      redirect: 'manual',
    })
    const body = await answer.text()
    heard.push({ sent, answer: body })
    return { status: answer.status, headers: answer.headers, body }
  }

  return {
    /** Everything that was sent over the lines, with what the gateway itself answered. */
    heard,
    /** The address of a line without trouble, or with one; nobody listens there if that is the trouble. */
    async open(trouble: Trouble | null = null): Promise<string> {
      if (trouble?.kind === 'refuses-connections') return `http://127.0.0.1:${UNUSED_PORT}`
      const server = await listen(async (incoming, response) => {
        const sent = await read(incoming)
        const answer = await forward(sent)
        const disturbed = trouble === null ? answer : disturb(trouble, sent, answer, isAboutMoney(sent))
        if (disturbed === 'lost') return void incoming.socket.destroy()
        if (disturbed === 'kept') return
        response.writeHead(disturbed.status, headersOf(disturbed.headers)).end(disturbed.body)
      })
      servers.push(server)
      return server.url
    },
    async close() {
      for (const server of servers) await server.close()
    },
  }
}

function disturb(
  trouble: Exclude<Trouble, { kind: 'refuses-connections' }>,
  sent: Sent,
  answer: Answer,
  isAboutMoney: boolean,
): Answer | 'lost' | 'kept' {
  if (trouble.kind === 'never-answers') return 'kept'
  if (trouble.kind === 'quotes-requests')
    return { status: trouble.status, headers: pointing(answer.headers, sent), body: quote(sent, trouble.status) }
  if (!isAboutMoney && !(trouble.kind === 'changes-answers' && trouble.everywhere === true)) return answer
  if (trouble.kind === 'loses-answers') return 'lost'
  if (trouble.kind === 'answers') return { ...answer, status: 200, body: trouble.text }
  return { ...answer, body: JSON.stringify(trouble.change(JSON.parse(answer.body))) ?? '' }
}

/** With an address that answers what was asked, for a redirect that nobody may follow. */
function pointing(headers: Headers, { path }: Sent): Headers {
  return new Headers([...headers, ['location', path]])
}

/** An error with the usual fields of gateways, of which every one for people quotes what was sent. */
function quote(sent: Sent, status: number): string {
  const said = JSON.stringify(sent)
  const type = status < 400 ? 'unheard_of' : status === 402 ? 'card_error' : 'invalid_request_error'
  return JSON.stringify({
    status,
    message: said,
    detail: said,
    refusalReason: said,
    error: { type, message: said, param: said, doc_url: said, request_log_url: said },
  })
}

async function read(incoming: IncomingMessage): Promise<Sent> {
  const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
    value === undefined || OWN_HEADERS.has(name) ? [] : [[name, String(value)]],
  )
  return {
    method: incoming.method ?? 'GET',
    path: incoming.url ?? '/',
    headers: Object.fromEntries(headers),
    body: await text(incoming),
  }
}

function headersOf(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !OWN_HEADERS.has(name)))
}

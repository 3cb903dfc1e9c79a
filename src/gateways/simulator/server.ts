import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import type { LookUp, Outcome } from '../../../domain/operation.ts'
import { type Clock, systemClock } from '../../clock.ts'
import type { Call } from './call.ts'
import type { Random } from './chance.ts'
import { createEngine, type Transmission } from './engine.ts'
import type { Execute } from './log.ts'
import { readSwitches, type Switches, simulatorSettingsProblem } from './settings.ts'
import { faultSchema, HEADERS, OPERATIONS_PATH, operationTypeSchema, PATHS, readCall } from './wire.ts'

export interface SimulatorServerOptions {
  execute: Execute
  /** 0 takes any free port. */
  port: number
  clock?: Clock
  /** Decides delays of accounts without a seed. */
  random?: Random
}

export interface SimulatorServer {
  /** `http://127.0.0.1:PORT` */
  url: string
  /** Takes no new calls and cuts off those under way: what they asked for may be done or not, as with any server. */
  close(): Promise<void>
}

/** Cards arrive in the clear, so nobody else's machine may reach it. */
const LOOPBACK = '127.0.0.1'

/** A request is some hundred bytes. */
const BODY_MAX_BYTES = 16_384

const TYPES: ReadonlyMap<string, Call['type']> = new Map(
  Object.entries(PATHS).map(([type, path]) => [path, type as Call['type']]),
)

/** The status of an answer in which no approval is told: it decides nothing, the body does. */
const STATUS: Readonly<Record<Exclude<Outcome['kind'], 'declined'>, number>> = {
  approved: 200,
  pending: 202,
  'action-required': 202,
  unknown: 409,
}

const settingsHeader = z.record(z.string(), z.string())

/** A request that is not as documented. */
class BadRequest extends Error {
  readonly status: number

  constructor(status: number, problem: string) {
    super(problem)
    this.status = status
  }
}

/**
 * The simulator as a server of its own on this machine, with the books of the database that `execute` reaches. An answer
 * that is to be lost is a connection that is reset; one that is garbled breaks off in the middle.
 *
 * @throws Error with code EADDRINUSE where the port is taken.
 */
export async function startSimulatorServer(options: SimulatorServerOptions): Promise<SimulatorServer> {
  const { execute, port, clock = systemClock, random = Math.random } = options
  const engine = createEngine({ execute, clock, random })

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const left = new AbortController()
    response.on('close', () => left.abort())
    const circumstances = { switches: switchesOf(request), waiting: left.signal }
    const url = new URL(request.url ?? '/', `http://${LOOPBACK}`)
    if (request.method === 'GET' && url.pathname.startsWith(OPERATIONS_PATH)) {
      const type = operationTypeSchema.safeParse(url.searchParams.get('type'))
      if (!type.success) throw new BadRequest(400, 'The parameter type is not as documented.')
      const reference = decodeURIComponent(url.pathname.slice(OPERATIONS_PATH.length))
      return replyToLookUp(response, await engine.lookUp({ reference, type: type.data }, circumstances))
    }
    const type = request.method === 'POST' ? TYPES.get(url.pathname) : undefined
    if (type === undefined) throw new BadRequest(404, 'There is no such address.')
    const fault = faultOf(request)
    const call = readCall(type, await readBody(request))
    if ('problem' in call) throw new BadRequest(400, call.problem)
    transmit(response, await engine.perform(call, { ...circumstances, fault }))
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (error instanceof BadRequest) reply(response, error.status, { error: error.message })
      // Whether something was done, nobody knows here; a body that says nothing says that.
      else reply(response, 500, {})
    })
  })
  server.listen({ host: LOOPBACK, port })
  await once(server, 'listening')
  return {
    url: `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function transmit(response: ServerResponse, transmission: Transmission): void {
  switch (transmission.kind) {
    case 'lost':
      response.destroy()
      break
    case 'garbled':
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"kind":"appro')
      break
    case 'answered':
      reply(response, statusOf(transmission.outcome), transmission.outcome)
  }
}

function statusOf(outcome: Outcome): number {
  if (outcome.kind !== 'declined') return STATUS[outcome.kind]
  return outcome.code === 'gateway.internal-error' ? 500 : 402
}

function replyToLookUp(response: ServerResponse, found: LookUp): void {
  reply(response, { found: 200, 'never-seen': 404, 'not-offered': 501, unreachable: 503 }[found.kind], found)
}

function reply(response: ServerResponse, status: number, body: object): void {
  if (response.destroyed || response.headersSent) return
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** How the account that asks wants to be treated. */
function switchesOf({ headers }: IncomingMessage): Switches {
  const settings = settingsHeader.safeParse(parse(String(headers[HEADERS.settings] ?? '{}')))
  if (!settings.success) throw new BadRequest(400, `The header ${HEADERS.settings} is not as documented.`)
  const switches = readSwitches(settings.data)
  if (switches === null) throw new BadRequest(400, simulatorSettingsProblem(settings.data) ?? 'The settings are wrong.')
  return switches
}

function faultOf({ headers }: IncomingMessage) {
  const name = headers[HEADERS.fault]
  if (name === undefined) return null
  const fault = faultSchema.safeParse(name)
  if (!fault.success) throw new BadRequest(400, `The header ${HEADERS.fault} is not as documented.`)
  return fault.data
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  // A page in a browser cannot send this type without being asked whether it may.
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
    throw new BadRequest(415, 'The body must be application/json.')
  }
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > BODY_MAX_BYTES) throw new BadRequest(413, 'The body is too long.')
    chunks.push(chunk)
  }
  return parse(Buffer.concat(chunks).toString('utf8'))
}

/** Undefined for what is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

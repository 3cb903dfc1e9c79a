import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isThisMachine } from '../this-machine.ts'
import { LOOPBACK } from './ports.ts'

/** The name in the header `Host`, which may have a port. */
const nameIn = (host = '') => host.replace(/:\d{1,5}$/, '')

/**
 * An address for an interface that answers to any name. On Linux all of 127.0.0.0/8 is this machine, and nobody guesses an
 * address of it; elsewhere only the port is by chance.
 */
export function hiddenLoopback(): string {
  return process.platform === 'linux' ? `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}` : LOOPBACK
}

export interface LoopbackProxy {
  port: number
  stop(): void
}

/**
 * Hands requests of this machine on to a web interface that answers to any name. A page of another site can have its own name
 * point to this machine and then read and press everything there (DNS rebinding); its name stands in the header `Host`, and
 * is refused.
 */
export async function startLoopbackProxy(port: number, to: { host: string; port: number }): Promise<LoopbackProxy> {
  const server = createServer((request, response) => {
    if (isThisMachine(nameIn(request.headers.host))) return handOn(request, response, to)
    response
      .writeHead(403, { 'content-type': 'text/plain' })
      .end('Open this page as http://localhost or http://127.0.0.1.\n')
  })
  server.listen(port, LOOPBACK)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function handOn(request: IncomingMessage, response: ServerResponse, to: { host: string; port: number }): void {
  const { method, url: path, headers } = request
  const onwards = forward({ ...to, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
    answer.on('error', () => response.destroy())
  })
  onwards.on('error', () => {
    if (response.headersSent) response.destroy()
    else response.writeHead(502, { 'content-type': 'text/plain' }).end('The web interface does not answer.\n')
  })
  response.on('close', () => onwards.destroy())
  request.pipe(onwards)
}

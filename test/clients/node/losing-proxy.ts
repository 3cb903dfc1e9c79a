import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface LosingProxy {
  url: string
  /** Each request that came, with its key and the status that the service has answered. */
  passed: { path: string; key: string | undefined; status: number }[]
  /** Answers of the service that the caller never gets: so many of the next ones. */
  loseNext(count: number): void
  stop(): Promise<void>
}

/** Stands between a client and the service, and loses answers once the service has done its work. */
export async function startLosingProxy(serviceUrl: string): Promise<LosingProxy> {
  const passed: LosingProxy['passed'] = []
  let toLose = 0
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { host: _, connection: _c, 'content-length': _l, ...headers } = request.headers as Record<string, string>
    const { method = 'GET', url = '/' } = request
    const body = method === 'GET' ? {} : { body: Buffer.concat(chunks) }
    const answer = await fetch(new URL(url, serviceUrl), { method, headers, ...body })
    const text = await answer.text()
    passed.push({ path: url, key: headers['idempotency-key'], status: answer.status })
    if (toLose > 0) {
      toLose -= 1
      request.socket.destroy()
      return
    }
    // The text is not compressed any more.
    const { 'content-encoding': _e, 'content-length': _n, ...told } = Object.fromEntries(answer.headers)
    response.writeHead(answer.status, told).end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    loseNext(count) {
      toLose = count
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

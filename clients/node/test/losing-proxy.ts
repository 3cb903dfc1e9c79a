import { buffer } from 'node:stream/consumers'
import { listen } from '../../../test/support/listen.ts'

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
  const { url, close } = await listen(async (request, response) => {
    const { host: _, connection: _c, 'content-length': _l, ...headers } = request.headers as Record<string, string>
    const { method = 'GET', url: path = '/' } = request
    const body = method === 'GET' ? {} : { body: await buffer(request) }
    const answer = await fetch(new URL(path, serviceUrl), { method, headers, ...body })
    const text = await answer.text()
    passed.push({ path, key: headers['idempotency-key'], status: answer.status })
    if (toLose > 0) {
      toLose -= 1
      request.socket.destroy()
      return
    }
    // The text is not compressed any more.
    const { 'content-encoding': _e, 'content-length': _n, ...told } = Object.fromEntries(answer.headers)
    response.writeHead(answer.status, told).end(text)
  })
  return {
    url,
    passed,
    loseNext(count) {
      toLose = count
    },
    stop: close,
  }
}

import type { IncomingMessage } from 'node:http'

/**
 * How often a request has a header; `rawHeaders` is faster to search than Node's distinct headers.
 *
 * @param name in lower case.
 */
export function timesSent({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): number {
  let times = 0
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const sent = rawHeaders[place] ?? ''
    if (sent.length === name.length && sent.toLowerCase() === name) times += 1
  }
  return times
}

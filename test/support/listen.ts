import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server of a test on a free port of this machine; one whose handler fails hangs up. */
export async function listen(
  handle: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    Promise.resolve(handle(request, response)).catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A payment in the gateway's own books. */
interface Payment {
  id: string
  invoiceId: string
  authorizedMinor: number
  capturedMinor: number
  refundedMinor: number
}

/** One request as it arrived. */
interface Arrived {
  method: string
  path: string
  body: string
}

/**
 * A gateway that behaves like Placeholder as far as its documentation goes: it keeps books, references and test cards. Until
 * it is written it knows no request.
 */
export async function startPlaceholderStandIn() {
  const payments: Payment[] = []

  const answer = (_arrived: Arrived): { status: number; body: unknown } => ({
    status: 501,
    body: { message: 'The stand-in of placeholder does not know this request yet.' },
  })

  const server = createServer(async (incoming, response) => {
    const { status, body } = answer({
      method: incoming.method ?? 'GET',
      path: incoming.url ?? '/',
      body: await text(incoming),
    })
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    of: (invoiceId: string) => payments.filter((payment) => payment.invoiceId === invoiceId),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

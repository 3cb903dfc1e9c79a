import type { IncomingMessage, ServerResponse } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { listen } from '../../../test/support/listen.ts'
import { answerOf, type Exchange, FIXTURES } from '../../test/wire-fixtures.ts'

export interface ScriptedServer {
  baseUrl: string
  /** What was not as the fixture says; empty at best. */
  problems(): string[]
  close(): Promise<void>
}

/** A service that expects the requests of a fixture, in their order, and answers as it says. */
export async function startScriptedServer(
  exchanges: readonly Exchange[],
  clientSecret?: string,
): Promise<ScriptedServer> {
  const waiting = [...exchanges]
  const found: string[] = []
  const keys = new Map<string, string>()

  function expectSame(what: string, expected: unknown, actual: unknown): void {
    if (expected !== actual) found.push(`${what}: expected ${expected}, but was ${actual}`)
  }

  /** Requests with one label carry one key, and those with another label another one. */
  function expectKey(label: string, key: string | undefined): void {
    const known = keys.get(label)
    if (known !== undefined) expectSame(`key of round ${label}`, known, key)
    else if (key === undefined) found.push('There is no Idempotency-Key.')
    else if ([...keys.values()].includes(key)) found.push(`The key of round ${label} was that of another round.`)
    else keys.set(label, key)
  }

  function take(request: IncomingMessage, body: string): Exchange | undefined {
    const [expected] = waiting
    const line = `${request.method} ${request.url}`
    if (expected === undefined) {
      found.push(`${line} was one request too many: ${body}`)
      return undefined
    }
    if (expected.repeats !== true) waiting.shift()
    expectSame('request', `${expected.method} ${expected.path}`, line)
    expectSame('Authorization', FIXTURES.protocol.authorization, request.headers.authorization)
    if (expected.method === 'POST') {
      expectSame('body', expected.body_text, body)
      expectSame('Content-Type', 'application/json', request.headers['content-type'])
      expectSame('client secret', clientSecret, request.headers['x-service-client-secret'])
      expectKey(String(expected.key), request.headers['idempotency-key'] as string | undefined)
    }
    return expected
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const exchange = take(request, await textOf(request))
    if (exchange === undefined) return void response.writeHead(410).end('{}')
    const answer = answerOf(exchange)
    if (answer.lost === true) return void request.socket.destroy()
    const text = answer.text ?? JSON.stringify(answer.body)
    // A connection that is kept may end between two requests, which would be one that the fixture does not know.
    response.writeHead(answer.status ?? 200, { connection: 'close', ...answer.headers }).end(text)
  }

  const { url: baseUrl, close } = await listen(serve)
  return {
    baseUrl,
    close,
    problems: () => [
      ...found,
      ...waiting
        .filter(({ repeats }) => repeats !== true)
        .map(({ method, path }) => `${method} ${path} was not requested.`),
    ],
  }
}

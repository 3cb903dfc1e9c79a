import type { IncomingHttpHeaders } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { listen } from '../../../test/support/listen.ts'
import { Holdfast, type HoldfastOptions } from '../src/index.ts'

export const PROJECT_ID = 'test-proj_1'
export const SECRET_KEY = 'key_sandbox_0123456789abcdef'

/** An answer, or a connection that ends without one (`lost`), or never gets one (`silent`). */
export type FakeAnswer =
  | 'lost'
  | 'silent'
  | { status?: number; headers?: Record<string, string>; body?: object; text?: string }

export interface SentRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
  at: number
}

export interface FakeService {
  url: string
  /** What has arrived, the oldest first. */
  sent: SentRequest[]
  /** Answers the next requests with these, one each; the last one stays. */
  answerWith(...answers: [FakeAnswer, ...FakeAnswer[]]): void
  client(options?: Partial<HoldfastOptions>): Holdfast
  stop(): Promise<void>
}

export const INVOICE = { success: true, invoice: { id: 'iv_1', amount: '29.00' } }
export const LIMITS = {
  'x-ratelimit': '3000',
  'x-ratelimit-remaining': '2975',
  ratelimit: '"primary";r=2975;t=1',
  'x-request-id': 'req_1',
}

export const refusal = (status: number, code: string, more: object = {}) => ({
  status,
  headers: LIMITS,
  body: { success: false, error_type: code, message: 'It cannot be done.', request_id: 'req_1', ...more },
})

/** A service that answers as it is told, on a port of its own. */
export async function startFakeService(): Promise<FakeService> {
  const sent: SentRequest[] = []
  let answers: FakeAnswer[] = [{ body: INVOICE }]
  const { url, close } = await listen(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    sent.push({ method, url: path, headers, body: await textOf(request), at: performance.now() })
    const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? 'lost'
    if (answer === 'silent') return
    if (answer === 'lost') return void request.socket.destroy()
    const { status = 200, headers: told = LIMITS, body, text = JSON.stringify(body) } = answer
    response.writeHead(status, { 'content-type': 'application/json', ...told }).end(text)
  })
  return {
    url,
    sent,
    answerWith(...next) {
      answers = next
      sent.length = 0
    },
    client: (options = {}) => new Holdfast({ projectId: PROJECT_ID, secretKey: SECRET_KEY, apiUrl: url, ...options }),
    stop: close,
  }
}

/** What a promise was rejected with. */
export async function rejection(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('It was not rejected.')
}

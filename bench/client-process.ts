/**
 * Who asks. `node:http` with connections that are kept, because the client shares the machine with what it measures: `fetch`
 * takes several times as much.
 */
import { Agent, request as httpRequest } from 'node:http'
import { fillIn, type Operation, type Outcome, type Request, type Result, readField, type Task } from './client.ts'
import { closedLoop, monotonicMs, openLoop } from './load.ts'

const baseUrls = JSON.parse(process.argv[2] ?? '') as string[]
const authorization = process.argv[3] ?? ''
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

process.on('message', (task: Task) => void run(task).then((outcome) => process.send?.(outcome)))
process.on('disconnect', () => process.exit())
process.send?.({})

async function run({ pace, operations }: Task): Promise<Outcome> {
  const startedAt = monotonicMs()
  const operate = async (operation: Operation, index: number): Promise<Result> => {
    const begunAt = monotonicMs()
    const answer = await perform(operation, baseUrls[index % baseUrls.length] as string)
    return { index, tookMs: monotonicMs() - begunAt, ...answer }
  }
  const results =
    'callers' in pace ? await closedLoop(operations, pace, operate) : await openLoop(operations, pace, operate)
  return { startedAt, endedAt: monotonicMs(), results }
}

async function perform(operation: Operation, baseUrl: string): Promise<Omit<Result, 'index' | 'tookMs'>> {
  const statuses: number[] = []
  const kept: Record<string, string> = {}
  let retryAfter: string | undefined
  for (const request of operation) {
    const answer = await ask(request, baseUrl, kept)
    const { status, body } = answer
    statuses.push(status)
    retryAfter = answer.retryAfter
    for (const [name, path] of Object.entries(request.keep ?? {})) {
      const value = body === '' ? undefined : readField(JSON.parse(body), path)
      if (value !== undefined) kept[name] = value
    }
    if (status !== 200) break
  }
  return { statuses, kept, retryAfter }
}

/** Status 0 where the connection broke: what was asked may have been done. */
function ask({ method = 'GET', path, body }: Request, baseUrl: string, kept: Record<string, string>) {
  const text = body === undefined ? null : fillIn(JSON.stringify(body), kept)
  const described = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text ?? '')) }
  const headers = { authorization, ...(text !== null && described) }
  return new Promise<{ status: number; body: string; retryAfter?: string | undefined }>((resolve) => {
    const broken = () => resolve({ status: 0, body: '' })
    const asked = httpRequest(`${baseUrl}${fillIn(path, kept)}`, { agent, method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', broken)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body: Buffer.concat(chunks).toString('utf8'),
          retryAfter: response.headers['retry-after'],
        }),
      )
    })
    asked.on('error', broken)
    asked.end(text)
  })
}

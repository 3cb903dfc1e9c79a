/**
 * Who asks. `node:http` with connections that are kept, because the client shares the machine with what it measures: `fetch`
 * takes several times as much.
 */
import { Agent, request as httpRequest } from 'node:http'
import { fillIn, type Operation, type Outcome, type Request, type Result, readField, type Task } from './client.ts'
import { closedLoop, monotonicMs } from './load.ts'

const baseUrls = JSON.parse(process.argv[2] ?? '') as string[]
const authorization = process.argv[3] ?? ''
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

process.on('message', (task: Task) => void run(task).then((outcome) => process.send?.(outcome)))
process.on('disconnect', () => process.exit())
process.send?.({})

async function run({ callers, operations }: Task): Promise<Outcome> {
  const startedAt = monotonicMs()
  const results = await closedLoop(operations, { callers }, async (operation, index): Promise<Result> => {
    const begunAt = monotonicMs()
    const answer = await perform(operation, baseUrls[index % baseUrls.length] as string)
    return { index, tookMs: monotonicMs() - begunAt, ...answer }
  })
  return { startedAt, endedAt: monotonicMs(), results }
}

async function perform(operation: Operation, baseUrl: string): Promise<Pick<Result, 'statuses' | 'kept'>> {
  const statuses: number[] = []
  const kept: Record<string, string> = {}
  for (const request of operation) {
    const { status, body } = await ask(request, baseUrl, kept)
    statuses.push(status)
    for (const [name, path] of Object.entries(request.keep ?? {})) {
      const value = body === '' ? undefined : readField(JSON.parse(body), path)
      if (value !== undefined) kept[name] = value
    }
    if (status !== 200) break
  }
  return { statuses, kept }
}

/** Status 0 where the connection broke: what was asked may have been done. */
function ask({ method = 'GET', path, body }: Request, baseUrl: string, kept: Record<string, string>) {
  const text = body === undefined ? null : fillIn(JSON.stringify(body), kept)
  const described = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text ?? '')) }
  const headers = { authorization, ...(text !== null && described) }
  return new Promise<{ status: number; body: string }>((resolve) => {
    const broken = () => resolve({ status: 0, body: '' })
    const asked = httpRequest(`${baseUrl}${fillIn(path, kept)}`, { agent, method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', broken)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
      )
    })
    asked.on('error', broken)
    asked.end(text)
  })
}

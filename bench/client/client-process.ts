/**
 * Who asks, in a process of its own, so that asking takes no time of the service's event loop and is not counted as its
 * CPU. `node:http` with connections that are kept, because the client shares the machine with what it measures: `fetch`
 * takes several times as much. Ends with the process that started it.
 */
import { Agent, request as httpRequest } from 'node:http'
import { monotonicMs } from '../measure/clock.ts'
import { closedLoop, openModel } from '../measure/load.ts'
import { seededRandom } from '../measure/random.ts'
import { fillIn, readField } from './fields.ts'
import type { ClientCommand, ClientMessage, Operation, Outcome, Request, Result, Task } from './messages.ts'

const [baseUrls, authorization] = process.argv.slice(2).map((text) => JSON.parse(text)) as [string[], string]
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
/** The client ends with its process, and nothing else ever stops a load. */
const { signal } = new AbortController()

const tell = (message: ClientMessage) => void process.send?.(message)

process.on('message', ({ task }: ClientCommand) => {
  run(task).then(
    (outcome) => tell({ kind: 'done', outcome }),
    (error: Error) => tell({ kind: 'failed', reason: error.message }),
  )
})
process.on('disconnect', () => process.exit())
tell({ kind: 'ready' })

async function run({ load, operations, again }: Task): Promise<Outcome> {
  const results: Result[] = []
  let begun = 0
  const operate = async (plannedAt: number) => {
    const index = again ? begun % operations.length : begun
    const operation = operations[index]
    if (operation === undefined) throw new Error('More operations were asked for than were given.')
    const baseUrl = baseUrls[begun % baseUrls.length] as string
    begun += 1
    const { statuses, kept } = await perform(operation, baseUrl)
    const endedAt = monotonicMs()
    const tookMs = endedAt - plannedAt
    results.push({ index, tookMs, endedAt, statuses, kept })
    return tookMs
  }
  const startedAt = monotonicMs()
  if (load.kind === 'closed') await closedLoop({ ...load, signal }, operate)
  else if (load.kind === 'open') await openModel({ ...load, random: seededRandom(load.seed), signal }, operate)
  else await Promise.all(Array.from({ length: load.concurrency }, operateAll))
  return { startedAt, endedAt: monotonicMs(), results }

  async function operateAll() {
    while (begun < operations.length) await operate(monotonicMs())
  }
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
function ask(
  { method, path, body, headers }: Request,
  baseUrl: string,
  kept: Record<string, string>,
): Promise<{ status: number; body: string }> {
  const text = body === undefined ? null : fillIn(JSON.stringify(body), kept)
  return new Promise((resolve) => {
    const broken = () => resolve({ status: 0, body: '' })
    const asked = httpRequest(
      `${baseUrl}${fillIn(path, kept)}`,
      {
        agent,
        method,
        headers: {
          authorization,
          ...(text === null
            ? {}
            : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', broken)
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
        )
      },
    )
    asked.on('error', broken)
    asked.end(text)
  })
}

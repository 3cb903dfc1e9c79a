/**
 * Who asks. `node:http` with connections that are kept, because the client shares the machine with what it measures: `fetch`
 * takes several times as much.
 */
import { Agent, request as httpRequest } from 'node:http'
import { seededRandom } from '../test/support/chance.ts'
import { fillIn, type Operation, type Outcome, type Request, type Result, readField, type Task } from './client.ts'
import { closedLoop, monotonicMs, openModel } from './load.ts'

const [baseUrls, authorization] = process.argv.slice(2).map((text) => JSON.parse(text)) as [string[], string]
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

process.on('message', (task: Task) => {
  run(task).then(
    (outcome) => process.send?.({ outcome }),
    (error: Error) => process.send?.({ failure: error.message }),
  )
})
process.on('disconnect', () => process.exit())
process.send?.({})

async function run({ load, operations, again = false }: Task): Promise<Outcome> {
  const results: Result[] = []
  let begun = 0
  const operate = async (plannedAt: number) => {
    const index = again ? begun % operations.length : begun
    const operation = operations[index]
    if (operation === undefined) throw new Error('More operations were asked for than were given.')
    const baseUrl = baseUrls[begun % baseUrls.length] as string
    begun += 1
    const answer = await perform(operation, baseUrl)
    const endedAt = monotonicMs()
    results.push({ index, tookMs: endedAt - plannedAt, endedAt, ...answer })
    return endedAt - plannedAt
  }
  const operateAll = async () => {
    while (begun < operations.length) await operate(monotonicMs())
  }
  const startedAt = monotonicMs()
  if (load.kind === 'closed') await closedLoop(load, operate)
  else if (load.kind === 'open') await openModel({ ...load, random: seededRandom(load.seed) }, operate)
  else await Promise.all(Array.from({ length: load.concurrency }, operateAll))
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
function ask({ method, path, body }: Request, baseUrl: string, kept: Record<string, string>) {
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

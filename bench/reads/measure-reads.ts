import { startClient } from '../client/client.ts'
import type { Operation, Outcome } from '../client/messages.ts'
import { meanCpu } from '../measure/mean-cpu.ts'
import { summarize } from '../measure/statistics.ts'
import type { Costs, Figure, PartContext, PartResult, Stage } from '../parts/part.ts'
import { makeProject } from '../payments/project.ts'
import { figureOf } from '../report/figure.ts'
import { inBrief } from '../report/report.ts'
import { startBareRoute } from './bare-route.ts'
import { populate } from './population.ts'

const PAYMENTS = 10_000
/**
 * Few enough that nobody waits long. Who asks, PostgreSQL and the process that answers share two cores, so no number of
 * them keeps that process busy by itself: what it could do alone is told by its CPU time.
 */
const CALLERS = 16
const RUN_MS = 6_000
const QUICK_MS = 1_500
const COUNTED = 200
/** Different objects that are asked for. */
const ASKED = 2_000

const RESOURCES = ['invoice', 'transaction'] as const
type Resource = (typeof RESOURCES)[number]

interface Read {
  ratePerSecond: number
  p50: number
  p99: number
}

type Repeat = Record<Resource, { own: Read & { cpuMs: Costs['cpuMs'] }; bare: Read & { cpuMs: number } }>

const BARE = 'a bare route with one statement'

/** How many objects a second are read by their ids, beside a bare route; each answer has the object that was asked for. */
export async function measureReads(context: PartContext & { stage: Stage }): Promise<PartResult> {
  const { stage, shutdown, quick, quietly, say, repeats: times } = context
  const { core } = stage
  const project = await makeProject(core, 'Reads')
  const other = await makeProject(core, 'Others')
  const em = core.orm.em.fork()
  await populate(
    em,
    [project, other].map((one) => ({ project: one, payments: quick ? ASKED : PAYMENTS })),
    say,
  )
  const { authorization } = project
  const own = await startClient({ baseUrls: stage.baseUrls, authorization }, shutdown)
  const bareRoute = await startBareRoute(String(core.orm.config.get('clientUrl')), shutdown)
  const bare = await startClient({ baseUrls: [bareRoute.baseUrl], authorization }, shutdown)
  const asked = await operationsOf(project.projectId)
  let answers = 0

  async function operationsOf(
    projectId: string,
  ): Promise<Record<Resource, { ids: string[]; operations: Operation[] }>> {
    const rows = await em.execute<{ id: string; invoice_id: string }[]>(
      'select id, invoice_id from transaction where project_id = ? order by id limit ?',
      [projectId, ASKED],
    )
    const of = (resource: Resource, ids: string[]) => ({
      ids,
      operations: ids.map(
        (id): Operation => [{ method: 'GET', path: `/${resource}s/${id}`, keep: { id: `${resource}.id` } }],
      ),
    })
    return {
      invoice: of(
        'invoice',
        rows.map((row) => row.invoice_id),
      ),
      transaction: of(
        'transaction',
        rows.map((row) => row.id),
      ),
    }
  }

  /** @throws Error where an answer was another one than it had to be. */
  async function read(client: typeof own, resource: Resource, durationMs: number): Promise<Outcome> {
    const { ids, operations } = asked[resource]
    const load = { kind: 'closed', concurrency: CALLERS, durationMs } as const
    const outcome = await client.run({ load, operations, again: true })
    for (const { index, kept, statuses } of outcome.results) {
      if (kept.id !== ids[index]) throw new Error(`${ids[index]} was asked for, and answered ${statuses} ${kept.id}.`)
    }
    answers += outcome.results.length
    return outcome
  }

  const durationMs = quick ? QUICK_MS : RUN_MS

  async function readBare(resource: Resource): Promise<Read & { cpuMs: number }> {
    await stage.costs.rest()
    const before = bareRoute.readCpuMs()
    const outcome = await read(bare, resource, durationMs)
    return { ...inFigures(outcome), cpuMs: (bareRoute.readCpuMs() - before) / outcome.results.length }
  }

  const measureOnce = async (): Promise<Repeat> => {
    const repeat: Partial<Repeat> = {}
    for (const resource of RESOURCES) {
      const beside = await readBare(resource)
      const { result, cpuMs } = await stage.costs.cpu(async () => {
        const outcome = await read(own, resource, durationMs)
        return { result: inFigures(outcome), operations: outcome.results.length }
      })
      repeat[resource] = { own: { ...result, cpuMs }, bare: beside }
    }
    return repeat as Repeat
  }
  say('Warming up')
  for (const resource of RESOURCES) await Promise.all([bare, own].map((client) => read(client, resource, durationMs)))
  const repeats: Repeat[] = []
  for (let index = 1; index <= times; index += 1) {
    const repeat = await quietly.run(measureOnce)
    repeats.push(repeat)
    say(`${index} of ${times}: ${inBrief(repeat)}`)
  }
  const costs: Costs[] = []
  for (const resource of RESOURCES) {
    const counted = await stage.costs.database(async () => {
      const operations = asked[resource].operations.slice(0, COUNTED)
      return (await own.run({ load: { kind: 'all', concurrency: 1 }, operations })).results.length
    })
    costs.push({
      operation: `GET of one ${resource}`,
      cpuMs: meanCpu(repeats.map((repeat) => repeat[resource].own.cpuMs)),
      ...counted,
    })
  }
  return {
    figures: RESOURCES.flatMap((resource) => figuresOf(resource, repeats)),
    costs,
    audit: { answersWithTheObjectThatWasAskedFor: answers },
    repeats,
  }
}

/** The rate with these callers, and that of a core which has nothing else to do. */
function figuresOf(resource: Resource, repeats: readonly Repeat[]): Figure[] {
  const name = `GET /${resource}s/{id}`
  const held = { unit: '/s', besideName: BARE, bar: { atLeast: 0.5, stretch: 0.7 } }
  const each = repeats.map((repeat) => repeat[resource])
  return [
    figureOf(
      { ...held, name: `${name}, ${CALLERS} callers` },
      each.map(({ own, bare }) => ({ measured: own.ratePerSecond, beside: bare.ratePerSecond })),
    ),
    figureOf(
      { ...held, name: `${name}, in a CPU second of the process` },
      each.map(({ own, bare }) => ({ measured: 1_000 / (own.cpuMs.api ?? 0), beside: 1_000 / bare.cpuMs })),
    ),
  ]
}

function inFigures({ results, startedAt, endedAt }: Outcome): Read {
  const { p50, p99 } = summarize(results.map(({ tookMs }) => tookMs))
  return { ratePerSecond: (results.length * 1000) / (endedAt - startedAt), p50, p99 }
}

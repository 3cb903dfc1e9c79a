import { type Client, type Operation, type Outcome, startClient } from '../client.ts'
import { type Costs, type CpuMs, meanOf } from '../costs.ts'
import { BARE_ROUTE, figureOf, summarize } from '../figures.ts'
import { startHelper } from '../helper.ts'
import { readProcesses, timeOfTree } from '../machine.ts'
import { rateOf } from '../measure-way.ts'
import type { Part, PartResult, StagedContext } from '../part.ts'
import { databaseUrlOf, populate } from '../population.ts'
import { makeProject } from '../project.ts'

const PAYMENTS = 10_000
/** No number of callers keeps the process busy on cores that it shares: what it could do alone is told by its CPU time. */
const CALLERS = 16
const RUN_MS = 6_000
const QUICK_MS = 1_500
const COUNTED = 200
/** Different objects that are asked for. */
const ASKED = 2_000
const BAR = { atLeast: 0.5, stretch: 0.7 }

const RESOURCES = ['invoice', 'transaction'] as const
type Resource = (typeof RESOURCES)[number]

type Read = Record<'ratePerSecond' | 'p50' | 'p99', number>

type Repeat = Record<Resource, { own: Read & { cpuMs: CpuMs }; bare: Read & { cpuMs: number } }>

export const part: Part = {
  name: 'reads',
  title: 'One object',
  about: 'GET /invoices/{id} and /transactions/{id} by one process, beside a bare Koa route with one statement.',
  stage: { apis: 1, workers: 1 },
  run: measure,
}

/** How many objects a second are read by their ids; each answer has the object that was asked for. */
async function measure(context: StagedContext): Promise<PartResult> {
  const { stage, shutdown, quick, say } = context
  const { core, costs } = stage
  const [project, other] = [await makeProject(core, 'Reads'), await makeProject(core, 'Others')]
  const payments = quick ? ASKED : PAYMENTS
  await populate(
    core,
    [project, other].map((one) => ({ project: one, payments })),
    say,
  )
  const { authorization, projectId } = project
  const bareRoute = await startHelper<{ baseUrl: string }>('bare-route', [databaseUrlOf(core)], shutdown)
  const bareCpuMs = () => timeOfTree(readProcesses(), bareRoute.pid)
  const own = await startClient({ baseUrls: stage.baseUrls, authorization }, shutdown)
  const bare = await startClient({ baseUrls: [bareRoute.first.baseUrl], authorization }, shutdown)
  const rows = await core.orm.em
    .fork()
    .execute<Record<Resource, string>[]>(
      'select id as transaction, invoice_id as invoice from transaction where project_id = ? order by id limit ?',
      [projectId, ASKED],
    )
  const operationsOf = (resource: Resource) =>
    rows.map(
      (row): Operation => [{ method: 'GET', path: `/${resource}s/${row[resource]}`, keep: { id: `${resource}.id` } }],
    )
  const durationMs = quick ? QUICK_MS : RUN_MS
  let answers = 0

  /** @throws Error where an answer was another one than it had to be. */
  async function read(client: Client, resource: Resource): Promise<Outcome> {
    const load = { kind: 'closed', concurrency: CALLERS, durationMs } as const
    const outcome = await client.run({ load, operations: operationsOf(resource), again: true })
    for (const { index, kept, statuses } of outcome.results) {
      const asked = rows[index]?.[resource]
      if (kept.id !== asked) throw new Error(`${asked} was asked for, and answered ${statuses} ${kept.id}.`)
    }
    answers += outcome.results.length
    return outcome
  }

  const measureOne = async (resource: Resource) => {
    await costs.rest()
    const before = bareCpuMs()
    const beside = await read(bare, resource)
    const besideCpuMs = (bareCpuMs() - before) / beside.results.length
    const { result, cpuMs } = await costs.cpu(
      () => read(own, resource),
      ({ results }) => results.length,
    )
    return { own: { ...inFigures(result), cpuMs }, bare: { ...inFigures(beside), cpuMs: besideCpuMs } }
  }
  say('Warming up')
  for (const resource of RESOURCES) for (const client of [bare, own]) await read(client, resource)
  const repeats = await context.repeat(
    async (): Promise<Repeat> => ({
      invoice: await measureOne('invoice'),
      transaction: await measureOne('transaction'),
    }),
  )
  const counted: Costs[] = []
  for (const resource of RESOURCES) {
    const operations = operationsOf(resource).slice(0, COUNTED)
    const database = await costs.database(async () => {
      return (await own.run({ load: { kind: 'all', concurrency: 1 }, operations })).results.length
    })
    const cpuMs = meanOf(repeats.map((repeat) => repeat[resource].own.cpuMs))
    counted.push({ operation: `GET of one ${resource}`, cpuMs, ...database })
  }
  return {
    figures: RESOURCES.flatMap((resource) => figuresOf(resource, repeats)),
    costs: counted,
    audit: { answersWithTheObjectThatWasAskedFor: answers },
    repeats,
  }
}

/** The rate with these callers, and that of a core which has nothing else to do. */
function figuresOf(resource: Resource, repeats: readonly Repeat[]) {
  const held = { unit: '/s', besideName: BARE_ROUTE, bar: BAR }
  const each = repeats.map((repeat) => repeat[resource])
  return [
    figureOf(
      { ...held, name: `GET /${resource}s/{id}, ${CALLERS} callers` },
      each.map(({ own, bare }) => ({ measured: own.ratePerSecond, beside: bare.ratePerSecond })),
    ),
    figureOf(
      { ...held, name: `GET /${resource}s/{id}, in a CPU second of the process` },
      each.map(({ own, bare }) => ({ measured: 1_000 / (own.cpuMs.api ?? 0), beside: 1_000 / bare.cpuMs })),
    ),
  ]
}

function inFigures(outcome: Outcome): Read {
  const { p50, p99 } = summarize(outcome.results.map(({ tookMs }) => tookMs))
  return { ratePerSecond: rateOf(outcome), p50, p99 }
}

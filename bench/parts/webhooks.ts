import { addCustomer } from '../../src/api/customers/customers.ts'
import { freePort } from '../../src/embedded/ports.ts'
import { makeChanges } from '../../src/persistence/queries/webhooks/project-event.ts'
import { TASK_QUEUES } from '../../src/temporal/task-queues.ts'
import { createAnnouncer, createWebhookStarter } from '../../src/temporal/webhook-starter.ts'
import { webhookWorkflowId } from '../../src/temporal/workflow-ids.ts'
import { pick, seededRandom } from '../../test/support/chance.ts'
import { type Client, startClient } from '../client.ts'
import { meanOf } from '../costs.ts'
import { type Bar, figureOf, type Latencies, median, summarize } from '../figures.ts'
import { besideFloor, FLOOR_NAME } from '../floor.ts'
import { closedLoop, monotonicMs, openModel } from '../load.ts'
import type { Part, PartResult, StagedContext } from '../part.ts'
import { makeProject } from '../project.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { addEndpoint } from '../shop.ts'
import type { Stage } from '../stage.ts'
import { endOfTasks, terminateAll } from '../temporal.ts'

/** Callers at once, where it is looked for how many webhooks go out in a second. */
const CONCURRENCY = 16
/** An ordinary day: enough load to be felt, far from what makes everything wait. */
const SHARE_OF_CEILING = 0.25

const SIZE = { warmUp: 300, ceilingMs: 6_000, arrivalMs: 15_000, pairs: 5, leadInMs: 8_000, halfMs: 20_000 }
const SIZE_QUICK = { warmUp: 40, ceilingMs: 2_000, arrivalMs: 2_000, pairs: 1, leadInMs: 1_000, halfMs: 3_000 }

/** One after the other, as many as make a mean with a digit after the point; histories are alike. */
const COUNTED = 100
const HISTORIES = 20
/** The last ones may end in any order. */
const LAST = 32

/** Ten merchants, of whom a fifth have dead endpoints: one that never answers and one that refuses connections. */
const HEALTHY_COUNT = 8
const DEAD_COUNT = 2

const SHARES = ['p50', 'p95', 'p99'] as const
const ARRIVAL_BARS: Partial<Record<(typeof SHARES)[number], Bar>> = {
  p50: { atMost: 60, stretch: 40, of: 'measured' },
  p99: { atMost: 250, stretch: 120, of: 'measured' },
}
/** How much slower healthy endpoints may be while a fifth of all endpoints is dead. */
const DEAD_BAR: Bar = { atMost: 1.5 }

type Host = 'dead' | 'living'

/** A project whose endpoint takes all its events, and where that may be. */
interface Merchant {
  projectId: string
  client: Client
  urls: Record<Host, string>
}

interface Bench {
  context: StagedContext
  receiver: Receiver
  size: typeof SIZE
  healthy: readonly Merchant[]
  others: readonly Merchant[]
  /** Adds a customer for the merchant, as the API does, which fires an event and announces it after the commit. */
  fire(merchant: Merchant): Promise<{ eventId: string; committedAt: number }>
  /** The same, until the merchant's server has the webhook; gives the milliseconds from the commit to then. */
  deliver(merchant: Merchant): Promise<number>
  /** Of all that were delivered. */
  eventIds: string[]
}

export const part: Part = {
  name: 'webhooks',
  title: 'Webhooks',
  about: 'How many webhooks go out in a second, how soon they arrive at a quarter of that, and what dead endpoints do.',
  stage: 'together',
  run: measure,
}

async function measure(context: StagedContext): Promise<PartResult> {
  const { say, stage, signal } = context
  const bench = await openBench(context)
  const { size, healthy, deliver, receiver, eventIds } = bench
  const [merchant] = healthy as [Merchant]
  say('Warming up')
  await stage.floor.warmUp(size.warmUp)
  for (let index = 0; index < size.warmUp; index += 1) await deliver(merchant)
  say('As many as go out')
  const loop = { concurrency: CONCURRENCY, durationMs: size.ceilingMs }
  const ceilings = await context.repeat(() =>
    besideFloor(
      stage,
      loop,
      signal,
      async (load) => {
        const startedAt = monotonicMs()
        const latencies = await closedLoop({ ...load, signal }, () => deliver(merchant))
        return { startedAt, endedAt: monotonicMs(), results: latencies.map((tookMs) => ({ tookMs })) }
      },
      () => endOfTasks(stage.core.temporal.clients.sandbox, workflowsOf(eventIds.slice(-LAST))),
    ),
  )
  const ratePerSecond = SHARE_OF_CEILING * median(ceilings.map(({ own }) => own.ratePerSecond))
  say('A quarter of them')
  const arrivals = await context.repeat(async (seed) => {
    const load = () => ({ ratePerSecond, durationMs: size.arrivalMs, random: seededRandom(seed), signal })
    const floor = summarize(await openModel(load(), stage.floor.update))
    return { own: summarize(await openModel(load(), () => deliver(merchant))), floor }
  })
  say('Among dead endpoints')
  const pairs = await context.repeat((index) => measurePair(bench, ratePerSecond, index), size.pairs)
  say('Counting statements, workflow tasks and events')
  const database = await stage.costs.database(async () => {
    for (let index = 0; index < COUNTED; index += 1) await deliver(merchant)
    return COUNTED
  })
  const histories = await stage.costs.histories(workflowsOf(eventIds.slice(-HISTORIES)), HISTORIES)
  const { lastAt: _, ...audit } = await receiver.allArrived(healthy.map(({ projectId }) => projectId))
  const rate = `${ratePerSecond.toFixed(0)}/s`
  return {
    figures: [
      figureOf(
        { name: `webhooks, ${CONCURRENCY} callers`, unit: '/s', besideName: FLOOR_NAME },
        ceilings.map(({ own, floor }) => ({ measured: own.ratePerSecond, beside: floor.ratePerSecond })),
      ),
      ...SHARES.map((share) =>
        figureOf(
          {
            name: `commit to arrival, ${share} at ${rate}`,
            unit: 'ms',
            besideName: FLOOR_NAME,
            bar: ARRIVAL_BARS[share],
          },
          arrivals.map(({ own, floor }) => ({ measured: own[share], beside: floor[share] })),
        ),
      ),
      ...SHARES.map((share) => {
        const name = `among 20 % dead endpoints, ${share} at ${rate}`
        const bar = share === 'p99' ? DEAD_BAR : undefined
        return figureOf(
          { name, unit: 'ms', besideName: 'with them alive', bar },
          pairs.map(({ dead, living }) => ({ measured: dead[share], beside: living[share] })),
        )
      }),
    ],
    costs: [
      {
        operation: 'event with its webhook',
        cpuMs: meanOf(ceilings.map(({ own }) => own.cpuMs)),
        ...database,
        counts: { ...database.counts, ...histories },
      },
      { operation: FLOOR_NAME, cpuMs: meanOf(ceilings.map(({ floor }) => floor.cpuMs)), counts: {} },
    ],
    audit,
    repeats: [...ceilings, ...arrivals, ...pairs],
  }
}

const workflowsOf = (eventIds: readonly string[]) => eventIds.map((eventId) => webhookWorkflowId(eventId))

async function openBench(context: StagedContext): Promise<Bench> {
  const { stage, shutdown, quick } = context
  const receiver = await startReceiver({ healthy: HEALTHY_COUNT + DEAD_COUNT, silent: 1 }, stage.core, shutdown)
  // Nobody listens on a port that is free.
  const dead = [receiver.silent[0] as string, `http://127.0.0.1:${await freePort()}`]
  const merchants: Merchant[] = []
  for (const [number, living] of receiver.healthy.entries()) {
    const { projectId, authorization } = await makeProject(stage.core, `Merchant ${number}`)
    const client = await startClient({ baseUrls: stage.baseUrls, authorization }, shutdown)
    merchants.push({ projectId, client, urls: { living, dead: dead[number % DEAD_COUNT] as string } })
  }
  const healthy = merchants.slice(0, HEALTHY_COUNT)
  for (const { client, urls } of healthy) await addEndpoint(client, urls.living)
  const fire = createFire(stage)
  const eventIds: string[] = []
  return {
    context,
    receiver,
    size: quick ? SIZE_QUICK : SIZE,
    healthy,
    others: merchants.slice(HEALTHY_COUNT),
    fire,
    async deliver(merchant) {
      const { eventId, committedAt } = await fire(merchant)
      const arrivedAt = await receiver.arrivalOf(eventId)
      eventIds.push(eventId)
      return arrivedAt - committedAt
    },
    eventIds,
  }
}

function createFire({ core }: Stage): Bench['fire'] {
  const { orm, temporal, clock, randomBytes, logger } = core
  const starter = createWebhookStarter({ temporal: temporal.clients, taskQueues: TASK_QUEUES, eager: true })
  const announceAll = createAnnouncer(starter, logger)
  return async ({ projectId }) => {
    const fired: { eventId: string; committedAt: number }[] = []
    const announce = (events: Parameters<typeof announceAll>[0]) => {
      const committedAt = monotonicMs()
      fired.push(...events.map(({ eventId }) => ({ eventId, committedAt })))
      announceAll(events)
    }
    await makeChanges({ clock, randomBytes, announce }, orm.em.fork(), (transaction, changes) =>
      addCustomer(changes, transaction, { projectId, sandbox: true }, {}),
    )
    const [first] = fired
    if (first === undefined) throw new Error('A change has fired no event that somebody waits for.')
    return first
  }
}

/**
 * Runs with dead endpoints and with the same ones alive, with the same load of the healthy merchants at the same instants.
 * Each comes twice, in an order that reads the same from its end, and the other one begins in the next pair: what gets slower
 * or faster with time falls on both.
 */
async function measurePair(bench: Bench, ratePerSecond: number, index: number): Promise<Record<Host, Latencies>> {
  const half = (host: Host, number: number) => amongOthers(bench, ratePerSecond, 2 * index + number, host)
  const [outer, inner] = index % 2 === 0 ? (['living', 'dead'] as const) : (['dead', 'living'] as const)
  const first = await half(outer, 0)
  const between = [...(await half(inner, 0)), ...(await half(inner, 1))]
  const around = [...first, ...(await half(outer, 1))]
  return { [outer]: summarize(around), [inner]: summarize(between) } as Record<Host, Latencies>
}

/**
 * What webhooks of the healthy merchants take while each of the others has as many events as each of them. Only what comes
 * after the lead-in counts: by then dead endpoints have attempts waiting, due and under way.
 */
async function amongOthers(
  { context: { stage, signal }, receiver, size, healthy, others, fire, deliver }: Bench,
  ratePerSecond: number,
  seed: number,
  host: Host,
): Promise<number[]> {
  const removals = await Promise.all(others.map(({ client, urls }) => addEndpoint(client, urls[host])))
  const load = (merchants: readonly Merchant[], random: () => number) => ({
    ratePerSecond: (ratePerSecond * merchants.length) / healthy.length,
    durationMs: size.leadInMs + size.halfMs,
    random,
    signal,
  })
  const [random, randomOfOthers] = [seededRandom(seed), seededRandom(~seed)]
  const countsFrom = monotonicMs() + size.leadInMs
  const latencies: number[] = []
  const toOthers = openModel(load(others, randomOfOthers), async () => {
    return (await fire(pick(randomOfOthers, others))).committedAt
  })
  const toHealthy = openModel(load(healthy, random), async () => {
    const counts = monotonicMs() >= countsFrom
    const latency = await deliver(pick(random, healthy))
    if (counts) latencies.push(latency)
    return latency
  })
  await Promise.all([toOthers, toHealthy])
  // What waits for a retry would go on in the runs without them, and the sweep would start it again.
  await Promise.all(removals.map((remove) => remove()))
  receiver.hangUp()
  const giveUp = "update delivery set status = 'failed', release_at = null, ended_at = now() where status = 'pending'"
  await stage.core.orm.em.fork().execute(giveUp)
  await terminateAll(stage.core.temporal.clients.sandbox, 'webhookWorkflow', signal)
  return latencies
}

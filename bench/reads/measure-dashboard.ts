import { monotonicMs } from '../measure/clock.ts'
import { summarize } from '../measure/statistics.ts'
import type { Figure, PartContext, PartResult, Stage } from '../parts/part.ts'
import { figureOf, type Measured } from '../report/figure.ts'
import { startBareRoute } from './bare-route.ts'
import { CALLS } from './dashboard-calls.ts'
import { makeDashboardProject } from './dashboard-project.ts'
import { startFirstView } from './first-view.ts'

const PAYMENTS = 1_000_000
const PAYMENTS_QUICK = 50_000
/** Of a call, in each repeat. */
const READINGS = 200
const READINGS_QUICK = 20
/** How long a call may take, at the 99th percentile. */
const BAR_MS = 50

const VIEWS = 20
const VIEWS_QUICK = 3
/** How long a person may wait for the overview, at worst. */
const VIEW_BAR_MS = 1_000
const VIEW = 'first view in Chromium, slowest'

const BARE = 'a bare route with one statement'

type Repeat = Record<string, Measured>

/**
 * How long each call of the dashboard takes, as a browser on the same machine waits for it, and the first view of somebody
 * whose browser has nothing of it. Each reading of either is followed by one of a route that does nothing but read a row.
 */
export async function measureDashboard(context: PartContext & { stage: Stage }): Promise<PartResult> {
  const { stage, shutdown, quick, quietly, say, signal, repeats: times } = context
  const { core } = stage
  const [baseUrl] = stage.baseUrls
  const em = core.orm.em.fork()
  const payments = quick ? PAYMENTS_QUICK : PAYMENTS
  const project = await makeDashboardProject(stage, payments, say)
  const bareRoute = await startBareRoute(String(core.orm.config.get('clientUrl')), shutdown)
  const bare = `${bareRoute.baseUrl}/transactions/${project.row.transaction_id}`
  const firstView = await startFirstView(baseUrl, project, shutdown)
  if (firstView === null) say('There is no Chromium, so the first view is left out')
  const headers = { cookie: project.cookie, 'x-project-id': project.name }
  let answers = 0

  async function read(address: string): Promise<number> {
    signal.throwIfAborted()
    const startedAt = monotonicMs()
    const response = await fetch(address, { headers })
    const text = await response.text()
    const tookMs = monotonicMs() - startedAt
    if (response.status !== 200) throw new Error(`${address} was answered ${response.status} ${text}`)
    answers += 1
    return tookMs
  }

  /** One after the other, in turns with the bare route. */
  async function inTurn(count: number, measured: () => Promise<number>, beside: () => Promise<number>) {
    const took = { measured: [] as number[], beside: [] as number[] }
    for (let index = 0; index < count; index += 1) {
      took.measured.push(await measured())
      took.beside.push(await beside())
    }
    return { measured: summarize(took.measured).p99, beside: summarize(took.beside).p99 }
  }

  const measureOnce = async (readings: number, views: number): Promise<Repeat> => {
    const repeat: Repeat = {}
    for (const { name, path } of CALLS) {
      // The limit of a person is no part of what is measured.
      await em.execute("delete from rate_limit_bucket where kind = 'person'")
      const address = `${baseUrl}${path(project.row)}`
      repeat[`${name}, p99`] = await inTurn(
        readings,
        () => read(address),
        () => read(bare),
      )
    }
    if (firstView !== null) repeat[VIEW] = await inTurn(views, firstView.openDashboard, () => firstView.open(bare))
    return repeat
  }

  say('Warming up')
  const names = Object.keys(await measureOnce(READINGS_QUICK, VIEWS_QUICK))
  const repeats: Repeat[] = []
  for (let index = 1; index <= times; index += 1) {
    repeats.push(
      await quietly.run(() => (quick ? measureOnce(READINGS_QUICK, VIEWS_QUICK) : measureOnce(READINGS, VIEWS))),
    )
    say(`${index} of ${times}`)
  }
  return { figures: names.map((name) => figureIn(repeats, name)), audit: { payments, answers }, repeats }
}

function figureIn(repeats: readonly Repeat[], name: string): Figure {
  const bar = { atMost: name === VIEW ? VIEW_BAR_MS : BAR_MS, of: 'measured' } as const
  return figureOf(
    { name, unit: 'ms', besideName: BARE, bar },
    repeats.map((repeat) => repeat[name] as Measured),
  )
}

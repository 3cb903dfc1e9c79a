import { addMember } from '../../src/persistence/queries/people/members.ts'
import { createPerson } from '../../src/persistence/queries/people/people.ts'
import { hashPassword } from '../../src/vault/password.ts'
import { findChromium, launch } from '../../test/support/find-chromium.ts'
import { CALLS } from '../dashboard-calls.ts'
import { BARE_ROUTE, figureOf, type Measured, summarize } from '../figures.ts'
import { startHelper } from '../helper.ts'
import { monotonicMs } from '../load.ts'
import type { Part, PartResult, StagedContext } from '../part.ts'
import { databaseUrlOf, endpointOf, middleOf, populate, WEBHOOK_TABLES } from '../population.ts'
import { makeProject, type Project } from '../project.ts'
import type { Stage } from '../stage.ts'

/** So many readings of a call, and openings of a page, in each repeat. */
const SIZE = { payments: 1_000_000, readings: 200, views: 20 }
const SIZE_QUICK = { payments: 50_000, readings: 20, views: 3 }

/** How long a call may take, at the 99th percentile, and how long a person may wait for the overview, at worst. */
const CALL_BAR = { atMost: 50, of: 'measured' } as const
const VIEW_BAR = { atMost: 1_000, of: 'measured' } as const
const VIEW = 'first view in Chromium, slowest'

const PASSWORD = 'a password of the benchmark'

export const part: Part = {
  name: 'dashboard',
  title: 'Dashboard',
  about: 'What the pages of the dashboard ask, one at a time, in a project of 1,000,000 payments, and the first view.',
  stage: { apis: 1, workers: 1 },
  run: measure,
}

/**
 * How long each call of the dashboard takes, as a browser on the same machine waits for it, and the first view of somebody
 * whose browser has nothing of it. Each reading of either is followed by one of a route that does nothing but read a row.
 */
async function measure(context: StagedContext): Promise<PartResult> {
  const { stage, shutdown, quick, say, signal } = context
  const { core, baseUrls } = stage
  const em = core.orm.em.fork()
  const size = quick ? SIZE_QUICK : SIZE
  const { payments } = size
  const [project, other] = [await makeProject(core, 'Large'), await makeProject(core, 'Other')]
  const populated = { project, payments }
  await populate(core, [populated, { project: other, payments: payments / 10 }], say, WEBHOOK_TABLES)
  await addAround(stage, project)
  const row = { ...(await middleOf(em, populated)), endpoint_id: endpointOf(project.projectId) }
  const cookie = await signIn(stage, project)
  const projectName = `test-${project.projectId}`
  const bareRoute = await startHelper<{ baseUrl: string }>('bare-route', [databaseUrlOf(core)], shutdown)
  const bare = `${bareRoute.first.baseUrl}/transactions/${row.transaction_id}`
  const openPage = await startBrowser(context, cookie)
  let answers = 0

  async function read(address: string): Promise<number> {
    signal.throwIfAborted()
    const startedAt = monotonicMs()
    const response = await fetch(address, { headers: { cookie, 'x-project-id': projectName } })
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

  const measureOnce = async ({ readings, views }: typeof SIZE) => {
    const repeat: Record<string, Measured> = {}
    for (const [name, path] of Object.entries(CALLS)) {
      // The limit of a person is no part of what is measured.
      await em.execute("delete from rate_limit_bucket where kind = 'person'")
      const address = `${baseUrls[0]}${typeof path === 'string' ? path : path(row)}`
      repeat[`${name}, p99`] = await inTurn(
        readings,
        () => read(address),
        () => read(bare),
      )
    }
    const overview = `${baseUrls[0]}/dashboard/#/${projectName}`
    if (openPage !== null)
      repeat[VIEW] = await inTurn(
        views,
        () => openPage(overview, true),
        () => openPage(bare, false),
      )
    return repeat
  }

  say('Warming up')
  const names = Object.keys(await measureOnce(SIZE_QUICK))
  const repeats = await context.repeat(() => measureOnce(size))
  return {
    figures: names.map((name) =>
      figureOf(
        { name, unit: 'ms', besideName: BARE_ROUTE, bar: name === VIEW ? VIEW_BAR : CALL_BAR },
        repeats.map((repeat) => repeat[name] ?? Number.NaN),
      ),
    ),
    audit: { payments, answers },
    repeats,
  }
}

/**
 * Gives the project the endpoint that all its webhooks went to, which is off, so that nothing is sent there; a year of
 * statistics of a shop with two currencies, two gateways and eight codes of declines; and a day of requests in each minute.
 */
async function addAround({ core }: Stage, { projectId, gatewayConfigurationId }: Project): Promise<void> {
  const em = core.orm.em.fork()
  await em.execute(
    `insert into webhook_endpoint
            (id, project_id, sandbox, url, enabled, disabled_reason, disabled_at, sign_with_ed25519, created_at, updated_at)
     values (?, ?, true, 'https://shop.example/webhooks', false, 'merchant', now(), false, now(), now())`,
    [endpointOf(projectId), projectId],
  )
  await em.execute(
    `insert into payment_day
            (project_id, sandbox, day, currency, gateway_configuration_id, kind, error_code, count, amount_minor)
     select ?, true, current_date - ago, currency, ? || gateway, kind,
            case when kind = 'declined' then 'code-' || code else '' end, 100, 290000
       from generate_series(0, 365) ago, unnest(array['EUR', 'USD']) currency, generate_series(1, 2) gateway,
            unnest(array['approved', 'captured', 'refunded', 'declined']) kind, generate_series(1, 8) code
      where kind = 'declined' or code = 1`,
    [projectId, gatewayConfigurationId],
  )
  await em.execute(
    `insert into limit_minute (project_id, sandbox, kind, minute, requests, refused, lowest_remaining)
     select ?, true, kind, date_trunc('minute', now()) - ago * interval '1 minute', 100, 0, 2900
       from generate_series(1, 1440) ago, unnest(array['sandbox', 'client_address', 'client_invoice']) kind`,
    [projectId],
  )
}

/** Makes an account for the project. @returns the cookie of its session, `name=value`. */
async function signIn({ core, baseUrls: [baseUrl] }: Stage, { projectId }: Project): Promise<string> {
  const { orm, clock, randomBytes } = core
  const account = { email: 'bench@example.com', name: 'Bench', actor: 'bench' }
  const passwordHash = await hashPassword(PASSWORD)
  const now = clock.now()
  await orm.em.fork().transactional(async (em) => {
    const person = await createPerson(em, { ...account, passwordHash, randomBytes, now })
    if (person === null) throw new Error('The account is there already.')
    await addMember(em, { projectId, personId: person.id, role: 'support', actor: 'bench', now })
  })
  const response = await fetch(`${baseUrl}/dashboard/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: baseUrl },
    body: JSON.stringify({ email: account.email, password: PASSWORD }),
  })
  const [cookie = ''] = response.headers.getSetCookie()[0]?.split(';') ?? []
  if (response.status !== 200) throw new Error(`The sign-in was answered ${response.status}.`)
  return cookie
}

/**
 * @returns opens an address in a Chromium that has never seen it, and gives the milliseconds until it is there: of the
 *   overview, with its figures, its charts and the latest payments. Null where the machine has no Chromium.
 */
async function startBrowser({ stage, shutdown, say }: StagedContext, cookie: string) {
  const executable = findChromium()
  if (executable === null) {
    say('There is no Chromium, so the first view is left out')
    return null
  }
  const browser = await launch(executable)
  shutdown.add({ name: 'Chromium', stop: () => browser.close() })
  const [name = '', value = ''] = cookie.split('=')
  return async (address: string, isOverview: boolean): Promise<number> => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    try {
      await page.context().addCookies([{ name, value, url: stage.baseUrls[0] }])
      const startedAt = monotonicMs()
      await page.goto(address, { waitUntil: isOverview ? 'commit' : 'load' })
      if (isOverview) {
        await page.locator('.tile-value').first().waitFor()
        await page.getByRole('region', { name: 'Latest payments' }).getByRole('row').nth(1).waitFor()
        await page.locator('main .loading').first().waitFor({ state: 'detached' })
      }
      return monotonicMs() - startedAt
    } finally {
      await page.close()
    }
  }
}

import type { EntityManager } from '../../src/persistence/orm.ts'
import { addMember } from '../../src/persistence/queries/people/members.ts'
import { createPerson } from '../../src/persistence/queries/people/people.ts'
import { hashPassword } from '../../src/vault/password.ts'
import { monotonicMs } from '../measure/clock.ts'
import { summarize } from '../measure/statistics.ts'
import type { PartContext, PartResult, Stage } from '../parts/part.ts'
import { makeProject, type Project } from '../payments/project.ts'
import { absoluteFigureOf } from '../report/figure.ts'
import { CALLS } from './dashboard-calls.ts'
import type { NamedRow } from './lists.ts'
import { populate } from './population.ts'

const PAYMENTS = 1_000_000
const PAYMENTS_QUICK = 50_000
/** Of a call, in each repeat. */
const READINGS = 200
const READINGS_QUICK = 20
/** How long a call may take, at the 99th percentile. */
const BAR_MS = 50

const PASSWORD = 'a password of the benchmark'

/** How long each call of the dashboard takes, as a browser on the same machine sees it. */
export async function measureDashboard(context: PartContext & { stage: Stage }): Promise<PartResult> {
  const { stage, quick, quietly, say, signal, repeats: times } = context
  const { core } = stage
  const em = core.orm.em.fork()
  const payments = quick ? PAYMENTS_QUICK : PAYMENTS
  const [project, other] = [await makeProject(core, 'Large'), await makeProject(core, 'Other')]
  await populate(
    em,
    [
      { project, payments },
      { project: other, payments: payments / 10 },
    ],
    say,
  )
  await fillStatistics(em, project)
  const row = await middleOf(em, project, payments)
  const headers = await signIn(stage, project)
  let answers = 0

  async function read(path: string): Promise<number> {
    signal.throwIfAborted()
    const startedAt = monotonicMs()
    const response = await fetch(`${stage.baseUrls[0]}${path}`, { headers })
    const text = await response.text()
    const tookMs = monotonicMs() - startedAt
    if (response.status !== 200) throw new Error(`${path} was answered ${response.status} ${text}`)
    answers += 1
    return tookMs
  }

  const measureOnce = async (): Promise<Record<string, number>> => {
    const repeat: Record<string, number> = {}
    for (const { name, path } of CALLS) {
      // The limit of a person is no part of what is measured.
      await em.execute("delete from rate_limit_bucket where kind = 'person'")
      const took: number[] = []
      for (let index = 0; index < (quick ? READINGS_QUICK : READINGS); index += 1) took.push(await read(path(row)))
      repeat[name] = summarize(took).p99
    }
    return repeat
  }

  say('Warming up')
  await measureOnce()
  const repeats: Record<string, number>[] = []
  for (let index = 1; index <= times; index += 1) {
    repeats.push(await quietly.run(measureOnce))
    say(`${index} of ${times}`)
  }
  return {
    figures: CALLS.map(({ name }) =>
      absoluteFigureOf(
        { name: `${name}, p99`, unit: 'ms', bar: { atMost: BAR_MS } },
        repeats.map((repeat) => repeat[name] as number),
      ),
    ),
    audit: { payments, answers },
    repeats,
  }
}

async function middleOf(em: EntityManager, { projectId }: Project, payments: number): Promise<NamedRow> {
  const [row] = await em.execute<NamedRow[]>(
    `select transaction.id as transaction_id, transaction.invoice_id, transaction.card_id, event.id as event_id
       from transaction join event on event.transaction_id = transaction.id
      where transaction.project_id = ? order by transaction.created_at offset ? limit 1`,
    [projectId, payments / 2],
  )
  if (row === undefined) throw new Error('The project has no payments.')
  return row
}

/** A year of a shop with two currencies, two gateways and eight codes of declines, and a day of requests in each minute. */
async function fillStatistics(em: EntityManager, { projectId, gatewayConfigurationId }: Project): Promise<void> {
  await em.execute(
    `insert into payment_day
            (project_id, sandbox, day, currency, gateway_configuration_id, kind, error_code, count, amount_minor)
     select ?, true, date '2026-01-01' + day, currency, ? || gateway, kind, case when kind = 'declined' then 'code-' || code else '' end,
            100, 290000
       from generate_series(0, 364) day, unnest(array['EUR', 'USD']) currency, generate_series(1, 2) gateway,
            unnest(array['approved', 'captured', 'refunded', 'declined']) kind, generate_series(1, 8) code
      where kind = 'declined' or code = 1`,
    [projectId, gatewayConfigurationId],
  )
  await em.execute(
    `insert into limit_minute (project_id, sandbox, kind, minute, requests, refused, lowest_remaining)
     select ?, true, kind, date_trunc('minute', now()) - minute * interval '1 minute', 100, 0, 2900
       from generate_series(1, 1440) minute, unnest(array['sandbox', 'client_address', 'client_invoice']) kind`,
    [projectId],
  )
}

/** The headers with which a page of a signed-in person asks. */
async function signIn({ core, baseUrls }: Stage, { projectId }: Project): Promise<Record<string, string>> {
  const { orm, clock, randomBytes } = core
  const account = { email: 'bench@example.com', name: 'Bench', mustChangePassword: false, actor: 'bench' }
  const passwordHash = await hashPassword(PASSWORD)
  const now = clock.now()
  await orm.em.fork().transactional(async (em) => {
    const person = await createPerson(em, { ...account, passwordHash, randomBytes, now })
    if (person === null) throw new Error('The account is there already.')
    await addMember(em, { projectId, personId: person.id, role: 'support', actor: 'bench', now })
  })
  const [baseUrl = ''] = baseUrls
  const response = await fetch(`${baseUrl}/dashboard/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: baseUrl },
    body: JSON.stringify({ email: account.email, password: PASSWORD }),
  })
  const [cookie = ''] = response.headers.getSetCookie()[0]?.split(';') ?? []
  if (response.status !== 200) throw new Error(`The sign-in was answered ${response.status}.`)
  return { cookie, 'x-project-id': `test-${projectId}` }
}

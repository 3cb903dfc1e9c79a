import type { EntityManager } from '../../src/persistence/orm.ts'
import { addMember } from '../../src/persistence/queries/people/members.ts'
import { createPerson } from '../../src/persistence/queries/people/people.ts'
import { hashPassword } from '../../src/vault/password.ts'
import type { Stage } from '../parts/part.ts'
import { makeProject, type Project } from '../payments/project.ts'
import type { NamedRow } from './lists.ts'
import { endpointOf, populate, WEBHOOK_TABLES } from './population.ts'

const PASSWORD = 'a password of the benchmark'

/** A project of so many payments, with somebody who looks at it in the dashboard. */
export interface DashboardProject {
  row: NamedRow & { endpoint_id: string }
  /** As the pages have it in their addresses. */
  name: string
  /** `name=value` */
  cookie: string
}

/** Makes the project, among the payments of another one. */
export async function makeDashboardProject(
  stage: Stage,
  payments: number,
  say: (line: string) => void,
): Promise<DashboardProject> {
  const { core } = stage
  const em = core.orm.em.fork()
  const [project, other] = [await makeProject(core, 'Large'), await makeProject(core, 'Other')]
  await populate(
    em,
    [
      { project, payments },
      { project: other, payments: payments / 10 },
    ],
    say,
    WEBHOOK_TABLES,
  )
  await addEndpoint(em, project)
  await fillStatistics(em, project)
  return {
    row: { ...(await middleOf(em, project, payments)), endpoint_id: endpointOf(project.projectId) },
    name: `test-${project.projectId}`,
    cookie: await signIn(stage, project),
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

/** The endpoint that all webhooks of the project went to. It is off, so that nothing is sent there. */
async function addEndpoint(em: EntityManager, { projectId }: Project): Promise<void> {
  await em.execute(
    `insert into webhook_endpoint
            (id, project_id, sandbox, url, enabled, disabled_reason, disabled_at, sign_with_ed25519, created_at, updated_at)
     values (?, ?, true, 'https://shop.example/webhooks', false, 'merchant', now(), false, now(), now())`,
    [endpointOf(projectId), projectId],
  )
}

/** A year of a shop with two currencies, two gateways and eight codes of declines, and a day of requests in each minute. */
async function fillStatistics(em: EntityManager, { projectId, gatewayConfigurationId }: Project): Promise<void> {
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

/** @returns the cookie of the session. */
async function signIn({ core, baseUrls: [baseUrl] }: Stage, { projectId }: Project): Promise<string> {
  const { orm, clock, randomBytes } = core
  const account = { email: 'bench@example.com', name: 'Bench', mustChangePassword: false, actor: 'bench' }
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

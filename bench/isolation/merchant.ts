import { LIMIT_MAX } from '../../domain/rate-limits.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { createProject } from '../../src/persistence/queries/projects/create-project.ts'
import { monotonicMs } from '../measure/clock.ts'
import type { Service } from '../stage/service.ts'

/** An approved test card; see the simulator's list. */
const CARD = { number: '4242424242424242', exp_month: '12', exp_year: '2030', cvc2: '123' }

/** Requests that prepare payments at once: as many as do not disturb one another. */
const PREPARED_AT_ONCE = 4

/** What a customer was told. `unknown`: that it is not known yet, or nothing within the time of a request. */
export type Told = 'approved' | 'failed' | 'unknown'

/** An invoice and a card, ready to be paid. */
export interface Prepared {
  invoiceId: string
  source: string
}

/** A project with one account at the simulator. */
export interface Merchant {
  projectId: string
  gatewayConfigurationId: string
  /** What its customers were told, by invoice. */
  told: Map<string, Told>
  prepare(count: number): Promise<Prepared[]>
  /** Has a payment authorized as a merchant's server does; gives the milliseconds from the request to the answer. */
  pay(prepared: Prepared): Promise<number>
  /** Sets how its gateway behaves from now on. */
  setGateway(settings: Record<string, string>): Promise<void>
}

export async function createMerchant(service: Service, name: string): Promise<Merchant> {
  const { orm, vault, randomBytes, clock, baseUrl } = service
  const { projectId, secretKey } = await createProject(orm.em.fork(), {
    name,
    sandbox: true,
    randomBytes,
    hashSecret: vault.hashSecret,
    now: clock.now(),
    limits: { primaryLimit: LIMIT_MAX, secondaryLimit: LIMIT_MAX, sandboxLimit: LIMIT_MAX },
  })
  const { id: gatewayConfigurationId } = await orm.em.fork().findOneOrFail(GatewayConfigurationEntity, { projectId })
  const headers = {
    authorization: `Basic ${Buffer.from(`test-${projectId}:${secretKey}`).toString('base64')}`,
    'content-type': 'application/json',
  }
  const post = async (path: string, body: object) => {
    const response = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: response.status, body: (await response.json()) as Record<string, Record<string, unknown>> }
  }
  const create = async (path: string, kind: string, fields: object): Promise<string> => {
    const { status, body } = await post(path, fields)
    if (status !== 200) throw new Error(`POST ${path} was answered ${status}: ${JSON.stringify(body)}`)
    return String(body[kind]?.id)
  }
  const told = new Map<string, Told>()
  return {
    projectId,
    gatewayConfigurationId,
    told,
    async prepare(count) {
      const prepared: Prepared[] = []
      let begun = 0
      const go = async () => {
        while (begun < count) {
          begun += 1
          const invoiceId = await create('/invoices', 'invoice', { name: 'Order', amount: '29.00', currency: 'EUR' })
          prepared.push({ invoiceId, source: await create('/cards', 'card', CARD) })
        }
      }
      await Promise.all(Array.from({ length: PREPARED_AT_ONCE }, go))
      return prepared
    },
    async pay({ invoiceId, source }) {
      const from = monotonicMs()
      // A connection that breaks tells nothing: the payment may have been made.
      const answer = await post(`/invoices/${invoiceId}/authorize`, { source }).catch(() => null)
      const took = monotonicMs() - from
      told.set(invoiceId, answer === null ? 'unknown' : toldBy(answer.status, answer.body.transaction?.status))
      return took
    },
    async setGateway(settings) {
      await orm.em.fork().nativeUpdate(GatewayConfigurationEntity, { id: gatewayConfigurationId }, { settings })
    },
  }
}

function toldBy(status: number, transactionStatus: unknown): Told {
  if (status === 410) return 'failed'
  return status === 200 && transactionStatus === 'authorized' ? 'approved' : 'unknown'
}

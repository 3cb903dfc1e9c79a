import { monotonicMs } from '../measure/clock.ts'
import type { Told } from '../payments/audit.ts'
import { CARD, makeProject, ORDER, type Project } from '../payments/project.ts'
import type { Service } from '../stage/service.ts'

/** Requests that prepare payments at once: as many as do not disturb one another. */
const PREPARED_AT_ONCE = 4

/** An invoice and a card, ready to be paid. */
export interface Prepared {
  invoiceId: string
  source: string
}

/** A project with one account at the simulator. */
export interface Merchant extends Project {
  /** What its customers were told, by invoice. */
  told: Map<string, Told>
  prepare(count: number): Promise<Prepared[]>
  /** Has a payment authorized as a merchant's server does; gives the milliseconds from the request to the answer. */
  pay(prepared: Prepared): Promise<number>
}

export async function createMerchant(service: Service, name: string): Promise<Merchant> {
  const { baseUrl } = service
  const project = await makeProject(service, name)
  const headers = { authorization: project.authorization, 'content-type': 'application/json' }
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
    ...project,
    told,
    async prepare(count) {
      const prepared: Prepared[] = []
      let begun = 0
      const go = async () => {
        while (begun < count) {
          begun += 1
          const invoiceId = await create('/invoices', 'invoice', ORDER)
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
  }
}

function toldBy(status: number, transactionStatus: unknown): Told {
  if (status === 410) return 'failed'
  return status === 200 && transactionStatus === 'authorized' ? 'approved' : 'unknown'
}

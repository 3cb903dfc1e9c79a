import type { Sandbox } from '../sample-shop/sandbox.ts'
import { LINES, type Shown } from '../sample-shop/shop.ts'

/** The sandbox with the shop in it, as the pictures visit it. */
export interface Shop extends Sandbox, Shown {
  demoUrl: string
  /** The address of the hosted page of a new invoice. */
  hosted(fields?: object): Promise<string>
  /** The id of a run of a workflow. */
  runOf(workflowId: string, which: 'first' | 'last'): Promise<string>
}

/** What pages of the service call the shop. */
export const NAME = 'Bean and Mug'

const ORDER = {
  name: 'Order 4711',
  amount: '61.00',
  currency: 'EUR',
  details: LINES,
  statement_descriptor_company: NAME,
}

export function openStage(sandbox: Sandbox, shown: Shown, demoUrl: string): Shop {
  return {
    ...sandbox,
    ...shown,
    demoUrl,
    async runOf(workflowId, which) {
      const query = encodeURIComponent(`WorkflowId = '${workflowId}'`)
      const answer = await fetch(`${sandbox.temporalUrl}/api/v1/namespaces/sandbox/workflows?query=${query}`)
      const { executions } = (await answer.json()) as {
        executions: { execution: { runId: string }; startTime: string }[]
      }
      const runs = executions.toSorted((one, other) => Date.parse(one.startTime) - Date.parse(other.startTime))
      return String(runs.at(which === 'first' ? 0 : -1)?.execution.runId)
    },
    async hosted(fields = {}) {
      const order = { ...ORDER, return_url: demoUrl, ...fields }
      const { invoice, lastResponse } = await sandbox.call('POST', '/invoices', order)
      return `${sandbox.url}/pay/${invoice.id}?client_secret=${lastResponse.clientSecret()}`
    },
  }
}

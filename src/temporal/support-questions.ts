import { FAILING } from './stuck-runs.ts'

/** What support staff ask of the list of workflows. */
export interface SupportQuestion {
  /** Its name in `docs/support.md`. */
  name: 'needs-attention' | 'expiring' | 'failing-webhooks' | 'failed-webhooks' | 'task-failures'
  question: string
  /** As the Temporal UI and `temporal workflow list --query` take it. */
  query: string
}

const DAY_MS = 24 * 60 * 60 * 1000

/** The questions as of an instant: the list knows no relative dates. */
export function supportQuestions(now: Date): SupportQuestion[] {
  const inADay = new Date(now.getTime() + DAY_MS)
  const running = (type: 'payment' | 'webhook') => `WorkflowType = "${type}Workflow" AND ExecutionStatus = "Running"`
  return [
    {
      name: 'needs-attention',
      question: 'Which payments need attention?',
      query: `${running('payment')} AND PaymentStatus = "needs-attention"`,
    },
    {
      name: 'expiring',
      question: 'Which authorizations end within 24 hours?',
      query:
        `${running('payment')} AND AuthorizationExpiresAt >= "${now.toISOString()}"` +
        ` AND AuthorizationExpiresAt < "${inADay.toISOString()}"`,
    },
    {
      name: 'failing-webhooks',
      question: 'Which webhooks have failed and are tried again?',
      query: `${running('webhook')} AND DeliveryStatus = "retrying"`,
    },
    {
      name: 'failed-webhooks',
      question: 'Which webhooks were given up?',
      query: 'WorkflowType = "webhookWorkflow" AND DeliveryStatus = "failed"',
    },
    {
      name: 'task-failures',
      question: 'Which workflows does a defect hold up?',
      query: `ExecutionStatus = "Running" AND ${FAILING}`,
    },
  ]
}

/** The page of the Temporal UI that lists what a query finds. */
export function listUrl(uiUrl: string, namespace: string, query: string): string {
  return `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows?query=${encodeURIComponent(query)}`
}

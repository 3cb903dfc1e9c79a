/** Two queues, so that a merchant's dead endpoint can never delay a payment. */
export interface TaskQueues {
  payments: string
  webhooks: string
}

export const TASK_QUEUES: TaskQueues = { payments: 'payments', webhooks: 'webhooks' }

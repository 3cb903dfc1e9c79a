import { sleep } from '@temporalio/workflow'

/** What a bad deploy leaves: histories of payments that the code of today does not replay. */
export async function paymentWorkflow(): Promise<void> {
  await sleep('1ms')
  await sleep('30 days')
}

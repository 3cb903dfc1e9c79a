import { condition, defineUpdate, setHandler, sleep } from '@temporalio/workflow'

/** What a bad deploy leaves: histories of payments that the code of today does not replay. */
export async function paymentWorkflow(): Promise<void> {
  // Begins a capture and does not come to its end.
  setHandler(defineUpdate('capture'), () => condition(() => false))
  await sleep('1ms')
  await sleep('30 days')
}

/** Workflows that never wait, and one that does nothing else. */
import { condition } from '@temporalio/workflow'

const endless = (): never => {
  for (;;);
}

export async function endlessAtOnce(): Promise<void> {
  endless()
}

/** In a callback of a promise, which runs after the call into the workflow has returned. */
export async function endlessAfterAPromise(): Promise<void> {
  await Promise.resolve()
  endless()
}

export async function waiting(): Promise<void> {
  await condition(() => false, '1 hour')
}

export async function returning(): Promise<string> {
  return 'returned'
}

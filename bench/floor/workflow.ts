import { condition, defineUpdate, setHandler } from '@temporalio/workflow'

/** The least that Temporal can be asked for: a workflow that returns at once. */
export async function emptyWorkflow(): Promise<void> {}

/** The least that gives an answer: an update without work, after which the workflow returns in the same task. */
export async function updatableWorkflow(): Promise<void> {
  let isAnswered = false
  setHandler(defineUpdate<void>('answer'), () => {
    isAnswered = true
  })
  await condition(() => isAnswered)
}

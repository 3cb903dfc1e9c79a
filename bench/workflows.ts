import { condition, defineUpdate, setHandler } from '@temporalio/workflow'

export * from '../workflows/index.ts'

/** The floor, the least that gives an answer: an update without work, after which the workflow returns in the same task. */
export async function updatableWorkflow(): Promise<void> {
  let isAnswered = false
  setHandler(defineUpdate<void>('answer'), () => {
    isAnswered = true
  })
  await condition(() => isAnswered)
}

import { expect, test } from '@jest/globals'
import { server } from '../support/servers.ts'
test('x', async () => {
  const t = Date.now()
  console.log(await Promise.allSettled([server('temporal'), server('postgres'), server('workflowBundle')]), Date.now() - t)
  expect(1).toBe(1)
})

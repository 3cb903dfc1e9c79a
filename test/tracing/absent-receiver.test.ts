import { expect, test } from '@jest/globals'
import type { Context } from 'koa'
import { createTracing } from '../../src/tracing/tracing.ts'

test('a receiver that is away keeps neither a request nor the process from its end', async () => {
  const tracing = createTracing('http://127.0.0.1:1')
  const context = { path: '/invoices', method: 'GET', status: 200, state: { requestId: 'req_1' } }
  let isAnswered = false
  await tracing.requests(context as unknown as Context & { state: { requestId: string } }, async () => {
    isAnswered = true
  })
  expect(isAnswered).toBe(true)
  await expect(tracing.stop()).resolves.toBeUndefined()
})

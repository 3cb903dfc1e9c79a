import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import { live, ready, showVersions } from '../../../src/api/service/service.ts'
import type { ApiContext } from '../../../src/http/context.ts'
import type { AppDeps } from '../../../src/http/dependencies.ts'

async function answerOf(route: ReturnType<typeof live>) {
  const ctx = { status: 200, body: null, vary: () => {}, accepts: () => 'json' } as unknown as ApiContext
  await route(ctx, async () => undefined)
  return { status: ctx.status, body: ctx.body }
}

type Asked = Pick<AppDeps, 'isReady' | 'isServing'>
const readiness = (deps: Asked) => answerOf(ready(deps))
const BOTH = { database: true, temporal: true }

test('the root tells what it is', async () => {
  expect((await answerOf(showVersions())).body).toEqual({
    success: true,
    name: 'holdfast',
    current_version: '1.0.0',
    latest_version: '1.0.0',
    versions: ['1.0.0'],
  })
})

describe('health', () => {
  test('is alive while the process answers', async () => {
    expect(await answerOf(live())).toEqual({ status: 200, body: { success: true } })
  })

  test.each([
    [BOTH, 200],
    [{ database: false, temporal: true }, 503],
    [{ database: true, temporal: false }, 503],
  ])('with %j is %i', async (servers, status) => {
    const body = { success: status === 200, ...servers }
    expect(await readiness({ isReady: async () => servers })).toEqual({ status, body })
  })

  test('is 503 while the process starts or is about to end', async () => {
    const absent = { isReady: async () => BOTH, isServing: () => false }
    expect(await readiness(absent)).toEqual({ status: 503, body: { success: false, ...BOTH } })
  })

  test('does not ask the servers for each of many who ask at once, and asks again for the next', async () => {
    let questions = 0
    const route = ready({
      async isReady() {
        questions += 1
        await sleep(10)
        return { ...BOTH, database: questions === 1 }
      },
    })
    const answers = await Promise.all(Array.from({ length: 20 }, () => answerOf(route)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(questions).toBe(1)
    expect((await answerOf(route)).status).toBe(503)
  })
})

import { describe, expect, test } from '@jest/globals'
import { createKeyedSemaphore } from '../src/keyed-semaphore.ts'

describe('a keyed semaphore', () => {
  test('lets a few in at once, and the others in the order in which they came', async () => {
    const semaphore = createKeyedSemaphore({ permits: 2, waitMs: 60_000 })
    const [one] = await Promise.all([semaphore.acquire('a'), semaphore.acquire('a')])
    const came: string[] = []
    const comes = async (name: string) => {
      const out = await semaphore.acquire('a')
      came.push(name)
      return out
    }
    const third = comes('third')
    const fourth = comes('fourth')
    await Promise.resolve()
    expect(came).toEqual([])
    one?.()
    const out = await third
    expect(came).toEqual(['third'])
    out?.()
    await fourth
    expect(came).toEqual(['third', 'fourth'])
  })

  test('keeps nobody for another key', async () => {
    const semaphore = createKeyedSemaphore({ permits: 1, waitMs: 60_000 })
    await semaphore.acquire('a')
    expect(await semaphore.acquire('b')).not.toBeNull()
  })

  test('sends away who has waited too long, and lets nobody in for it', async () => {
    const semaphore = createKeyedSemaphore({ permits: 1, waitMs: 5 })
    const first = await semaphore.acquire('a')
    expect(await semaphore.acquire('a')).toBeNull()
    first?.()
    const next = await semaphore.acquire('a')
    expect(next).not.toBeNull()
    expect(await semaphore.acquire('a')).toBeNull()
  })

  test('counts a way out once', async () => {
    const semaphore = createKeyedSemaphore({ permits: 1, waitMs: 5 })
    const first = await semaphore.acquire('a')
    first?.()
    first?.()
    await semaphore.acquire('a')
    expect(await semaphore.acquire('a')).toBeNull()
  })
})

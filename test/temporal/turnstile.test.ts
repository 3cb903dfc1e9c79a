import { describe, expect, test } from '@jest/globals'
import { createTurnstile } from '../../src/temporal/turnstile.ts'

describe('a turnstile', () => {
  test('lets a few in at once, and the others in the order in which they came', async () => {
    const turnstile = createTurnstile({ atOnceMax: 2, waitMs: 60_000 })
    const [one] = await Promise.all([turnstile.enter('a'), turnstile.enter('a')])
    const came: string[] = []
    const comes = async (name: string) => {
      const out = await turnstile.enter('a')
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
    const turnstile = createTurnstile({ atOnceMax: 1, waitMs: 60_000 })
    await turnstile.enter('a')
    expect(await turnstile.enter('b')).not.toBeNull()
  })

  test('sends away who has waited too long, and lets nobody in for it', async () => {
    const turnstile = createTurnstile({ atOnceMax: 1, waitMs: 5 })
    const first = await turnstile.enter('a')
    expect(await turnstile.enter('a')).toBeNull()
    first?.()
    const next = await turnstile.enter('a')
    expect(next).not.toBeNull()
    expect(await turnstile.enter('a')).toBeNull()
  })

  test('counts a way out once', async () => {
    const turnstile = createTurnstile({ atOnceMax: 1, waitMs: 5 })
    const first = await turnstile.enter('a')
    first?.()
    first?.()
    await turnstile.enter('a')
    expect(await turnstile.enter('a')).toBeNull()
  })
})

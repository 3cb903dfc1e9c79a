import { describe, expect, test } from '@jest/globals'
import { patience, type Stage } from './stage.ts'

/** One that looks like success, one of a refused card, one of a server that fails; other parts have had the rest. */
const STATUSES = [200, 402, 500] as const

export function describeSecrets(stage: Stage): void {
  const { heard, repeatedCalls, requestWith } = stage

  /** What may be nowhere. A security code has too few digits to be looked for within longer words. */
  const secrets = (): RegExp[] => {
    const { access, approvedCard, declinedCard, pendingCard, actionCard } = stage.harness
    const cards = [approvedCard, declinedCard, pendingCard, actionCard].flatMap((test) => test?.card ?? [])
    const codes = cards.flatMap(({ cvc }) => cvc ?? [])
    const words = [...cards.map(({ number }) => number), ...Object.values(access.credentials)]
    return [
      ...words.map((word) => new RegExp(literal(word))),
      ...codes.map((code) => new RegExp(`(?<![0-9A-Za-z])${code}(?![0-9A-Za-z])`)),
    ]
  }

  const expectNothingSecret = (said: readonly string[]) => {
    expect(said.length).toBeGreaterThan(0)
    const text = said.join('\n')
    for (const secret of secrets()) expect(secret.exec(text)?.[0]).toBeUndefined()
  }

  describe('card numbers, security codes and credentials', () => {
    test.each(STATUSES)('are in no outcome where the gateway quotes them in an answer %i', async (status) => {
      const quoting = await stage.over({ kind: 'quotes-requests', status })
      if (quoting === null) return
      const before = heard.length
      for (const { call, question } of await repeatedCalls()) {
        await call(quoting, patience())
        await quoting.lookUp(question, patience())
      }

      expectNothingSecret(heard.slice(before))
    })

    test('are in nothing that the adapter has said in all these tests, errors included', async () => {
      await stage.gateway.authorize(requestWith(stage.harness.declinedCard), patience())

      expectNothingSecret(heard)
    })

    test('would be found if they were there', () => {
      const { access, approvedCard } = stage.harness
      for (const secret of [approvedCard.card.number, approvedCard.card.cvc, ...Object.values(access.credentials)])
        expect(() => expectNothingSecret([JSON.stringify({ reason: `Sent ${secret}, got nothing.` })])).toThrow()
    })
  })
}

function literal(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

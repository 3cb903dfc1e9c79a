import { describe, expect, test } from '@jest/globals'
import { approved } from './outcomes.ts'
import { patience, type Stage } from './stage.ts'

/** How long a test waits before it gives a silent gateway up, and how soon after that the adapter has to have ended. */
const WAIT_MS = 100
const ENDED_WITHIN_MS = 5_000

export function describeUncertainty(stage: Stage): void {
  const { authorizationRequest, questionOf, moneyMovingCalls } = stage
  const unanswered = () => (stage.harness.looksUp !== false ? 'unreachable' : 'not-offered')
  const notFound = () => (stage.harness.looksUp !== false ? 'never-seen' : 'not-offered')

  describe('when no certain answer comes', () => {
    test('a call whose wait has ended is unknown, never a success', async () => {
      for (const { call } of await moneyMovingCalls()) {
        expect((await call(stage.gateway, AbortSignal.abort())).kind).toBe('unknown')
      }
    })

    test('a call whose wait ends while the gateway works is unknown, and a look-up tells what happened', async () => {
      for (const { call, question } of await moneyMovingCalls()) {
        const waiting = new AbortController()
        const outcome = call(stage.gateway, waiting.signal)
        waiting.abort()

        expect((await outcome).kind).toBe('unknown')
        const found = await stage.gateway.lookUp(question, patience())
        expect(['found', notFound()]).toContain(found.kind)
      }
    })

    test('a gateway that says nothing is waited for until the signal ends the wait, and the outcome is unknown', async () => {
      const silent = await stage.over({ kind: 'never-answers' })
      if (silent === null) return
      const calls = await moneyMovingCalls()
      const { reference } = authorizationRequest()
      const startedAt = performance.now()

      const ends = await Promise.all([
        ...calls.map(async ({ call }) => (await call(silent, AbortSignal.timeout(WAIT_MS))).kind),
        silent.lookUp(questionOf(reference), AbortSignal.timeout(WAIT_MS)).then(({ kind }) => kind),
      ])

      expect(ends).toEqual([...calls.map(() => 'unknown'), unanswered()])
      expect(performance.now() - startedAt).toBeLessThan(ENDED_WITHIN_MS)
    })

    test('a lost answer is unknown, and a look-up finds the approval', async () => {
      const losing = await stage.over({ kind: 'loses-answers' })
      if (losing === null) return
      for (const { call, question } of await moneyMovingCalls()) {
        expect((await call(losing, patience())).kind).toBe('unknown')

        const found = await stage.lookUp(question)
        if (stage.harness.looksUp === false && found.kind !== 'found') expect(found.kind).toBe('not-offered')
        else expect(found).toMatchObject({ kind: 'found', outcome: { kind: 'approved' } })
      }
    })

    test('a lost answer is the first one when the reference is asked again, and nothing is done twice', async () => {
      const losing = await stage.over({ kind: 'loses-answers' })
      if (losing === null || stage.gateway.referencesKeptForMs === 0) return
      const request = authorizationRequest()
      expect((await losing.authorize(request, patience())).kind).toBe('unknown')

      approved(await stage.gateway.authorize(request, patience()))

      expect(await stage.harness.countAuthorizations(request.invoiceId)).toBe(1)
    })

    test('a call that certainly did not arrive says so, and nothing was done', async () => {
      const unreachable = await stage.over({ kind: 'refuses-connections' })
      if (unreachable === null) return
      for (const { call, question } of await moneyMovingCalls()) {
        expect(await call(unreachable, patience())).toMatchObject({
          kind: 'declined',
          code: 'gateway.network-error',
          isNotSent: true,
        })
        expect((await stage.gateway.lookUp(question, patience())).kind).toBe(notFound())
        expect((await unreachable.lookUp(question, patience())).kind).toBe(unanswered())
      }
    })

    test('a look-up that is answered with something unheard of, lost, or not waited for finds nothing', async () => {
      const { harness } = stage
      if (harness.looksUp === false) return
      const request = authorizationRequest()
      approved(await stage.gateway.authorize(request, patience()))
      const question = questionOf(request.reference)
      expect((await stage.lookUp(question)).kind).toBe('found')

      const inventing = await stage.over({
        kind: 'changes-answers',
        change: harness.inventStatus,
        everywhere: true,
      })
      const losing = await stage.over({ kind: 'loses-answers' })
      if (inventing !== null) expect((await inventing.lookUp(question, patience())).kind).toBe('unreachable')
      if (losing !== null) expect((await losing.lookUp(question, patience())).kind).toBe('unreachable')
      expect((await stage.gateway.lookUp(question, AbortSignal.abort())).kind).toBe('unreachable')
    })
  })
}

import { describe, expect, test } from '@jest/globals'
import { alterationsOf } from './alterations.ts'
import { TOLD } from './harness.ts'
import { expectWhole } from './outcomes.ts'
import { patience, type Stage } from './stage.ts'

/** What no gateway answers with. The last but one has the words of success, at no gateway of ours in their places. */
const NO_ANSWERS = [
  '',
  'approved',
  '"approved"',
  'null',
  'true',
  '0',
  '[]',
  '{}',
  '[{"status":"succeeded","resultCode":"Authorised"}]',
  '{"result":{"kind":"approved","status":"succeeded","resultCode":"Authorised"},"success":true}',
  '<html><body>OK</body></html>',
] as const

/** How deep the answer to an authorization is altered: as deep as what a scheme says of a card. Others are read at the top. */
const DEPTH = 4

/** Of the server, of a proxy, or of nobody: none of them says that nothing was done. */
const UNCERTAIN_STATUSES = [307, 409, 418, 500, 502, 504] as const
const REFUSING_STATUSES = [400, 401, 402, 403, 404, 422, 429] as const

export function describeInventedAnswers(stage: Stage): void {
  const { repeatedCalls, authorizationRequest } = stage

  describe('when the gateway answers what its documentation does not have', () => {
    test('a status that nobody has heard of is unknown, for every step', async () => {
      const inventing = await stage.over({ kind: 'changes-answers', change: stage.harness.inventStatus })
      if (inventing === null) return
      for (const { call, question } of await repeatedCalls()) {
        expect([question.type, (await call(inventing, patience())).kind]).toEqual([question.type, 'unknown'])
      }
    })

    test.each(NO_ANSWERS)('the answer %j is unknown, for every step', async (text) => {
      const inventing = await stage.over({ kind: 'answers', text })
      if (inventing === null) return
      for (const { call, question } of await repeatedCalls()) {
        expect([question.type, (await call(inventing, patience())).kind]).toEqual([question.type, 'unknown'])
      }
    })

    test('whatever is missing from an answer or of another type, what is taken for an approval is whole', async () => {
      if (stage.harness.isRemote === true || stage.gateway.referencesKeptForMs === 0) return
      for (const { call, question } of await repeatedCalls()) {
        const truth = await call(stage.gateway, patience())
        let index = 0
        let count = 1
        const altering = await stage.over({
          kind: 'changes-answers',
          change(answer) {
            const altered = alterationsOf(answer, question.type === 'authorization' ? DEPTH : 1)
            count = altered.length
            return altered[index]
          },
        })
        if (altering === null) return
        for (; index < count; index += 1) {
          const outcome = await call(altering, patience())

          expect(['approved', 'pending', 'unknown']).toContain(outcome.kind)
          // An approval is none that the truth was not; what is pending may have become known meanwhile.
          if (outcome.kind === 'approved') expect(truth.kind).toBe('approved')
          expectWhole(outcome)
        }
        expect([question.type, count]).toEqual([question.type, expect.any(Number)])
        expect(count).toBeGreaterThan(1)
      }
    })

    test('another sum than was asked is told as the gateway said it', async () => {
      const misstating = await stage.over({ kind: 'changes-answers', change: stage.harness.misstate })
      if (misstating === null) return

      expect(await misstating.authorize(authorizationRequest(), patience())).toMatchObject({
        kind: 'approved',
        ...TOLD,
      })
    })

    test.each(UNCERTAIN_STATUSES)('an error %i leaves unknown what was done, for every step', async (status) => {
      const failing = await stage.over({ kind: 'quotes-requests', status })
      if (failing === null) return
      for (const { call } of await repeatedCalls()) {
        const outcome = await call(failing, patience())
        // What only prepares a step may fail like that before anything was asked for.
        if (outcome.kind !== 'unknown') expect(outcome).toMatchObject({ kind: 'declined', isNotSent: true })
      }
    })

    test.each(REFUSING_STATUSES)('an error %i is never a success, for every step', async (status) => {
      const failing = await stage.over({ kind: 'quotes-requests', status })
      if (failing === null) return
      for (const { call } of await repeatedCalls()) {
        expect(['declined', 'unknown']).toContain((await call(failing, patience())).kind)
      }
    })
  })
}

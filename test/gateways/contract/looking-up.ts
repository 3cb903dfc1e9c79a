import { describe, expect, test } from '@jest/globals'
import { expectDeclined } from './outcomes.ts'
import { patience, type Stage } from './stage.ts'

export function describeLookingUp(stage: Stage): void {
  const { requestWith, questionOf, makeReference, moneyMovingCalls, refusedCalls } = stage

  describe('looking up', () => {
    test('never invents an outcome for a reference that was never sent', async () => {
      const found = await stage.gateway.lookUp(questionOf(makeReference()), patience())

      expect(found).toMatchObject({ kind: stage.harness.looksUp !== false ? 'never-seen' : 'not-offered' })
    })

    test('finds the outcome that was answered, approved or declined', async () => {
      for (const card of [stage.harness.approvedCard, stage.harness.declinedCard]) {
        const request = requestWith(card)
        const outcome = await stage.gateway.authorize(request, patience())

        expect(await stage.lookUp(questionOf(request.reference))).toEqual({ kind: 'found', outcome })
      }
    })

    test('finds the outcome of every later step that was made', async () => {
      for (const { call, question } of await moneyMovingCalls()) {
        const outcome = await call(stage.gateway, patience())

        expect(await stage.lookUp(question)).toEqual({ kind: 'found', outcome })
        // Asking moved nothing, so that asking again finds the same.
        expect(await stage.lookUp(question)).toEqual({ kind: 'found', outcome })
      }
    })

    test('of a step that was refused finds that, or nothing, in which case the step is refused again', async () => {
      const { remembersRefusedSteps } = stage.harness
      for (const { call, question } of await refusedCalls()) {
        const outcome = await call(stage.gateway, patience())
        expectDeclined(outcome)

        const found = await stage.gateway.lookUp(question, patience())
        expect(found).toEqual(remembersRefusedSteps ? { kind: 'found', outcome } : { kind: 'never-seen' })
        if (!remembersRefusedSteps && stage.gateway.referencesKeptForMs > 0)
          expect(await call(stage.gateway, patience())).toEqual(outcome)
      }
    })
  })
}

import type { LookUp, Outcome } from '../../domain/operation.ts'
import type { Gateway } from '../../src/gateways/gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test knows which call it looks at.
type AnyRequest = any

/** What is answered in place of the gateway, or how: `ask` asks the gateway itself. */
export type Answer<Told = Outcome> = Told | ((ask: () => Promise<Told>, request: AnyRequest) => Told | Promise<Told>)

/** The answers to some calls; the others the gateway answers itself. */
export interface Answers {
  authorize?: Answer
  continueAuthorization?: Answer
  capture?: Answer
  increment?: Answer
  void?: Answer
  refund?: Answer
  lookUp?: Answer<LookUp>
  endAuthentication?: Answer<LookUp>
}

const CALLS = [
  'authorize',
  'continueAuthorization',
  'capture',
  'increment',
  'void',
  'refund',
  'lookUp',
  'endAuthentication',
] as const satisfies readonly (keyof Answers)[]

/** The call did not arrive, or did: nobody knows. The gateway has not seen it. */
export const NO_ANSWER: Outcome = { kind: 'unknown', reason: 'no answer' }
/** The gateway does what it is asked, and its answer gets lost. */
export const lostAnswer = async (ask: () => Promise<Outcome>): Promise<Outcome> => {
  await ask()
  return { kind: 'unknown', reason: 'lost' }
}
/** The same answer to every call that moves money. */
export const toEveryCall = (answer: Answer): Answers => ({
  ...{ authorize: answer, capture: answer, increment: answer, void: answer, refund: answer },
})

/** A gateway whose answers a test can replace, and which notes what it is asked. */
export function createScriptedGateway() {
  let answers: Answers = {}
  const asked: { call: keyof Answers; request: AnyRequest }[] = []
  return {
    /** Every call that has reached the gateway or what answers for it, in order. */
    asked,
    /** Replaces answers until the end of the test. */
    answers(more: Answers): void {
      answers = { ...answers, ...more }
    },
    /** Replaces answers while something is done. */
    async answersDuring<Result>(more: Answers, work: () => Promise<Result>): Promise<Result> {
      const before = answers
      answers = { ...answers, ...more }
      return work().finally(() => {
        answers = before
      })
    },
    reset(): void {
      answers = {}
      asked.length = 0
    },
    wrap(gateway: Gateway): Gateway {
      const wrapped: Record<string, unknown> = { ...gateway }
      for (const call of CALLS) {
        const make = gateway[call]
        if (make === undefined) continue
        wrapped[call] = async (request: never, signal: AbortSignal) => {
          asked.push({ call, request })
          const ask = () => make(request, signal) as Promise<never>
          const answer = answers[call] as Answer<unknown> | undefined
          if (answer === undefined) return ask()
          return typeof answer === 'function' ? answer(ask, request) : answer
        }
      }
      return wrapped as unknown as Gateway
    },
  }
}

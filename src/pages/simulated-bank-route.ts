import type { RandomBytes } from '../../domain/identifiers.ts'
import type { ApiContext, ApiMiddleware } from '../http/context.ts'
import { bodyOf } from '../http/middleware/body.ts'
import type { PageLocale } from './hosted-page-texts.ts'
import { pageLocaleFor } from './page-locale.ts'
import {
  type Challenge,
  challengePage,
  documentOf,
  expiredPage,
  fingerprintPage,
  policyOf,
  returningPage,
  unknownPage,
  usedPage,
  type WayBack,
} from './simulated-bank.ts'

/** A page of the simulated bank. */
type BankPage =
  | { kind: 'unknown' }
  | { kind: 'expired' }
  /** It was answered before. */
  | { kind: 'used'; back: WayBack; isFullPage: boolean }
  | { kind: 'fingerprint'; back: WayBack | null }
  | Challenge
  /** It has just been answered. */
  | { kind: 'answered'; back: WayBack; isFullPage: boolean }

type Answer = { kind: 'code'; code: string } | { kind: 'cancel' }

/** The bank behind the pages: it knows them by ids that nobody can guess, and keeps what happens on them. */
export interface SimulatedBank {
  /** @param isPeek true for a look that leaves the page as it is */
  open(id: string, isPeek: boolean): Promise<BankPage>
  /** The page that follows: the challenge again after a wrong code. */
  answer(id: string, answer: Answer): Promise<BankPage>
}

export interface SimulatedBankDeps {
  bank: SimulatedBank
  randomBytes: RandomBytes
}

const NONCE_BYTES = 16

/**
 * The pages of the simulated bank, for `GET` and `POST` of `/simulator/bank/:id`, behind `body()`: everything that the
 * protocols of 3-D Secure open with a form, and the customer's answers. They need no key. There are some in the sandbox
 * only, where the simulator makes them.
 */
export function simulatedBank({ bank, randomBytes }: SimulatedBankDeps): ApiMiddleware {
  return async (ctx) => {
    const { id = '' } = ctx.params
    const answer = answerIn(ctx)
    if (answer === null) return show(ctx, await bank.open(id, ctx.method === 'HEAD'), {})
    if (answer.kind === 'code' && answer.code === '') return show(ctx, await bank.open(id, true), { isEmpty: true })
    const page = await bank.answer(id, answer)
    if (page.kind !== 'challenge') return show(ctx, page, { isAnswer: true })
    // After a wrong code the browser gets the page anew, so that reloading it repeats no answer.
    ctx.status = 303
    ctx.set('Location', id)
  }

  function show(ctx: ApiContext, page: BankPage, how: { isEmpty?: boolean; isAnswer?: boolean }): void {
    const nonce = Buffer.from(randomBytes(NONCE_BYTES)).toString('base64')
    ctx.status = STATUS[page.kind]
    ctx.set('Content-Security-Policy', policyOf(nonce, 'isFullPage' in page && page.isFullPage))
    ctx.type = 'html'
    const locale = pageLocaleFor(ctx)
    ctx.body = documentOf(look(page, how, locale), nonce, locale)
  }
}

/** 410: there was a page, and it is over. */
const STATUS = { unknown: 404, expired: 410, used: 410, fingerprint: 200, challenge: 200, answered: 200 } as const

function look(
  page: BankPage,
  { isEmpty = false, isAnswer = false }: { isEmpty?: boolean; isAnswer?: boolean },
  locale: PageLocale,
) {
  switch (page.kind) {
    case 'unknown':
      return unknownPage(locale)
    case 'expired':
      return expiredPage(locale)
    case 'used':
      // The second click on a button: the first one was the answer.
      return usedPage(page.back, isAnswer, locale)
    case 'fingerprint':
      return fingerprintPage(page.back, locale)
    case 'challenge':
      return challengePage(page, isEmpty, locale)
    case 'answered':
      return returningPage(page.back, locale)
  }
}

/** The customer's answer; null for a request that opens the page, whatever the protocol sends along. */
function answerIn(ctx: ApiContext): Answer | null {
  if (ctx.method !== 'POST') return null
  const { answer, code } = bodyOf(ctx).fields
  if (answer === 'cancel') return { kind: 'cancel' }
  if (answer === undefined && code === undefined) return null
  // Customers type spaces where the message of their bank has some.
  return { kind: 'code', code: typeof code === 'string' ? code.replaceAll(/\s/g, '') : '' }
}

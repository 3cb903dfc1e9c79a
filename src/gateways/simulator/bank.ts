import type { Clock } from '../../clock.ts'
import { type CustomerStep, STEP_ID, VERSION_1 } from './authentications.ts'
import { answerOf } from './customer-actions.ts'
import { type Entry, type Execute, isAwaited, objectOf, type WaitingAuthorization } from './ledger.ts'

/** Sends the browser back to where it came from: fields for a POST. */
export interface WayBack {
  url: string
  fields: Readonly<Record<string, string>>
}

/** A page of the bank, as far as it is known here; how it looks is the business of whoever shows it. */
export type BankPageState =
  /** There is no such page. */
  | { kind: 'unknown' }
  /** Nobody has answered it in time. */
  | { kind: 'expired' }
  /** It was answered before. */
  | { kind: 'used'; back: WayBack; isFullPage: boolean }
  /** The page that looks at the browser, unseen. Null if it never ends. */
  | { kind: 'fingerprint'; back: WayBack | null }
  | ChallengeState
  /** It has just been answered. */
  | { kind: 'answered'; back: WayBack; isFullPage: boolean }

export interface ChallengeState {
  kind: 'challenge'
  /** As the customer's statement will have it; null if that is not known. */
  shop: string | null
  amountMinor: number
  currency: string
  /** The last four digits of the card. */
  cardEnding: string | null
  /** Of version 1 of 3-D Secure. */
  isVersion1: boolean
  /** The bank refuses to be shown in a frame. */
  isFullPage: boolean
  /** How many wrong codes there were. */
  wrongCodes: number
  triesLeft: number
  rightCode: string
  /** What the right code does: with some test cards it fails, or another challenge follows. */
  ends: 'by code' | 'always failing' | 'never'
}

/** What the customer does on a page. */
export type BankAnswer = { kind: 'code'; code: string } | { kind: 'cancel' }

export interface BankOptions {
  /** Runs SQL on the simulator's ledger. */
  execute: Execute
  clock: Clock
}

/** The right code for every challenge. The page shows it, since nobody is sent one. */
const RIGHT_CODE = '1234'

/** After so many wrong codes the bank gives up. */
const TRIES = 3

/** $1 id of a step. */
const READ_PAGE = `
select to_jsonb(r) as entry, to_jsonb(w) as waiting, to_jsonb(s) as step
from simulator.customer_step as s
join simulator.waiting_authorization as w on w.reference = s.reference
join simulator.request as r on r.reference = s.reference
where s.id = $1`

/**
 * $1 id, $2 what happened on the page, or null for a wrong code, $3 the number of tries, $4 now. Writes nothing on a
 * page that was answered, is too old, or belongs to an authorization that no longer waits for it.
 */
const ANSWER = `
update simulator.customer_step as s
set answer = coalesce($2::text, case when wrong_codes + 1 >= $3::integer then 'failed' end),
  wrong_codes = wrong_codes + case when $2::text is null then 1 else 0 end
where id = $1 and answer is null and expires_at > $4::timestamptz
  and exists (
    select from simulator.request as r
    where r.reference = s.reference and r.outcome #>> '{action,continuation}' = s.id
  )
returning to_jsonb(s) as step`

/** The pages of the simulated bank. The ledger keeps what its customers do there. */
export function createSimulatedBank({ execute, clock }: BankOptions) {
  const read = async (id: string): Promise<Page | null> => {
    const [row] = STEP_ID.test(id) ? await execute(READ_PAGE, [id]) : []
    if (row === undefined) return null
    return { entry: objectOf(row.entry), waiting: objectOf(row.waiting), step: objectOf(row.step) }
  }

  /** The step afterwards; null if the page could not be answered. */
  const write = async (id: string, answer: CustomerStep['answer']): Promise<CustomerStep | null> => {
    const [row] = await execute(ANSWER, [id, answer, TRIES, clock.now()])
    return row === undefined ? null : objectOf(row.step)
  }

  /** @param isPeek true for a look that leaves the page as it is */
  const open = async (id: string, isPeek = false): Promise<BankPageState> => {
    const page = await read(id)
    const state = stateOf(page, clock.now())
    if (page === null || state.kind !== 'fingerprint' || state.back === null || isPeek) return state
    // The bank has seen the browser once the page is loaded.
    const step = await write(id, 'completed')
    return step === null ? stateOf(await read(id), clock.now()) : state
  }

  return {
    open,

    /** Takes the customer's answer, and returns the page that follows: the challenge again after a wrong code. */
    async answer(id: string, answer: BankAnswer): Promise<BankPageState> {
      const page = await read(id)
      const state = stateOf(page, clock.now())
      if (page === null || state.kind !== 'challenge') return state
      const step = await write(id, judge(answer, state))
      // Another answer was faster.
      if (step === null) return stateOf(await read(id), clock.now())
      const after = { ...page, step }
      return step.answer === null ? challengeOf(after) : { kind: 'answered', ...wayBackFrom(after) }
    },
  }
}

interface Page {
  entry: Entry
  waiting: WaitingAuthorization
  step: CustomerStep
}

function stateOf(page: Page | null, now: Date): BankPageState {
  if (page === null) return { kind: 'unknown' }
  const { step, entry, waiting } = page
  switch (step.type) {
    case 'fingerprint-mobile':
    case 'challenge-mobile':
      return { kind: 'unknown' }
    default:
      if (step.answer === null && now >= step.expiresAt) return { kind: 'expired' }
      if (step.answer !== null || !isAwaited(step, entry)) return { kind: 'used', ...wayBackFrom(page) }
      if (step.type !== 'fingerprint') return challengeOf(page)
      return { kind: 'fingerprint', back: waiting.plan.fingerprint === 'never-returns' ? null : wayBackFrom(page).back }
  }
}

function wayBackFrom({ waiting, step }: Page): { back: WayBack; isFullPage: boolean } {
  const { returnUrl: url, plan } = waiting
  return { back: { url, fields: answerOf(waiting, step) }, isFullPage: plan.isFullPage === true }
}

function challengeOf({ entry, waiting, step }: Page): ChallengeState {
  const { plan, shop, cardEnding } = waiting
  const { amountMinor, currency } = entry
  const ends = { fails: 'always failing', endless: 'never', byCode: 'by code' } as const
  return {
    kind: 'challenge',
    shop,
    amountMinor,
    currency,
    cardEnding,
    isVersion1: plan.version === VERSION_1,
    isFullPage: plan.isFullPage === true,
    wrongCodes: step.wrongCodes,
    triesLeft: TRIES - step.wrongCodes,
    rightCode: RIGHT_CODE,
    ends: ends[plan.challenge ?? 'byCode'],
  }
}

/** What an answer comes to; null for a wrong code. */
function judge(answer: BankAnswer, { ends }: ChallengeState): CustomerStep['answer'] {
  if (answer.kind === 'cancel') return 'canceled'
  if (ends === 'always failing') return 'failed'
  return answer.code === RIGHT_CODE ? 'passed' : null
}

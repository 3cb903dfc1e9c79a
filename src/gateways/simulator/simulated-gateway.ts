import { randomBytes, randomUUID } from 'node:crypto'
import { CUSTOMER_HAS_MS, type CustomerActionType } from '../../../domain/customer-action.ts'
import { randomText } from '../../../domain/identifiers.ts'
import type { LookUp, Outcome } from '../../../domain/operation.ts'
import type { Clock } from '../../clock.ts'
import type {
  AuthorizeRequest,
  ContinueRequest,
  FollowUpRequest,
  GatewayAccess,
  ListRequest,
  LookUpRequest,
  OperationPage,
  SettlementPage,
} from '../gateway.ts'
import { type CustomerStep, goOn, learn, NOTHING_LEARNED, STEP_ID } from './authentications.ts'
import { type Authorized, afterAuthentication, authorize } from './authorizations.ts'
import { bookedAt } from './bookings.ts'
import { actionOf } from './customer-actions.ts'
import { endPending, followUp } from './follow-ups.ts'
import { gatewayOperationId } from './ids.ts'
import {
  type Advance,
  type Change,
  createLedger,
  type Entry,
  type Execute,
  type HeldAuthorization,
  isAwaited,
  type LedgerNotification,
  type LedgerRequest,
  type Result,
  type WaitingAuthorization,
} from './ledger.ts'
import { listOperations } from './operation-list.ts'
import { decline, type ScriptedNotification, unknown } from './scenarios.ts'
import type { FaultSettings } from './settings.ts'
import { listSettlements } from './settlement-list.ts'
import { NEXT_NOTIFICATION_MS, scriptOf } from './test-cards.ts'

/** A step as the gateway receives it. `continuation`: an authorization goes on after its customer has acted. */
export type Step =
  | { type: 'authorization'; request: AuthorizeRequest }
  | { type: 'continuation'; request: ContinueRequest }
  | FollowUpStep

interface FollowUpStep {
  type: Exclude<LedgerRequest['type'], 'authorization'>
  request: FollowUpRequest & { isFinal?: boolean; targetTotalMinor?: number }
}

/** The answer in place of one that a test card loses. */
export const LOST = unknown('The answer of the gateway was lost.')

const OTHER_REQUEST = unknown('The reference was used for another request before.')

const NOT_FOUND = decline('gateway.transaction-not-found')

/** Distinguishes a failure of the gateway from the decline of a test card. */
export const FAILURE_CODE = 'SERVICE_UNAVAILABLE'
const FAILURE = decline('gateway.internal-error', { gatewayCode: FAILURE_CODE })
const FAILED: Result = { scenario: null, outcome: FAILURE, later: null, delivery: null }

/** The look-up that finds the final outcome of a pending step; the first one still finds it pending. */
const FINAL_LOOK_UP = 2

/** How many look-ups of a late outcome find nothing. */
const SILENT_LOOK_UPS = 3

const DAY_MS = 24 * 60 * 60 * 1000

/** Reports the end of a pending step. */
const END: ScriptedNotification = { kind: 'outcome', afterMs: NEXT_NOTIFICATION_MS }

/** The gateway itself: it executes each reference once, and answers. */
export function createSimulatedGateway({ execute, clock }: { execute: Execute; clock: Clock }) {
  const ledger = createLedger(execute)

  const enterAuthorization = async (asked: LedgerRequest, request: AuthorizeRequest, isFailing: boolean) => {
    const authorized = isFailing
      ? { result: FAILED, waits: null }
      : await authorize(request, asked.askedAt, (card) => ledger.isFirstUse(asked, card))
    return ledger.enter(asked, () => changeOf(authorized, asked, request))
  }

  /** What an answer of the customer comes to, once for each step, whoever brings it how often. */
  const continueAuthorization = async (request: ContinueRequest, isFailing: boolean): Promise<Outcome> => {
    const asked = askedBy({ type: 'authorization', request }, clock.now())
    const stepId = STEP_ID.test(request.continuation) ? request.continuation : ''
    for (;;) {
      const found = await ledger.readStep(request.reference, stepId)
      if (found === null) return NOT_FOUND
      const { entry, waiting, step } = found
      // The step of another authorization, or of none: nothing is done. This one may have been approved before.
      if (waiting === null || step === null) return isWaiting(entry) ? NOT_FOUND : OTHER_REQUEST
      if (!isSameRequest(asked, entry)) return OTHER_REQUEST
      if (!isAwaited(step, entry)) return answerTo(entry)
      const advance = isFailing
        ? { ...waiting, outcome: FAILURE, delivery: null, step: null, held: null, bookedAt: null }
        : advanceOf(asked, request, waiting, step)
      if (advance === null) return entry.outcome
      if (await ledger.advance(request.reference, step.id, advance)) return answerTo({ ...entry, ...advance })
    }
  }

  return {
    /** @param isFailing true if the gateway fails at this step and does nothing */
    async perform(step: Step, settings: FaultSettings, isFailing: boolean): Promise<Outcome> {
      if (step.type === 'continuation') return continueAuthorization(step.request, isFailing)
      const asked = askedBy(step, clock.now())
      const entry =
        step.type === 'authorization'
          ? await enterAuthorization(asked, step.request, isFailing)
          : await ledger.enter(asked, (held) => changeBy(step, asked, held, settings, isFailing))
      if (!isSameRequest(asked, entry)) return OTHER_REQUEST
      return answerTo(entry)
    },

    listSettlements: (request: ListRequest): Promise<SettlementPage> =>
      listSettlements(execute, accountOf(request), request),

    listOperations: (request: ListRequest): Promise<OperationPage> =>
      listOperations(execute, accountOf(request), request),

    async lookUp(question: LookUpRequest): Promise<LookUp> {
      const entry = await ledger.lookUp(question, accountOf(question))
      if (entry === null) return { kind: 'never-seen' }
      const { delivery, lookedUp, reference } = entry
      if (delivery === 'never-resolved' || (delivery === 'late' && lookedUp <= SILENT_LOOK_UPS))
        return { kind: 'unreachable', reason: 'The gateway cannot tell what happened.' }
      const isEnding = entry.outcome.kind === 'pending' && lookedUp >= FINAL_LOOK_UP
      const { outcome } = (isEnding ? await ledger.revise(reference, clock.now(), endPending) : null) ?? entry
      return { kind: 'found', outcome }
    },
  }
}

/** A configuration may name different accounts over time; one account never sees the operations of another. */
function accountOf({ gatewayConfigurationId, settings }: GatewayAccess): string {
  return settings.account === undefined ? gatewayConfigurationId : `${gatewayConfigurationId}/${settings.account}`
}

function askedBy(
  { type, request }: { type: LedgerRequest['type']; request: Step['request'] },
  askedAt: Date,
): LedgerRequest {
  const { reference, invoiceId, amountMinor, currency } = request
  return {
    reference,
    type,
    gatewayConfigurationId: accountOf(request),
    invoiceId,
    gatewayAuthorizationId:
      'gatewayAuthorizationId' in request ? request.gatewayAuthorizationId : gatewayOperationId(type, reference),
    amountMinor,
    currency,
    isFinal: ('isFinal' in request ? request.isFinal : null) ?? null,
    askedAt,
  }
}

function isWaiting({ outcome }: Entry): boolean {
  return outcome.kind === 'action-required'
}

/** The answer as it arrives. */
function answerTo({ delivery, outcome }: Pick<Entry, 'delivery' | 'outcome'>): Outcome {
  return delivery === null ? outcome : LOST
}

function isSameRequest(asked: LedgerRequest, entry: LedgerRequest): boolean {
  const { askedAt: _, reference: __, ...content } = asked
  return Object.entries(content).every(([name, value]) => entry[name as keyof LedgerRequest] === value)
}

/** An authorization is held once it is approved. While it waits for its customer, its outcome is the action. */
function changeOf({ result, waits }: Authorized, asked: LedgerRequest, request: AuthorizeRequest): Change {
  if (waits === null)
    return { result, held: heldAfter(asked, result, request), notifications: [], bookedAt: bookedAt(asked, result) }
  const { plan, returnUrl, type } = waits
  const { incremental, statementDescriptor: shop, card } = request
  const cardEnding = card?.number.slice(-4) ?? null
  const step = makeStep(asked, type)
  const about = { plan, learned: NOTHING_LEARNED, returnUrl }
  const authorization = { ...about, reference: asked.reference, result, incremental, shop, cardEnding }
  const outcome: Outcome = { kind: 'action-required', action: actionOf({ ...asked, ...about }, step) }
  const { scenario } = result
  return {
    result: { scenario, outcome, later: null, delivery: null },
    held: null,
    notifications: [],
    bookedAt: null,
    waiting: { authorization, step },
  }
}

/** What follows from an answer; null if the customer has not acted on the bank's page. */
function advanceOf(
  asked: LedgerRequest,
  { answer }: ContinueRequest,
  waiting: WaitingAuthorization,
  step: CustomerStep,
): Advance | null {
  const learned = learn(waiting.learned, step, answer)
  const next = goOn({ plan: waiting.plan, learned }, step, answer, asked.askedAt)
  if (next.kind === 'unanswered') return null
  if (next.kind === 'step') {
    const nextStep = makeStep(asked, next.type)
    const action = actionOf({ ...asked, ...waiting, learned }, nextStep)
    return {
      outcome: { kind: 'action-required', action },
      learned,
      delivery: null,
      step: nextStep,
      held: null,
      bookedAt: null,
    }
  }
  const result = afterAuthentication(waiting.result, next)
  const { outcome, delivery } = result
  const ended = { held: heldAfter(asked, result, waiting), bookedAt: bookedAt(asked, result) }
  return { outcome, learned, delivery, step: null, ...ended }
}

function makeStep({ reference, askedAt }: LedgerRequest, type: CustomerActionType): CustomerStep {
  return {
    id: `sim_step_${randomText(randomBytes)}`,
    reference,
    type,
    acsTransId: randomUUID(),
    expiresAt: new Date(askedAt.getTime() + CUSTOMER_HAS_MS),
    wrongCodes: 0,
    answer: null,
  }
}

/** The authorization after an approval; null for any other outcome. A sale is captured at once. */
function heldAfter(asked: LedgerRequest, { scenario, outcome }: Result, { incremental }: { incremental: boolean }) {
  if (outcome.kind !== 'approved' || scenario === null) return null
  const { gatewayAuthorizationId: id, gatewayConfigurationId, currency } = asked
  const { amountMinor: authorizedMinor, isSale = false } = outcome
  const taken = { capturedMinor: isSale ? authorizedMinor : 0, captures: isSale ? 1 : 0 }
  const nothing = { capturingMinor: 0, voidedMinor: 0, refundedMinor: 0, refundingMinor: 0, failedCaptures: 0 }
  return { id, gatewayConfigurationId, scenario, currency, incremental, authorizedMinor, ...taken, ...nothing }
}

function changeBy(
  { type, request }: FollowUpStep,
  asked: LedgerRequest,
  before: HeldAuthorization | null,
  settings: FaultSettings,
  isFailing: boolean,
): Change {
  const { result, held } = followUp(asked, before, request.targetTotalMinor, isFailing ? FAILURE : null)
  const { kind } = result.outcome
  const isScripted = kind === 'approved' && before !== null && (type !== 'capture' || before.captures === 0)
  const scripted = isScripted ? (scriptOf(before.scenario, type).notifications ?? []) : []
  const following = kind === 'pending' && settings.settled_notifications ? [END] : scripted
  const notifications = announce(following, asked, request.gatewayConfigurationId, settings)
  return { result, held, notifications, bookedAt: bookedAt(asked, result) }
}

/** The notifications of a step by the account's settings: late, in reverse order, or doubled. */
function announce(
  scripted: readonly ScriptedNotification[],
  { type, reference, askedAt, isFinal: _, ...about }: LedgerRequest,
  gatewayConfigurationId: string,
  settings: FaultSettings,
): LedgerNotification[] {
  const moments = scripted.map(({ afterMs }) => askedAt.getTime() + afterMs + settings.late_notifications_ms)
  if (settings.reverse_notifications) moments.reverse()
  return scripted.map(({ kind, reason = null, evidenceDays }, index) => ({
    ...about,
    gatewayConfigurationId,
    id: `${gatewayOperationId(type, reference)}_${kind}`,
    kind,
    reference: kind === 'outcome' || kind === 'refund-failed' ? reference : null,
    reason,
    evidenceDueAt: evidenceDays === undefined ? null : new Date(askedAt.getTime() + evidenceDays * DAY_MS),
    dueAt: new Date(moments[index] ?? askedAt),
    copies: settings.duplicate_notifications ? 2 : 1,
    attempts: 0,
    deliveredAt: null,
  }))
}

import type { LookUp, Outcome } from '../../../domain/operation.ts'
import type { Clock } from '../../clock.ts'
import type { AuthorizeRequest, FollowUpRequest, GatewayAccess, LookUpRequest } from '../gateway.ts'
import { authorize } from './authorizations.ts'
import { endPending, followUp } from './follow-ups.ts'
import { gatewayOperationId } from './ids.ts'
import {
  type Asked,
  type Change,
  createLedger,
  type Execute,
  type HeldAuthorization,
  type LedgerNotification,
  type Result,
} from './ledger.ts'
import { decline, type ScriptedNotification, unknown } from './scenarios.ts'
import type { FaultSettings } from './settings.ts'
import { NEXT_NOTIFICATION_MS, scriptOf } from './test-cards.ts'

/** A step as the gateway receives it. */
export type Step = { type: 'authorization'; request: AuthorizeRequest } | FollowUpStep

interface FollowUpStep {
  type: Exclude<Asked['type'], 'authorization'>
  request: FollowUpRequest & { isFinal?: boolean; targetTotalMinor?: number }
}

/** The answer in place of one that a test card loses. */
export const LOST = unknown('The answer of the gateway was lost.')

const OTHER_REQUEST = unknown('The reference was used for another request before.')

/** Distinguishes a failure of the gateway from the decline of a test card. */
export const FAILURE_CODE = 'SERVICE_UNAVAILABLE'
const FAILURE = decline('gateway.internal-error', { gatewayCode: FAILURE_CODE })

/** The look-up that finds the final outcome of a pending step; the first one still finds it pending. */
const FINAL_LOOK_UP = 2

/** How many look-ups of a late outcome find nothing. */
const SILENT_LOOK_UPS = 3

/** Reports the end of a pending step. */
const END: ScriptedNotification = { kind: 'outcome', afterMs: NEXT_NOTIFICATION_MS }

/** The gateway itself: it executes each reference once, and answers. */
export function createSimulatedGateway({ execute, clock }: { execute: Execute; clock: Clock }) {
  const ledger = createLedger(execute)

  const enterAuthorization = async (asked: Asked, request: AuthorizeRequest, isFailing: boolean) => {
    const result = isFailing
      ? { scenario: null, outcome: FAILURE, later: null, delivery: null }
      : await authorize(request, asked.askedAt, (card) => ledger.isFirstUse(asked, card))
    return ledger.enter(asked, () => ({ result, held: heldAfter(asked, result, request), notifications: [] }))
  }

  return {
    /** @param isFailing true if the gateway fails at this step and does nothing */
    async perform(step: Step, settings: FaultSettings, isFailing: boolean): Promise<Outcome> {
      const asked = askedBy(step, clock.now())
      const entry =
        step.type === 'authorization'
          ? await enterAuthorization(asked, step.request, isFailing)
          : await ledger.enter(asked, (held) => changeBy(step, asked, held, settings, isFailing))
      if (!isSameRequest(asked, entry)) return OTHER_REQUEST
      return entry.delivery === null ? entry.outcome : LOST
    },

    async lookUp(question: LookUpRequest): Promise<LookUp> {
      const entry = await ledger.lookUp(question, accountOf(question))
      if (entry === null) return { kind: 'never-seen' }
      const { delivery, lookedUp, reference } = entry
      if (delivery === 'never-resolved' || (delivery === 'late' && lookedUp <= SILENT_LOOK_UPS))
        return { kind: 'unreachable', reason: 'The gateway cannot tell what happened.' }
      const isEnding = entry.outcome.kind === 'pending' && lookedUp >= FINAL_LOOK_UP
      const { outcome } = (isEnding ? await ledger.revise(reference, endPending) : null) ?? entry
      return { kind: 'found', outcome }
    },
  }
}

/** A configuration may name different accounts over time; one account never sees the operations of another. */
function accountOf({ gatewayConfigurationId, settings }: GatewayAccess): string {
  return settings.account === undefined ? gatewayConfigurationId : `${gatewayConfigurationId}/${settings.account}`
}

function askedBy({ type, request }: Step, askedAt: Date): Asked {
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

function isSameRequest(asked: Asked, entry: Asked): boolean {
  const { askedAt: _, reference: __, ...content } = asked
  return Object.entries(content).every(([name, value]) => entry[name as keyof Asked] === value)
}

/** The authorization after an approval; null for any other outcome. A sale is captured at once. */
function heldAfter(asked: Asked, { scenario, outcome }: Result, { incremental }: AuthorizeRequest) {
  if (outcome.kind !== 'approved' || scenario === null) return null
  const { gatewayAuthorizationId: id, gatewayConfigurationId, currency } = asked
  const { amountMinor: authorizedMinor, isSale = false } = outcome
  const taken = { capturedMinor: isSale ? authorizedMinor : 0, captures: isSale ? 1 : 0 }
  const nothing = { capturingMinor: 0, voidedMinor: 0, refundedMinor: 0, refundingMinor: 0, failedCaptures: 0 }
  return { id, gatewayConfigurationId, scenario, currency, incremental, authorizedMinor, ...taken, ...nothing }
}

function changeBy(
  { type, request }: FollowUpStep,
  asked: Asked,
  before: HeldAuthorization | null,
  settings: FaultSettings,
  isFailing: boolean,
): Change {
  const { result, held } = followUp(asked, before, request.targetTotalMinor, isFailing ? FAILURE : null)
  const { kind } = result.outcome
  const isScripted = kind === 'approved' && before !== null && (type !== 'capture' || before.captures === 0)
  const scripted = isScripted ? (scriptOf(before.scenario, type).notifications ?? []) : []
  const following = kind === 'pending' && settings.settled_notifications ? [END] : scripted
  return { result, held, notifications: announce(following, asked, request.gatewayConfigurationId, settings) }
}

/** The notifications of a step by the account's settings: late, in reverse order, or doubled. */
function announce(
  scripted: readonly ScriptedNotification[],
  { type, reference, askedAt, isFinal: _, ...about }: Asked,
  gatewayConfigurationId: string,
  settings: FaultSettings,
): LedgerNotification[] {
  const moments = scripted.map(({ afterMs }) => askedAt.getTime() + afterMs + settings.late_notifications_ms)
  if (settings.reverse_notifications) moments.reverse()
  return scripted.map(({ kind, reason = null }, index) => ({
    ...about,
    gatewayConfigurationId,
    id: `${gatewayOperationId(type, reference)}_${kind}`,
    kind,
    reference: kind === 'outcome' || kind === 'refund-failed' ? reference : null,
    reason,
    dueAt: new Date(moments[index] ?? askedAt),
    copies: settings.duplicate_notifications ? 2 : 1,
    attempts: 0,
    deliveredAt: null,
  }))
}

import type { LookUp, Outcome } from '../../../domain/operation.ts'
import type { Clock } from '../../clock.ts'
import type { AuthorizeRequest, FollowUpRequest, GatewayAccess, LookUpRequest } from '../gateway.ts'
import { authorize } from './authorizations.ts'
import { type FollowUp, followUp, settle } from './follow-ups.ts'
import { gatewayOperationId } from './ids.ts'
import { type AskedEntry, createBooks, type Entry, type Execute, type NotificationEntry } from './ledger.ts'
import { unknown } from './outcomes.ts'
import { decline, type ScriptedNotification } from './scenarios.ts'
import type { NotificationSettings } from './settings.ts'
import { NEXT_NOTIFICATION_MS, scriptOf } from './test-cards.ts'

/** A step as it arrives. */
export type Step =
  | { type: 'authorization'; request: AuthorizeRequest }
  | { type: FollowUp['type']; request: FollowUpRequest & { isFinal?: boolean; targetTotalMinor?: number } }

/** What the account of a step asks for beside the step itself. */
interface Circumstances {
  notifications: NotificationSettings
  /** Whether the gateway fails at this step, and does nothing. */
  isFailing: boolean
}

/** The answer that a test card loses. */
export const LOST = unknown('The answer of the gateway was lost.')

const OTHER_REQUEST = unknown('The reference was used for another request before.')

/** Tells a failure of the gateway itself from the decline of a test card. */
export const FAILURE_CODE = 'SERVICE_UNAVAILABLE'
const FAILURE = decline('gateway.internal-error', { gatewayCode: FAILURE_CODE })

/** The look-up that finds a pending outcome final: the first one still finds it pending. */
const SETTLING_LOOK_UP = 2

/** How many look-ups of an outcome that comes late find nothing. */
const SILENT_LOOK_UPS = 3

/** The gateway itself: it does what arrives, once for each reference, and answers. */
export function createSimulatedGateway({ execute, clock }: { execute: Execute; clock: Clock }) {
  const books = createBooks(execute)

  const enterAuthorization = async (asked: AskedEntry, request: AuthorizeRequest, isFailing: boolean) => {
    const { scenario, outcome, delivery, firstUse } = authorize(request, asked.askedAt)
    const enter = (result: Pick<Entry, 'outcome' | 'delivery'>) =>
      books.authorize({ ...asked, ...result, scenario, later: null }, request.incremental)
    if (isFailing) return enter({ outcome: FAILURE, delivery: null })
    if (firstUse === null || !(await books.isFirstUse(asked, firstUse.card))) return enter({ outcome, delivery })
    return enter({ outcome: firstUse.outcome, delivery })
  }

  const enterFollowUp = (
    asked: AskedEntry,
    { type, request }: Exclude<Step, { type: 'authorization' }>,
    { notifications, isFailing }: Circumstances,
  ): Promise<Entry> =>
    books.followUp(asked, (held) => {
      const step = { ...asked, type, targetTotalMinor: request.targetTotalMinor ?? null }
      const { totals, ...result } = followUp(step, held, isFailing ? FAILURE : null)
      const scenario = held?.scenario ?? null
      const script = scenario === null ? {} : scriptOf(scenario, type)
      const entry = { ...asked, ...result, scenario, delivery: script.delivery ?? null }
      const isFirst = type !== 'capture' || held?.captures === 0
      const following = {
        approved: isFirst ? (script.notifications ?? []) : [],
        pending: notifications.reportsSettled ? [OUTCOME] : [],
      }
      const { kind } = result.outcome
      const scripted = kind === 'approved' || kind === 'pending' ? following[kind] : []
      return { entry, totals, notifications: announce(scripted, entry, request.gatewayConfigurationId, notifications) }
    })

  return {
    async perform(step: Step, circumstances: Circumstances): Promise<Outcome> {
      const asked = askedBy(step, clock.now())
      const entry =
        step.type === 'authorization'
          ? await enterAuthorization(asked, step.request, circumstances.isFailing)
          : await enterFollowUp(asked, step, circumstances)
      if (!isSameRequest(asked, entry)) return OTHER_REQUEST
      return entry.delivery === null ? entry.outcome : LOST
    },

    async lookUp(question: LookUpRequest): Promise<LookUp> {
      const { reference, type } = question
      const entry = await books.lookUp(reference, type, accountOf(question))
      if (entry === null) return { kind: 'never-seen' }
      const { delivery, lookedUp } = entry
      if (delivery === 'never-resolved' || (delivery === 'late' && lookedUp <= SILENT_LOOK_UPS))
        return { kind: 'unreachable', reason: 'The gateway cannot tell what happened.' }
      const isSettling = entry.outcome.kind === 'pending' && lookedUp >= SETTLING_LOOK_UP
      const { outcome } = (isSettling ? await books.revise(reference, settle) : null) ?? entry
      return outcome.kind === 'unknown' ? { kind: 'unreachable', reason: outcome.reason } : { kind: 'found', outcome }
    },
  }
}

/** One configuration may name several accounts, one after the other; what was done at one, another never saw. */
function accountOf({ gatewayConfigurationId, settings }: GatewayAccess): string {
  return settings.account === undefined ? gatewayConfigurationId : `${gatewayConfigurationId}/${settings.account}`
}

function askedBy({ type, request }: Step, askedAt: Date): AskedEntry {
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
    isFinal: 'isFinal' in request ? request.isFinal : null,
    askedAt,
  }
}

function isSameRequest(asked: AskedEntry, entry: Entry): boolean {
  const names = [
    'type',
    'gatewayConfigurationId',
    'invoiceId',
    'gatewayAuthorizationId',
    'amountMinor',
    'currency',
  ] as const
  return names.every((name) => asked[name] === entry[name]) && asked.isFinal === entry.isFinal
}

/** Reports how a pending step has ended. */
const OUTCOME: ScriptedNotification = { kind: 'outcome', afterMs: NEXT_NOTIFICATION_MS }

/** The notifications of a step as the account wants them: late, in the opposite order, or each of them twice. */
function announce(
  scripted: readonly ScriptedNotification[],
  { type, reference, gatewayAuthorizationId, invoiceId, amountMinor, currency, askedAt }: Entry,
  gatewayConfigurationId: string,
  { isDuplicated, isReversed, lateMs }: NotificationSettings,
): NotificationEntry[] {
  const moments = scripted.map(({ afterMs }) => askedAt.getTime() + afterMs + lateMs)
  if (isReversed) moments.reverse()
  return scripted.map(({ kind, reason = null }, index) => ({
    id: `${gatewayOperationId(type, reference)}_${kind}`,
    gatewayConfigurationId,
    gatewayAuthorizationId,
    invoiceId,
    kind,
    reference: kind === 'outcome' || kind === 'refund-failed' ? reference : null,
    amountMinor,
    currency,
    reason,
    dueAt: new Date(moments[index] ?? askedAt),
    copies: isDuplicated ? 2 : 1,
  }))
}

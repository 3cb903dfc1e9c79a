import type { DeviceChannel, WantedAuthentication } from '../../domain/authentication.ts'
import { authorizationValidityMs } from '../../domain/authorization-validity.ts'
import { type AuthorizeCommand, type CommandAnswer, NEEDS_SALE_MESSAGE } from '../../domain/command.ts'
import type { Decision } from '../../domain/decision.ts'
import { isMerchantInitiated } from '../../domain/initiation.ts'
import type { Payment } from '../../domain/payment.ts'
import { noCandidateError, type RejectedGateway } from '../../domain/routing/candidates.ts'
import {
  dynamicThreeDsAt,
  findRejectionCode,
  type RejectionCode,
  type RoutingDecision,
  routingTags,
} from '../../domain/routing/decision.ts'
import { FALLBACK_WITHOUT_RULES } from '../../domain/routing/fallback.ts'
import type { RemainingRoute } from '../../domain/routing/rule.ts'
import { chooseScheme } from '../../domain/scheme.ts'
import { wallTime } from '../../domain/test-clock.ts'
import type { CardRow } from '../../src/persistence/entities/card.ts'
import type { GatewayConfigurationRow } from '../../src/persistence/entities/gateway-configuration.ts'
import type { InvoiceRow } from '../../src/persistence/entities/invoice.ts'
import type { InvoiceDetailRow } from '../../src/persistence/entities/invoice-detail.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'
import type { OpenedPayment } from '../../src/persistence/queries/payments/open-payment.ts'
import type { Unit } from '../../src/persistence/transact.ts'
import { findRoutable, type RoutableGateway } from '../../src/routing/routable-gateways.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import type { GatewayCommand, Step } from './attempt.ts'
import { findDetails } from './records/details.ts'
import type { AuthorizationTerms } from './records/open-transaction.ts'
import { claimSource, findSource, type Source } from './records/sources.ts'
import { type Refusal, refusal } from './refusal.ts'

/** An authorization with its gateway and its source. */
export type Routed = Extract<RoutedPayment, { kind: 'routed' }> & { source: Source }

/** An authorization that a routing rule rejected. */
export type RejectedLocally = Extract<RoutedPayment, { kind: 'rejected locally' }> & { source: Source }

/** The data that an allowed command needs for its attempt. */
export interface AttemptPlan {
  amountMinor: number
  /** For an authorization. */
  routed: Routed | null
  /** For a capture or a refund by lines. */
  details: InvoiceDetailRow[] | null
}

/** Makes all checks that can still refuse a command. Claims the card last, since a claim is permanent. */
export async function planAttempt(
  deps: PaymentActivityDeps,
  unit: Unit,
  { command, at, asOf }: Step<GatewayCommand>,
  { opened, payment, decision }: { opened: OpenedPayment; payment: Payment; decision: Decision },
): Promise<
  AttemptPlan | { rejected: RejectedLocally } | { givesUp: string } | { continues: string } | { answer: CommandAnswer }
> {
  const { invoice, activeRuleSetId, gatewayConfigurations: configurations } = opened
  if (decision.kind === 'answer') return decision
  if (decision.kind === 'give up') return { givesUp: decision.operationId }
  if (decision.kind === 'continue') return { continues: decision.operationId }
  const { amountMinor } = decision
  if (command.kind === 'authorize') {
    const refused = await refuseSelection(unit, invoice, command, amountMinor)
    if (refused !== null) return { answer: refused }
    const source = await findSource(unit, invoice, command, opened.source?.card ?? null)
    if ('kind' in source) return { answer: source }
    const toRoute = { invoice, command, source, at: wallTime(payment, at), activeRuleSetId, configurations }
    const routed = await routePayment(deps, unit, toRoute)
    if (routed.kind === 'refused') return { answer: routed }
    const lateInstant =
      routed.kind === 'routed' ? refuseInstant(command, { invoice, gateway: routed.gateway, source, asOf }) : null
    if (lateInstant !== null) return { answer: lateInstant }
    claimSource(unit, invoice, source)
    return routed.kind === 'rejected locally'
      ? { rejected: { ...routed, source } }
      : { amountMinor, routed: { ...routed, source }, details: null }
  }
  const ids = detailIdsOf(command, payment)
  if (ids === null) return { amountMinor, routed: null, details: null }
  const found = await findDetails(unit, invoice, invoice.id, ids, command.kind === 'refund' ? 'refund' : 'capture')
  const problem = selectionProblem(found, amountMinor)
  if (problem === null && 'details' in found) return { amountMinor, routed: null, details: found.details }
  // A scheduled capture must not fail for ever: its amount is captured without lines that no longer fit.
  if (problem === null || command.actor === 'scheduler') return { amountMinor, routed: null, details: null }
  return { answer: problem }
}

/** The lines of a capture or refund. A capture without amount and lines takes those chosen with the authorization. */
function detailIdsOf(command: GatewayCommand, payment: Payment): string[] | null {
  if (command.kind === 'refund') return command.detailIds
  if (command.kind !== 'capture') return null
  return command.detailIds ?? (command.amountMinor === null ? payment.autoCaptureDetailIds : null)
}

/** The routing rules that took part in the decision, as columns of the transaction. */
type RoutedBy = Pick<TransactionRow, 'ruleSetId' | 'ruleSetVersion' | 'routingTags'>

/** The result of routing an authorization by the rules of its project. */
export type RoutedPayment =
  | {
      kind: 'routed'
      gateway: ChosenGateway
      remaining: RemainingRoute | null
      routedBy: RoutedBy
      authentication: WantedAuthentication
    }
  /** A rule blocks it. */
  | { kind: 'rejected locally'; code: RejectionCode; routedBy: RoutedBy }
  | Refusal

/** The input of routing. */
interface ToRoute extends Omit<AuthorizationToPlace, 'card'> {
  source: Source
  /** The wall clock, in epoch ms: rules count the tries of all payments. */
  at: number
  /** Null if the project has no rules. */
  activeRuleSetId: string | null
  /** All configurations of the project, the oldest first. */
  configurations: readonly GatewayConfigurationRow[]
}

/**
 * Routes an authorization by the active rules, and keeps of the named gateways those with the needed capabilities. Without
 * rules, any gateway of the project may be used.
 */
async function routePayment(
  deps: Pick<PaymentActivityDeps, 'gateways' | 'ruleBook'>,
  unit: Unit,
  { invoice, command, source, at, activeRuleSetId, configurations }: ToRoute,
): Promise<RoutedPayment> {
  const rules = activeRuleSetId === null ? null : await deps.ruleBook.rulesOf(unit, invoice, activeRuleSetId)
  const decision = rules === null ? null : await rules.decide(unit, { invoice, command, source, at })
  const rejection = decision === null ? null : findRejectionCode(decision)
  if (rejection !== null) return { kind: 'rejected locally', code: rejection, routedBy: routedBy(decision, null) }
  const route = decision?.kind === 'routed' ? decision.route : null
  const asked = { invoice, command, card: source.card }
  const { usable, refused } = findGateways(deps, configurations, asked, route?.gatewayConfigurationIds ?? null)
  const [gateway, ...others] = usable
  if (gateway === undefined) return refused
  const fallback = route?.fallback ?? FALLBACK_WITHOUT_RULES
  // A continuation id that a gateway issued is not valid at another one.
  const mayGoOn = fallback.enabled && others.length > 0 && source.gatewayRequest === null
  const wantedAt = ({ configuration: { id } }: ChosenGateway) => wantedAuthentication(asked, decision, id)
  const remaining = mayGoOn
    ? {
        gatewayConfigurationIds: others.map(({ configuration }) => configuration.id),
        fallback,
        authentication: Object.fromEntries(others.map((other) => [other.configuration.id, wantedAt(other)])),
      }
    : null
  return {
    kind: 'routed',
    gateway,
    remaining,
    routedBy: routedBy(decision, gateway.configuration.id),
    authentication: wantedAt(gateway),
  }
}

/** A `dynamic_3ds` rule for the gateway takes priority over the fields of the invoice. */
function wantedAuthentication(
  { invoice, command }: Pick<AuthorizationToPlace, 'invoice' | 'command'>,
  decision: RoutingDecision | null,
  gatewayConfigurationId: string,
): WantedAuthentication {
  const routed = decision?.kind === 'routed' ? decision : null
  const rule = routed === null ? null : dynamicThreeDsAt(routed, gatewayConfigurationId)
  const isAttended = !isMerchantInitiated(invoice) && invoice.paymentType !== 'moto'
  return {
    isAttended,
    isRequired: routed?.triggersThreeDs != null && isAttended,
    challengeIndicator: rule?.parameters.challengeIndicator ?? invoice.challengeIndicator ?? null,
    exemption: rule?.parameters.scaExemptionReason ?? invoice.exemptionReason3ds2 ?? null,
    isExternal: command.hasExternalAuthentication === true,
    channel: command.handlesActions === true ? (invoice.deviceChannel as DeviceChannel) : 'web',
  }
}

function routedBy(decision: RoutingDecision | null, gatewayConfigurationId: string | null): RoutedBy {
  return {
    ruleSetId: decision?.ruleSetId ?? null,
    ruleSetVersion: decision?.ruleSetVersion ?? null,
    routingTags: decision === null ? [] : routingTags(decision, gatewayConfigurationId),
  }
}

/** The gateway configuration of an authorization, with its capabilities. */
export type ChosenGateway = RoutableGateway

const ALL_DRAINING_MESSAGE = 'The gateways of this project take no new payments at present.'

/** What of the request no gateway can do, where the same is missing everywhere. */
const MISSING_EVERYWHERE: Partial<Record<RejectedGateway['reason'], string>> = {
  'sale-only': NEEDS_SALE_MESSAGE,
  'no-increments':
    'The gateway does not support incremental authorization: incremental must be false, or the invoice needs unsupported_feature_bypass.incremental_authorization.',
  'no-partial-capture': 'The gateway does not support partial captures; capture all and refund the rest.',
  'no-multiple-captures': 'The gateway does not support multiple captures; capture_type must be final.',
}

/** The parts of an authorization that a gateway's capabilities must cover. */
export interface AuthorizationToPlace {
  invoice: InvoiceRow
  command: AuthorizeCommand
  card: CardRow | null
}

/**
 * The gateways that can take an authorization, in the order in which they are tried.
 *
 * @returns `refused`: the answer if none can.
 * @param configurations at least those of the order, or all of the project, the oldest first
 * @param order the gateway configurations of a route; null for all of the project, the oldest first
 */
export function findGateways(
  { gateways }: Pick<PaymentActivityDeps, 'gateways'>,
  configurations: readonly GatewayConfigurationRow[],
  asked: AuthorizationToPlace,
  order: readonly string[] | null,
): { usable: ChosenGateway[]; refused: Refusal } {
  const capabilitiesOf = (name: string) => (gateways.has(name) ? gateways.find(name).capabilities : null)
  const { usable, rejected } = findRoutable(configurations, asked, order, capabilitiesOf)
  return { usable, refused: refuseAll(rejected) }
}

function refuseAll(rejected: readonly RejectedGateway[]): Refusal {
  const willing = rejected.filter(({ reason }) => reason !== 'disabled' && reason !== 'unknown')
  const onlyFor = (reason: RejectedGateway['reason']) =>
    willing.length > 0 && willing.every((gateway) => gateway.reason === reason)
  if (onlyFor('draining')) return refusal('request.configuration.missing-gateway-configuration', ALL_DRAINING_MESSAGE)
  const [reason] = willing.map((gateway) => gateway.reason)
  const missing = reason !== undefined && onlyFor(reason) ? MISSING_EVERYWHERE[reason] : undefined
  return missing === undefined
    ? refusal(noCandidateError(rejected))
    : refusal('request.gateway.operation-not-supported', missing)
}

/** Whether a gateway takes the money with an authorization. The verification of a card takes none. */
export function isSaleAt({ capabilities }: Pick<ChosenGateway, 'capabilities'>, amountMinor: number): boolean {
  return !capabilities.authorize && amountMinor > 0
}

/** How long the authorization is valid there, in ms. */
function validityAt(
  { authorizationValidity }: GatewayConfigurationRow,
  invoice: InvoiceRow,
  scheme: string | null,
): number {
  return authorizationValidityMs(authorizationValidity, { scheme, isMerchantInitiated: isMerchantInitiated(invoice) })
}

const HOUR_MS = 60 * 60 * 1000

/** The scheme of an authorization at a gateway, and its validity there. */
export function termsAt(
  gateway: ChosenGateway,
  { invoice, command, source }: { invoice: InvoiceRow; command: AuthorizeCommand; source: Source },
): AuthorizationTerms {
  const schemeUsed = schemeFor(command, gateway, source)
  return { schemeUsed, validityMs: validityAt(gateway.configuration, invoice, schemeUsed) }
}

/** The scheme of the payment: the first preference that the card and the gateway support. */
function schemeFor(command: AuthorizeCommand, gateway: ChosenGateway, { card, token }: Source): string | null {
  if (card === null) return null
  const ofCustomer = token?.preferredScheme ?? card.preferredScheme
  const wishes = [command.preferredScheme, ofCustomer, gateway.configuration.defaultPreferredScheme]
  return chooseScheme({ scheme: card.scheme, coScheme: card.coScheme ?? null }, wishes, gateway.capabilities.schemes)
}

/** Refuses a capture that is scheduled after the end of the authorization: it would never be made. */
export function refuseInstant(
  command: AuthorizeCommand,
  { invoice, gateway, source, asOf }: { invoice: InvoiceRow; gateway: ChosenGateway; source: Source; asOf: number },
): Refusal | null {
  const { validityMs } = termsAt(gateway, { invoice, command, source })
  if (command.autoCaptureAt === null || command.autoCaptureAt <= asOf + validityMs) return null
  const hours = Math.floor(validityMs / HOUR_MS)
  return refusal(
    'request.validation.invalid-date',
    `auto_capture_at is after the end of the authorization, which holds for ${hours} hours with this card and gateway.`,
  )
}

type FoundDetails = Awaited<ReturnType<typeof findDetails>>

/** Why the chosen lines do not make up this amount; null if they do. */
function selectionProblem(found: FoundDetails, amountMinor: number): Refusal | null {
  if ('code' in found) return refusal(found.code, `invoice_detail_ids ${found.message}.`)
  return found.amountMinor === amountMinor
    ? null
    : refusal('request.validation.invalid-amount', 'The amount does not match the chosen lines.')
}

/**
 * Refuses a capture amount or lines that do not fit the invoice, which may have changed since the request was read.
 * Checked before anything is reserved.
 */
async function refuseSelection(
  unit: Unit,
  invoice: InvoiceRow,
  { autoCaptureAmountMinor: wanted, autoCaptureDetailIds: ids }: AuthorizeCommand,
  amountMinor: number,
): Promise<Refusal | null> {
  if (wanted === null) return null
  if (wanted <= 0 || wanted > amountMinor)
    return refusal(
      'request.validation.invalid-amount',
      'The amount to capture must not exceed the amount of the invoice.',
    )
  return ids === null ? null : selectionProblem(await findDetails(unit, invoice, invoice.id, ids, 'capture'), wanted)
}

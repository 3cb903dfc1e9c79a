import { authorizationValidityMs } from '../../domain/authorization-validity.ts'
import { captureByClient } from '../../domain/client-capture.ts'
import { type AuthorizeCommand, type CommandAnswer, NEEDS_SALE_MESSAGE } from '../../domain/command.ts'
import { decide } from '../../domain/decision.ts'
import { isMerchantInitiated } from '../../domain/initiation.ts'
import type { Payment } from '../../domain/payment.ts'
import { noCandidateError, type RejectedGateway } from '../../domain/routing/candidates.ts'
import {
  type RejectionCode,
  type RoutingDecision,
  rejectionCodeOf,
  routingTags,
} from '../../domain/routing/decision.ts'
import { FALLBACK_WITHOUT_RULES } from '../../domain/routing/fallback.ts'
import type { RemainingRoute } from '../../domain/routing/rule.ts'
import { chooseScheme } from '../../domain/scheme.ts'
import type { CardRow } from '../../src/persistence/entities/card.ts'
import type { GatewayConfigurationRow } from '../../src/persistence/entities/gateway-configuration.ts'
import type { InvoiceRow } from '../../src/persistence/entities/invoice.ts'
import type { InvoiceDetailRow } from '../../src/persistence/entities/invoice-detail.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'
import type { OpenedPayment } from '../../src/persistence/queries/payments/open-payment.ts'
import type { Unit } from '../../src/persistence/transact.ts'
import { findRoutable, type RoutableGateway } from '../../src/routing/routable-gateways.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import type { GatewayCommand, StepInput } from './attempt.ts'
import { findDetails } from './records/details.ts'
import type { AuthorizationTerms } from './records/open-transaction.ts'
import { claimSource, findSource, type Source } from './records/sources.ts'
import { type Refusal, refusal } from './refusal.ts'

/** An authorization that goes to a gateway, with what it is charged to. */
export type Routed = Extract<RoutedPayment, { kind: 'routed' }> & { source: Source }

/** An authorization that a routing rule keeps from every gateway. */
export type RejectedLocally = Extract<RoutedPayment, { kind: 'rejected locally' }> & { source: Source }

/** What a command turned out to need, once it may run. */
export interface AttemptPlan {
  amountMinor: number
  /** Of an authorization. */
  routed: Routed | null
  /** Of a capture or a refund by lines. */
  details: InvoiceDetailRow[] | null
}

/** Everything that can still refuse, the claim of a card last of all, since a claim is for good. */
export async function planAttempt(
  deps: PaymentActivityDeps,
  unit: Unit,
  { command, at, asOf }: StepInput<GatewayCommand>,
  { opened, payment }: { opened: OpenedPayment; payment: Payment },
): Promise<AttemptPlan | { rejected: RejectedLocally } | { givesUp: string } | { answer: CommandAnswer }> {
  const { invoice, activeRuleSetId, gatewayConfigurations: configurations } = opened
  const decision = decide(payment, command, asOf)
  if (decision.kind === 'answer') return decision
  if (decision.kind === 'give up') return { givesUp: decision.operationId }
  const { amountMinor } = decision
  if (command.kind === 'authorize') {
    if (command.currency !== invoice.currency)
      return { answer: refusal('request.validation.invalid-state', 'The invoice was changed meanwhile. Try again.') }
    const refused =
      refuseClientCapture(invoice, command) ?? (await refuseSelection(unit, invoice, command, amountMinor))
    if (refused !== null) return { answer: refused }
    const source = await findSource(unit, invoice, command, opened.source?.card ?? null)
    if ('kind' in source) return { answer: source }
    const routed = await routePayment(deps, unit, { invoice, command, source, at, activeRuleSetId, configurations })
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
  // What the clock asks for must come to an end: what was scheduled is captured without the lines that are gone.
  if (problem === null || command.actor === 'scheduler') return { amountMinor, routed: null, details: null }
  return { answer: problem }
}

/** The lines that a capture or a refund names; a capture of everything takes those chosen with the authorization. */
function detailIdsOf(command: GatewayCommand, payment: Payment): string[] | null {
  if (command.kind === 'refund') return command.detailIds
  if (command.kind !== 'capture') return null
  return command.detailIds ?? (command.amountMinor === null ? payment.autoCaptureDetailIds : null)
}

/** Which rules had a part in it, as the transaction shows it. */
type RoutedBy = Pick<TransactionRow, 'ruleSetId' | 'ruleSetVersion' | 'routingTags'>

/** Where an authorization goes, by the routing rules of its project. */
export type RoutedPayment =
  | { kind: 'routed'; gateway: ChosenGateway; remaining: RemainingRoute | null; routedBy: RoutedBy }
  /** A rule blocks it, or sends it to an authentication that nothing here can make yet. */
  | { kind: 'rejected locally'; code: RejectionCode; routedBy: RoutedBy }
  | Refusal

/** An authorization before it has a gateway, with what was read for it. */
interface ToRoute extends Omit<Asked, 'card'> {
  source: Source
  at: number
  /** Null where the project has no rules. */
  activeRuleSetId: string | null
  /** All of the project, the oldest first. */
  configurations: readonly GatewayConfigurationRow[]
}

/**
 * Asks the active rules where an authorization goes, and takes of the gateways that they name those that can do what it
 * asks. Without rules any gateway of the project may take it.
 */
async function routePayment(
  deps: Pick<PaymentActivityDeps, 'gateways' | 'ruleBook'>,
  unit: Unit,
  { invoice, command, source, at, activeRuleSetId, configurations }: ToRoute,
): Promise<RoutedPayment> {
  const rules = activeRuleSetId === null ? null : await deps.ruleBook.rulesOf(unit, invoice, activeRuleSetId)
  const decision = rules === null ? null : await rules.decide(unit, { invoice, command, source, at })
  const rejection = decision === null ? null : rejectionCodeOf(decision, invoice)
  if (rejection !== null) return { kind: 'rejected locally', code: rejection, routedBy: routedBy(decision, null) }
  const route = decision?.kind === 'routed' ? decision.route : null
  const asked = { invoice, command, card: source.card }
  const { usable, refused } = findGateways(deps, configurations, asked, route?.gatewayConfigurationIds ?? null)
  const [gateway, ...others] = usable
  if (gateway === undefined) return refused
  const fallback = route?.fallback ?? FALLBACK_WITHOUT_RULES
  // What a gateway itself has handed out means nothing to another one.
  const mayGoOn = fallback.enabled && others.length > 0 && source.gatewayRequest === null
  const remaining = mayGoOn
    ? { gatewayConfigurationIds: others.map(({ configuration }) => configuration.id), fallback }
    : null
  return { kind: 'routed', gateway, remaining, routedBy: routedBy(decision, gateway.configuration.id) }
}

function routedBy(decision: RoutingDecision | null, gatewayConfigurationId: string | null): RoutedBy {
  return {
    ruleSetId: decision?.ruleSetId ?? null,
    ruleSetVersion: decision?.ruleSetVersion ?? null,
    routingTags: decision === null ? [] : routingTags(decision, gatewayConfigurationId),
  }
}

/** The account that an authorization goes to, and what can be done there with it. */
export type ChosenGateway = RoutableGateway

const ALL_DRAINING_MESSAGE = 'The gateways of this project take no new payments at present.'

/** What an authorization is asked for with, as far as a gateway must be able to do it. */
export interface Asked {
  invoice: InvoiceRow
  command: AuthorizeCommand
  card: CardRow | null
}

/**
 * The gateways that can take an authorization, in the order in which they are tried.
 *
 * @returns in `refused` what is answered where none can.
 * @param configurations at least those of the order, or all of the project, the oldest first
 * @param order the gateway configurations of a route; null for all of the project, the oldest first
 */
export function findGateways(
  { gateways }: Pick<PaymentActivityDeps, 'gateways'>,
  configurations: readonly GatewayConfigurationRow[],
  asked: Asked,
  order: readonly string[] | null,
): { usable: ChosenGateway[]; refused: Refusal } {
  const wanted = configurations.filter(({ id }) => order === null || order.includes(id))
  // An account of a gateway that this version lacks takes nothing, and keeps no other from it.
  const installed = wanted.filter(({ gatewayName }) => gateways.has(gatewayName))
  const capabilitiesOf = (gatewayName: string) => gateways.find(gatewayName).capabilities
  const { usable, rejected } = findRoutable(installed, asked, order, capabilitiesOf)
  return { usable, refused: refuseAll(rejected) }
}

function refuseAll(rejected: readonly RejectedGateway[]): Refusal {
  const willing = rejected.filter(({ reason }) => reason !== 'disabled' && reason !== 'unknown')
  const onlyFor = (reason: RejectedGateway['reason']) =>
    willing.length > 0 && willing.every((gateway) => gateway.reason === reason)
  if (onlyFor('draining')) return refusal('request.configuration.missing-gateway-configuration', ALL_DRAINING_MESSAGE)
  if (onlyFor('sale-only')) return refusal('request.gateway.operation-not-supported', NEEDS_SALE_MESSAGE)
  return refusal(noCandidateError(rejected))
}

/** How long the authorization will hold there. */
function validityAt(
  { authorizationValidity }: GatewayConfigurationRow,
  invoice: InvoiceRow,
  scheme: string | null,
): number {
  return authorizationValidityMs(authorizationValidity, { scheme, isMerchantInitiated: isMerchantInitiated(invoice) })
}

const HOUR_MS = 60 * 60 * 1000

/** The scheme that an authorization runs on at a gateway, and how long it will hold there. */
export function termsAt(
  gateway: ChosenGateway,
  { invoice, command, source }: { invoice: InvoiceRow; command: AuthorizeCommand; source: Source },
): AuthorizationTerms {
  const schemeUsed = schemeFor(command, gateway, source)
  return { schemeUsed, validityMs: validityAt(gateway.configuration, invoice, schemeUsed) }
}

/** The scheme that the payment runs on: the first wish that the card can fulfil. */
function schemeFor(command: AuthorizeCommand, gateway: ChosenGateway, { card, token }: Source): string | null {
  if (card === null) return null
  const ofCustomer = token?.preferredScheme ?? card.preferredScheme
  const wishes = [command.preferredScheme, ofCustomer, gateway.configuration.defaultPreferredScheme]
  return chooseScheme({ scheme: card.scheme, coScheme: card.coScheme ?? null }, wishes, gateway.capabilities.schemes)
}

/** A capture that is scheduled after the authorization has ended there would never be made. */
export function refuseInstant(
  command: AuthorizeCommand,
  { invoice, gateway, source, asOf }: { invoice: InvoiceRow; gateway: ChosenGateway; source: Source; asOf: number },
): Refusal | null {
  const { validityMs } = termsAt(gateway, { invoice, command, source })
  if (command.autoCaptureAt === null || command.autoCaptureAt <= asOf + validityMs) return null
  const hours = Math.floor(validityMs / HOUR_MS)
  return refusal(
    'request.validation.invalid-date',
    `auto_capture_at lies after the end of the authorization, which holds for ${hours} hours with this card and gateway.`,
  )
}

type FoundDetails = Awaited<ReturnType<typeof findDetails>>

/** Why lines that were chosen cannot make up this amount; null where they do. */
function selectionProblem(found: FoundDetails, amountMinor: number): Refusal | null {
  if ('code' in found) return refusal(found.code, `invoice_detail_ids ${found.message}.`)
  return found.amountMinor === amountMinor
    ? null
    : refusal('request.validation.invalid-amount', 'The amount is not that of the chosen lines.')
}

/**
 * Why what is to be captured after an authorization cannot be: its invoice may have been changed since the request was
 * read. Asked before anything is reserved.
 */
async function refuseSelection(
  unit: Unit,
  invoice: InvoiceRow,
  { capture, autoCaptureAmountMinor, autoCaptureDetailIds }: AuthorizeCommand,
  amountMinor: number,
): Promise<Refusal | null> {
  const wanted = capture === null ? autoCaptureAmountMinor : capture.amountMinor
  if (wanted === null) return null
  if (wanted <= 0 || wanted > amountMinor)
    return refusal(
      'request.validation.invalid-amount',
      'What is to be captured must lie within the amount of the invoice.',
    )
  const ids = capture === null ? autoCaptureDetailIds : capture.detailIds
  return ids === null ? null : selectionProblem(await findDetails(unit, invoice, invoice.id, ids, 'capture'), wanted)
}

/** The merchant may have kept the capture of the invoice for itself since the interface looked. */
function refuseClientCapture(invoice: InvoiceRow, command: AuthorizeCommand): Refusal | null {
  const option = captureByClient(command, { ...invoice, isScheduled: invoice.autoCaptureAt != null })
  if (option === null) return null
  return refusal(
    'request.validation.invalid-state',
    `The merchant captures this invoice: ${option} is not for clients.`,
  )
}

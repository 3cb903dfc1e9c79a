import { makeIdentifier } from '../../../domain/identifiers.ts'
import { CLIENT_SECRET_HEADER, proofOf, wrongClientSecret } from '../../http/clients/client-secret.ts'
import { refuseMerchantFields } from '../../http/clients/merchant-only.ts'
import {
  type ApiContext,
  type ApiMiddleware,
  authorOf,
  callerOf,
  refuseWhileSuspended,
  scopeOf,
} from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { mutation } from '../../http/idempotency.ts'
import { foundIn } from '../../http/input/identifier.ts'
import { invalidField } from '../../http/input/input.ts'
import { targetRuleOf } from '../../http/input/webhook-target.ts'
import { bodyOf } from '../../http/middleware/body.ts'
import type { ShownAction } from '../../objects/payment-answer.ts'
import { presentToken } from '../../objects/token.ts'
import type { CustomerRow } from '../../persistence/entities/customer.ts'
import { CustomerTokenEntity, type CustomerTokenRow } from '../../persistence/entities/customer-token.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { findCardOf } from '../../persistence/queries/customers/cards.ts'
import {
  emptyToken,
  findTokenOfCustomer,
  deleteToken as removeToken,
} from '../../persistence/queries/customers/customer-tokens.ts'
import { findCustomer } from '../../persistence/queries/customers/customers.ts'
import { findGatewayConfiguration } from '../../persistence/queries/projects/gateway-configurations.ts'
import type { Changes } from '../../persistence/queries/webhooks/project-event.ts'
import type { Change } from '../change.ts'
import { lockCustomerIn } from '../customers/customers.ts'
import { notPending } from '../payments/continuation.ts'
import { readSource } from '../payments/source.ts'
import { attachSource } from './attach-source.ts'
import { recordTokenEvent } from './token-event.ts'
import { CLIENT_TOKEN_FIELDS, readTokenInput, TOKEN, type TokenInput } from './token-input.ts'
import { continueVerification, lockOwnInvoice, planVerification, verifyToken } from './verification.ts'

/** Stores a source for a customer; a token without a source waits for one. */
export function createToken(deps: AppDeps): ApiMiddleware {
  return storing(deps, async (ctx, em, changes) => {
    const input = readTokenInput(bodyOf(ctx), callerOf(ctx), targetRuleOf(deps))
    if (input.continuation !== null) throw notPending()
    const own = await lockOwnInvoice(em, scopeOf(ctx), input.verification)
    const customer = await lockCustomerIn(ctx, em)
    const now = deps.clock.now()
    const id = makeIdentifier('token', deps.randomBytes)
    const blank = emptyToken({ ...scopeOf(ctx), id, customerId: customer.id }, now)
    const token = { ...blank, ...(await columnsOf(deps, em, { input, customer, token: blank, own })) }
    await em.insert(CustomerTokenEntity, token)
    return finish(changes, em, { name: 'customer.token.created', input, customer, token })
  })
}

/**
 * Changes the given fields, completes a pending token with its source, or goes on with its verification. A client without a
 * client secret may only complete and go on.
 */
export function updateToken(deps: AppDeps): ApiMiddleware {
  const change = storing(deps, async (ctx, em, changes) => {
    refuseMerchantFields(ctx, TOKEN, CLIENT_TOKEN_FIELDS)
    const input = readTokenInput(bodyOf(ctx), callerOf(ctx), targetRuleOf(deps))
    const own = await lockOwnInvoice(em, scopeOf(ctx), input.verification)
    const customer = await lockCustomerIn(ctx, em)
    const token = await tokenIn(ctx, em, customer)
    const proof = await proofOf(ctx, em, deps.vault, customer)
    if (proof === 'none') refuseUnlessCompleted(token, input)
    em.assign(token, await columnsOf(deps, em, { input, customer, token, own }))
    return finish(changes, em, { name: 'customer.token.updated', input, customer, token })
  })
  return async (ctx, next) => {
    const { source } = bodyOf(ctx).fields
    const isAnswer = typeof source === 'string' && readSource(source, scopeOf(ctx)).kind === 'continuation'
    await (isAnswer ? goOn(ctx, deps) : change(ctx, next))
  }
}

/**
 * The customer has answered an action of the verification, which goes on. The client repeats the fields of its first call;
 * they change nothing now. A repeated answer finds the token as it is, so that none has to be kept for it.
 */
async function goOn(ctx: ApiContext, deps: AppDeps): Promise<void> {
  refuseMerchantFields(ctx, TOKEN, CLIENT_TOKEN_FIELDS)
  const { continuation, handlesActions } = readTokenInput(bodyOf(ctx), callerOf(ctx), targetRuleOf(deps))
  if (continuation === null) throw notPending()
  const read = async () => {
    const em = deps.orm.em.fork()
    const customer = await foundIn(ctx, 'customer', (scope, id) => findCustomer(em, scope, id))
    return { em, customer, token: await tokenIn(ctx, em, customer) }
  }
  const { em, customer, token } = await read()
  await proofOf(ctx, em, deps.vault, customer)
  refuseWhileSuspended(ctx, { kind: 'authorize' })
  const by = { ...authorOf(ctx), handlesActions }
  const action = await continueVerification(deps, scopeOf(ctx), { token, sent: continuation }, by)
  const now = await read()
  ctx.body = withAction({ success: true, token: presentToken(now.token, now.customer) }, action)
}

/** Deletes for good, with the card's number. A client must send the client secret of one of the customer's invoices. */
export async function deleteToken({ deps, ctx, em, changes }: Change) {
  const customer = await lockCustomerIn(ctx, em)
  const token = await tokenIn(ctx, em, customer)
  if ((await proofOf(ctx, em, deps.vault, customer)) === 'none') throw wrongClientSecret(MISSING_SECRET)
  await removeToken(em, customer, token, deps.clock.now())
  await recordTokenEvent(em, changes, 'customer.token.deleted', { token, customer, card: null })
  return {}
}

const MISSING_SECRET = `is missing: send that of an invoice of the customer, in the header ${CLIENT_SECRET_HEADER}`

/** A client without a client secret may only complete a pending token with a source. */
function refuseUnlessCompleted({ type }: CustomerTokenRow, { source }: TokenInput): void {
  if (type !== 'pending') throw wrongClientSecret(MISSING_SECRET)
  if (source === null) throw invalidField('source', 'is missing', 'request.validation.missing-source')
}

interface StoredToken {
  success: boolean
  token: ReturnType<typeof presentToken>
}

/**
 * A mutation that afterwards verifies the token's card, if a verification is pending. The answer shows what the customer has
 * to do for it, and is otherwise that of the mutation: token and event report the outcome.
 */
function storing(
  deps: AppDeps,
  store: (ctx: ApiContext, em: EntityManager, changes: Changes) => Promise<StoredToken>,
): ApiMiddleware {
  return async (ctx, next) => {
    let pending: string | null = null
    const storeUnlessSuspended: typeof store = async (...request) => {
      const stored = await store(...request)
      if (isToBeVerified(stored)) refuseWhileSuspended(ctx, { kind: 'authorize' })
      return stored
    }
    const answer = mutation(deps, storeUnlessSuspended, (_, stored) => {
      if (isToBeVerified(stored)) pending = stored.token.id
    })
    await answer(ctx, next)
    // A replayed answer starts nothing in a project that is suspended by now.
    if (pending === null || callerOf(ctx).isSuspended) return
    const { handlesActions } = readTokenInput(bodyOf(ctx), callerOf(ctx), targetRuleOf(deps))
    const action = await verifyToken(deps, scopeOf(ctx), pending, { ...authorOf(ctx), handlesActions })
    // A kept answer is text.
    if (action !== null) ctx.body = withAction(typeof ctx.body === 'string' ? JSON.parse(ctx.body) : ctx.body, action)
  }
}

function withAction(answer: object, action: ShownAction | null): object {
  return action === null ? answer : { ...answer, customer_action: action }
}

function isToBeVerified({ token }: StoredToken): boolean {
  return token.type === 'card' && token.verification_status === 'pending'
}

function tokenIn(ctx: ApiContext, em: EntityManager, customer: CustomerRow): Promise<CustomerTokenRow> {
  return foundIn(ctx, 'token', (_, id) => findTokenOfCustomer(em, customer, id), 'token_id')
}

interface Storing {
  input: TokenInput
  customer: CustomerRow
  token: CustomerTokenRow
  own: Awaited<ReturnType<typeof lockOwnInvoice>>
}

/** The columns of the token: those of its source, overridden by the request. */
async function columnsOf(
  deps: AppDeps,
  em: EntityManager,
  { input, customer, token, own }: Storing,
): Promise<Partial<CustomerTokenRow>> {
  const { source, verification, columns } = input
  const now = deps.clock.now()
  await refuseUnknownGateway(em, token, columns.gatewayConfigurationId)
  if (verification !== null && token.type === 'gateway_token')
    throw invalidField('verify', 'applies to cards only', 'service.not-supported')
  const ofSource = source === null ? {} : await attachSource(em, token, source, now)
  const ofVerification =
    verification === null ? {} : await planVerification(deps, em, { customer, token, own }, verification)
  return { ...ofSource, ...columns, ...ofVerification, updatedAt: now }
}

async function finish(
  changes: Changes,
  em: EntityManager,
  {
    name,
    input,
    customer,
    token,
  }: Pick<Storing, 'input' | 'customer' | 'token'> & { name: 'customer.token.created' | 'customer.token.updated' },
): Promise<StoredToken> {
  if (input.setDefault === true) em.assign(customer, { defaultTokenId: token.id, updatedAt: changes.clock.now() })
  if (input.setDefault === false && customer.defaultTokenId === token.id) em.assign(customer, { defaultTokenId: null })
  const card = await findCardOf(em, token)
  await recordTokenEvent(em, changes, name, { token, customer, card })
  return { success: true, token: presentToken(token, customer) }
}

async function refuseUnknownGateway(
  em: EntityManager,
  { projectId, sandbox }: CustomerTokenRow,
  id: string | null | undefined,
): Promise<void> {
  if (id == null) return
  const configuration = await findGatewayConfiguration(em, { projectId, sandbox }, id)
  if (configuration !== null && configuration.deletedAt == null) return
  throw invalidField(
    'gateway_configuration_id',
    'is not known to this project',
    'resource.gateway-configuration.not-found',
  )
}

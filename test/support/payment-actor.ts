import type { StepInput, StepResult } from '../../activities/payment/attempt.ts'
import { beginAttempt } from '../../activities/payment/begin-attempt.ts'
import type {
  CaptureCommand,
  Command,
  IdempotencyClaim,
  IncrementCommand,
  PayCommand,
  RefundCommand,
  VoidCommand,
} from '../../domain/command.ts'
import { openAction } from '../../domain/customer-action.ts'
import { makeIdentifier } from '../../domain/identifiers.ts'
import type { Gateway } from '../../src/gateways/gateway.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { InvoiceDetailEntity } from '../../src/persistence/entities/invoice-detail.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import {
  captureCommand,
  incrementCommand,
  refundCommand,
  reverseOrphanCommand,
  voidCommand,
} from '../domain/payment-builders.ts'
import type { TestDatabase } from './database.ts'
import { makePaymentFixture } from './payment-fixture.ts'
import { createSignedActivities } from './signed-activities.ts'

/** When a step is done: workflow time, and the instant by which its deadlines are judged. Epoch ms. */
export interface When {
  at?: number
  asOf?: number
}

/** A capture that is agreed on for later: when, and of what. */
export interface LaterCapture {
  at: number
  amount: number | null
  lines: string[] | null
}

/** What a caller asks of a payment, in its own words. Lines are named by their ids; null leaves open what is not said. */
export type Call =
  | {
      kind: 'authorize'
      source: string
      currency: string
      incremental: boolean
      mayFallBackToSale: boolean
      /** What is captured later, or at once: a sale. */
      later: LaterCapture | null
      sale: { amount: number | null; isFinal: boolean } | null
    }
  /** The customer is back from the action. */
  | { kind: 'continue'; actionId: string }
  | { kind: 'capture'; amount: number | null; lines: string[] | null; isFinal: boolean; wantsRest: boolean }
  /** Null drops what was agreed on. */
  | { kind: 'schedule'; later: LaterCapture | null }
  | { kind: 'increment'; amount: number }
  | { kind: 'void'; amount: number | null }
  | { kind: 'refund'; amount: number | null; lines: string[] | null }

/** A step of our own clock has no deadline: it is begun when it is due. */
const OWN = { actor: 'scheduler', deadline: Number.MAX_SAFE_INTEGER } as const

/** Payments on the layer of the activities, on a real database: commands go straight to the steps, with no queue before them. */
export async function makePaymentActor(database: TestDatabase, wrapGateway?: (simulator: Gateway) => Gateway) {
  const fixture = await makePaymentFixture(database, wrapGateway)
  const { deps, projectId, base } = fixture
  const activities = createSignedActivities(deps)
  const { orm, randomBytes, clock } = deps

  const build = {
    authorize: fixture.authorizeCommand,
    capture: fixture.captureCommand,
    increment: (amountMinor: number, values: Partial<IncrementCommand> = {}) =>
      incrementCommand(amountMinor, { ...base(), ...values }),
    void: (amountMinor: number | null = null, values: Partial<VoidCommand> = {}) =>
      voidCommand(amountMinor, { ...base(), ...values }),
    refund: (amountMinor: number | null = null, values: Partial<RefundCommand> = {}) =>
      refundCommand(amountMinor, { ...base(), refundId: makeIdentifier('refund', randomBytes), ...values }),
    /** Moves the scheduled capture, or drops it. */
    schedule: (autoCaptureAt: number | null, values: Partial<PayCommand> = {}): PayCommand =>
      fixture.call({
        call: 'capture',
        autoCaptureAt,
        ...(autoCaptureAt === null && { cancelsAutoCapture: true as const }),
        ...values,
      }),
    /** What our own clock does with an authorization at its end. */
    expiry: () => voidCommand(null, { ...base(), ...OWN, reason: 'authorization_expired' }),
    /** What our own clock does with a capture that was scheduled. */
    scheduledCapture: (amountMinor: number, values: Partial<CaptureCommand> = {}) =>
      captureCommand(amountMinor, { ...base(), ...OWN, ...values }),
    reverseOrphan: (orphanOperationId: string) => reverseOrphanCommand(orphanOperationId, { ...base(), ...OWN }),
  }

  /** The command of a call. What a command looks like is known here, and not in the stories of payments. */
  const commandOf = (call: Call, idempotency: IdempotencyClaim | null = null): Command => {
    switch (call.kind) {
      case 'authorize': {
        const { source, currency, incremental, mayFallBackToSale, later, sale } = call
        return build.authorize(source, {
          ...{ currency, incremental, mayFallBackToSale, idempotency },
          autoCaptureAt: later?.at ?? null,
          amountMinor: (sale ?? later)?.amount ?? null,
          detailIds: later?.lines ?? null,
          ...(sale && { authorizeOnly: false, captureType: sale.isFinal ? null : 'non-final' }),
        })
      }
      case 'continue':
        return build.authorize('', { source: null, continues: { actionId: call.actionId, answer: 'returned' } })
      case 'capture': {
        const { amount, lines: detailIds, isFinal, wantsRest } = call
        const captureType = !isFinal ? 'non-final' : wantsRest ? 'final' : null
        return build.capture(amount, { idempotency, detailIds, captureType })
      }
      case 'schedule': {
        const { at = null, amount = null, lines = null } = call.later ?? {}
        return build.schedule(at, { idempotency, amountMinor: amount, detailIds: lines })
      }
      case 'increment':
        return build.increment(call.amount, { idempotency })
      case 'void':
        return build.void(call.amount, { idempotency })
      case 'refund':
        return build.refund(call.amount, { idempotency, detailIds: call.lines })
    }
  }

  const stepOf = <C extends Command>(invoiceId: string, command: C, { at, asOf }: When = {}): StepInput<C> => {
    const now = at ?? clock.now().getTime()
    return { ...fixture.step(invoiceId, command), at: now, asOf: asOf ?? now }
  }
  /** Does one step; of a sale only its authorization, which its capture follows. */
  const step = (invoiceId: string, command: Command, when: When = {}): Promise<StepResult> => {
    switch (command.kind) {
      case 'pay':
        return activities[command.call === 'capture' ? 'capture' : 'authorize'](stepOf(invoiceId, command, when))
      case 'capture':
        return activities.capture(stepOf(invoiceId, command, when))
      case 'schedule-capture':
        return activities.scheduleCapture(stepOf(invoiceId, command, when))
      case 'increment':
        return activities.incrementAuthorization(stepOf(invoiceId, command, when))
      case 'void':
        return activities.voidAuthorization(stepOf(invoiceId, command, when))
      case 'refund':
        return activities.refund(stepOf(invoiceId, command, when))
      case 'reverse-orphan':
        return activities.reverseOrphan(stepOf(invoiceId, command, when))
    }
  }
  /** The capture that a sale goes on to, where it does. */
  const goOn = async (invoiceId: string, sale: Command, authorized: StepResult, when: When = {}) => {
    if (authorized.goesOn !== true || sale.kind !== 'pay') return null
    const result = await activities.capture({ ...stepOf(invoiceId, sale, when), isSecondStep: true })
    return { operationId: sale.captureOperationId, result }
  }
  /** Carries a command out as a run does: a sale goes on to its capture. */
  const executeCommand = async (invoiceId: string, command: Command, when: When = {}): Promise<StepResult> => {
    const result = await step(invoiceId, command, when)
    return (await goOn(invoiceId, command, result, when))?.result ?? result
  }

  return {
    ...fixture,
    activities,
    build,
    commandOf,
    stepOf,
    step,
    /** Begins a step as a worker does that dies before its call. */
    async beginAndDie(invoiceId: string, command: Command, when: When = {}): Promise<void> {
      await beginAttempt(deps, stepOf(invoiceId, command, when))
    },
    goOn,
    executeCommand,
    /** @param scenario a story of the simulator, by its name. */
    makeSource: (scenario = 'approved') => fixture.makeCard('4242424242424242', `SANDBOX:${scenario}`),
    /** Gives an invoice lines of these amounts; gives their ids. */
    async makeLines(invoiceId: string, amounts: readonly number[]): Promise<string[]> {
      const em = orm.em.fork()
      const owner = { projectId, sandbox: true, invoiceId }
      const lines = amounts.map((amountMinor, index) => ({
        ...owner,
        id: makeIdentifier('invoiceDetail', randomBytes),
        position: index + 1,
        name: `Line ${index + 1}`,
        amountMinor,
        quantity: 1,
        metadata: {},
        createdAt: clock.now(),
      }))
      await em.insertMany(InvoiceDetailEntity, lines)
      await em.nativeUpdate(InvoiceEntity, { id: invoiceId }, { hasDetails: true })
      return lines.map(({ id }) => id)
    },
    /** What the customer of a payment is asked to do; null where nothing is. */
    async openActionOf(invoiceId: string) {
      return openAction(await orm.em.fork().findOne(TransactionEntity, { invoiceId }))
    },
    /** The one account that every project begins with. */
    gatewayConfigurationId: async () =>
      (await orm.em.fork().findOneOrFail(GatewayConfigurationEntity, { projectId })).id,
    referenceOf: (invoiceId: string) => ({ projectId, environment: 'sandbox' as const, invoiceId }),
  }
}

export type PaymentActor = Awaited<ReturnType<typeof makePaymentActor>>

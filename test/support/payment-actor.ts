import type { StepInput, StepResult } from '../../activities/payment/attempt.ts'
import type {
  AuthorizeCommand,
  Command,
  IncrementCommand,
  RefundCommand,
  ReverseOrphanCommand,
  ScheduleCaptureCommand,
  VoidCommand,
} from '../../domain/command.ts'
import { saleGoesOn } from '../../domain/decision.ts'
import { makeIdentifier } from '../../domain/identifiers.ts'
import type { Gateway } from '../../src/gateways/gateway.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { InvoiceDetailEntity } from '../../src/persistence/entities/invoice-detail.ts'
import type { TestDatabase } from './database.ts'
import { makePaymentFixture } from './payment-fixture.ts'
import { createSignedActivities } from './signed-activities.ts'

/** When a step is done: workflow time, and the instant by which its deadlines are judged. Epoch ms. */
export interface When {
  at?: number
  asOf?: number
}

/** A step of our own clock has no deadline: it is begun when it is due. */
const OWN = { actor: 'scheduler', deadline: Number.MAX_SAFE_INTEGER } as const

/** Payments on the layer of the activities, on a real database: commands go straight to the steps, with no queue before them. */
export async function makePaymentActor(database: TestDatabase, wrapGateway?: (simulator: Gateway) => Gateway) {
  const fixture = await makePaymentFixture(database, wrapGateway)
  const { deps, projectId } = fixture
  const activities = createSignedActivities(deps)
  const { orm, randomBytes, clock } = deps

  const base = () => ({
    operationId: makeIdentifier('operation', randomBytes),
    actor: 'merchant' as const,
    deadline: clock.now().getTime() + 60_000,
    idempotency: null,
  })
  const build = {
    authorize: fixture.authorizeCommand,
    capture: fixture.captureCommand,
    increment: (amountMinor: number, values: Partial<IncrementCommand> = {}): IncrementCommand => ({
      kind: 'increment',
      ...base(),
      amountMinor,
      ...values,
    }),
    void: (amountMinor: number | null = null, values: Partial<VoidCommand> = {}): VoidCommand => ({
      kind: 'void',
      ...base(),
      amountMinor,
      reason: null,
      ...values,
    }),
    refund: (amountMinor: number | null = null, values: Partial<RefundCommand> = {}): RefundCommand => ({
      kind: 'refund',
      ...base(),
      refundId: makeIdentifier('refund', randomBytes),
      amountMinor,
      detailIds: null,
      reason: 'other',
      ...values,
    }),
    schedule: (autoCaptureAt: number | null, values: Partial<ScheduleCaptureCommand> = {}): ScheduleCaptureCommand => ({
      kind: 'schedule-capture',
      ...base(),
      autoCaptureAt,
      autoCaptureAmountMinor: null,
      autoCaptureDetailIds: null,
      ...values,
    }),
    /** What our own clock does with an authorization at its end. */
    expiry: (): VoidCommand => ({
      kind: 'void',
      ...base(),
      ...OWN,
      amountMinor: null,
      reason: 'authorization_expired',
    }),
    /** What our own clock does with a capture that was scheduled. */
    scheduledCapture: (amountMinor: number, detailIds: string[] | null = null) =>
      fixture.captureCommand(amountMinor, { ...OWN, detailIds, wantsRest: true }),
    reverseOrphan: (orphanOperationId: string): ReverseOrphanCommand => ({
      kind: 'reverse-orphan',
      ...base(),
      ...OWN,
      orphanOperationId,
    }),
  }

  const stepOf = <C extends Command>(invoiceId: string, command: C, { at, asOf }: When = {}): StepInput<C> => {
    const now = at ?? clock.now().getTime()
    return { ...fixture.step(invoiceId, command), at: now, asOf: asOf ?? now }
  }
  /** Does one step; of a sale only its authorization, which its capture follows. */
  const step = (invoiceId: string, command: Command, when: When = {}): Promise<StepResult> => {
    switch (command.kind) {
      case 'authorize':
        return activities.authorize(stepOf(invoiceId, command, when))
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
  const goOn = async (invoiceId: string, sale: AuthorizeCommand, authorized: StepResult, when: When = {}) => {
    if (sale.capture === null || !saleGoesOn(sale, authorized.answer, authorized.payment)) return null
    const command = sale.capture
    const answers = { operationId: sale.operationId, unlessSaleGoesOn: false }
    return { command, result: await activities.capture({ ...stepOf(invoiceId, command, when), answers }) }
  }
  /** Carries a command out as a run does: a sale goes on to its capture. */
  const executeCommand = async (invoiceId: string, command: Command, when: When = {}): Promise<StepResult> => {
    const result = await step(invoiceId, command, when)
    if (command.kind !== 'authorize') return result
    return (await goOn(invoiceId, command, result, when))?.result ?? result
  }

  return {
    ...fixture,
    activities,
    build,
    stepOf,
    step,
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
    referenceOf: (invoiceId: string) => ({ projectId, environment: 'sandbox' as const, invoiceId }),
  }
}

export type PaymentActor = Awaited<ReturnType<typeof makePaymentActor>>

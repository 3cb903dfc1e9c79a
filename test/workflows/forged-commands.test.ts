import { describe, expect, test } from '@jest/globals'
import { WithStartWorkflowOperation } from '@temporalio/client'
import type {
  CaptureCommand,
  Command,
  IncrementCommand,
  PayCommand,
  RefundCommand,
  VoidCommand,
} from '../../domain/command.ts'
import { signCommand } from '../../domain/command-signature.ts'
import { ENVIRONMENTS } from '../../domain/environment.ts'
import { makeIdentifier } from '../../domain/identifiers.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { WithdrawnCommandEntity } from '../../src/persistence/entities/withdrawn-command.ts'
import type { UpdateAnswer } from '../../workflows/messages.ts'
import type { paymentWorkflow } from '../../workflows/payment.ts'
import { runningForFile } from '../support/for-file.ts'
import { paymentStageForFile } from '../support/payment-stage-for-file.ts'
import { waitFor } from '../support/wait-for.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const OWN = { actor: 'scheduler', deadline: Number.MAX_SAFE_INTEGER } as const

describe('a command that somebody sends straight to Temporal', () => {
  const stage = paymentStageForFile({ eager: false })
  runningForFile(() => stage.startWorker(ENVIRONMENTS))

  const base = () => {
    const { operationId, actor, deadline, idempotency } = stage.captureCommand()
    return { operationId, actor, deadline, idempotency, amountMinor: 1000 }
  }
  const build = {
    authorize: async (values: Partial<PayCommand> = {}) => stage.authorizeCommand(await stage.makeCard(), values),
    capture: (amountMinor: number | null = null, values: Partial<PayCommand> = {}): PayCommand =>
      stage.captureCommand(amountMinor, values),
    void: (values: Partial<VoidCommand> = {}): VoidCommand => ({ ...base(), kind: 'void', reason: null, ...values }),
    increment: (): IncrementCommand => ({ ...base(), kind: 'increment', amountMinor: 1000 }),
    refund: (): RefundCommand => ({
      ...base(),
      kind: 'refund',
      refundId: makeIdentifier('refund', stage.deps.randomBytes),
      detailIds: null,
      reason: 'other',
    }),
  }
  const start = (invoiceId: string, command?: Command) => ({
    workflowId: `payment-${invoiceId}`,
    taskQueue: `payments-${stage.database.name}`,
    args: [{ projectId: stage.projectId, environment: 'sandbox' as const, invoiceId, ...(command && { command }) }],
  })
  /** As an update of the payment's run, or of one that is begun for it, as the Temporal CLI sends it. */
  const tell = async (invoiceId: string, name: string, args: unknown) => {
    const startWorkflowOperation = new WithStartWorkflowOperation<typeof paymentWorkflow>('paymentWorkflow', {
      ...start(invoiceId),
      workflowIdConflictPolicy: 'USE_EXISTING',
    } as never)
    return stage.temporal.workflow.executeUpdateWithStart<typeof paymentWorkflow, UpdateAnswer, [unknown]>(name, {
      startWorkflowOperation,
      args: [args],
    })
  }
  const authorized = async (values: Partial<PayCommand> = {}) => {
    const invoiceId = await stage.makeInvoice()
    expect(await stage.send(invoiceId, await build.authorize({ incremental: true, ...values }))).toEqual({
      kind: 'done',
    })
    return invoiceId
  }
  const captured = async () => {
    const invoiceId = await authorized()
    expect(await stage.send(invoiceId, stage.captureCommand())).toEqual({ kind: 'done' })
    return invoiceId
  }
  /** Everything that a command could have changed. */
  const traces = async (invoiceId: string) => {
    const em = stage.database.orm.em.fork()
    const transaction = await stage.books(invoiceId)
    return {
      transaction: transaction === null ? null : { ...transaction },
      operations: await em.count(OperationEntity, { transactionId: transaction?.id ?? '' }),
      withdrawn: await em.count(WithdrawnCommandEntity, { invoiceId }),
      asked: await stage.gatewayRequests(invoiceId),
    }
  }
  const invoice = () => stage.makeInvoice()
  const refused = { answer: { kind: 'refused', code: 'request.not-started' } }
  const signed = (invoiceId: string, command: Command, projectId = stage.projectId) =>
    signCommand(stage.deps.vault.signCommand, { projectId, environment: 'sandbox', invoiceId }, command)

  test.each<[string, string, () => Promise<string>, () => Promise<Command> | Command]>([
    ['an authorization', 'authorize', invoice, build.authorize],
    ['a sale', 'authorize', invoice, () => build.authorize({ authorizeOnly: false })],
    ['a sale by a client', 'authorize', invoice, () => build.authorize({ actor: 'client', authorizeOnly: false })],
    ['a capture', 'capture', () => authorized(), () => build.capture(1000, { captureType: 'non-final' })],
    [
      'another schedule of the capture',
      'capture',
      () => authorized(),
      () => ({
        ...base(),
        kind: 'schedule-capture',
        autoCaptureAt: Date.now() + 1000,
        autoCaptureAmountMinor: null,
        autoCaptureDetailIds: null,
      }),
    ],
    ['an increment', 'increment', () => authorized(), build.increment],
    ['a void', 'void', () => authorized(), () => build.void({ amountMinor: null })],
    ['a refund', 'refund', captured, build.refund],
  ])('does nothing where it is not signed: %s', async (_, name, make, command) => {
    const invoiceId = await make()
    const before = await traces(invoiceId)
    const unsigned = await command()
    const signatures = [undefined, '', 'n1.', 'n2.AAAA', `n1.${'A'.repeat(43)}`]
    for (const signature of signatures)
      expect(await tell(invoiceId, name, { ...unsigned, signature })).toMatchObject(refused)
    // One that the API has made, of another payment, of another project, and with something changed in it.
    const other = signed(await stage.makeInvoice(), unsigned)
    const foreign = signed(invoiceId, unsigned, 'proj_other')
    const changed = { ...signed(invoiceId, unsigned), deadline: unsigned.deadline + 1 }
    for (const forged of [other, foreign, changed]) expect(await tell(invoiceId, name, forged)).toMatchObject(refused)
    expect(await traces(invoiceId)).toEqual(before)
  })

  test('does nothing where it begins the run that it is told to', async () => {
    const invoiceId = await stage.makeInvoice()
    const command = await build.authorize()
    const run = await stage.temporal.workflow.start<typeof paymentWorkflow>('paymentWorkflow', {
      ...start(invoiceId, command),
    } as never)
    await run.result()
    expect(await traces(invoiceId)).toMatchObject({ transaction: null, asked: [] })
  })

  test('reaches no sandbox payment through the namespace of live, by a signed command or by a cancellation', async () => {
    const invoiceId = await authorized()
    const before = await traces(invoiceId)
    const of = (command?: Command) => ({ ...start(invoiceId, command), workflowId: `payment-${invoiceId}-in-live` })
    for (const command of [signed(invoiceId, build.capture()), undefined]) {
      const run = await stage.clients.live.workflow.start<typeof paymentWorkflow>(
        'paymentWorkflow',
        of(command) as never,
      )
      await run.cancel()
      // The run has ended, or its task fails for good.
      await waitFor(async () => {
        const { status, raw } = await run.describe()
        return status.name !== 'RUNNING' || (raw.pendingWorkflowTask?.attempt ?? 0) > 1
      })
      await run.terminate().catch(() => {})
    }
    expect(await traces(invoiceId)).toEqual(before)
  })

  const inADay = () => ({ autoCaptureAt: Date.now() + DAY_MS, amountMinor: 1500 })
  const captureOfClock = (amountMinor: number, values: Partial<CaptureCommand> = {}): CaptureCommand => ({
    ...base(),
    ...OWN,
    kind: 'capture',
    detailIds: null,
    isFinal: true,
    ...values,
    amountMinor,
  })
  test.each<[string, string, () => Partial<PayCommand>, () => Command]>([
    ['captures that nobody scheduled', 'capture', () => ({}), () => captureOfClock(2900)],
    ['captures more than is scheduled', 'capture', inADay, () => captureOfClock(2900)],
    ['captures less than is scheduled', 'capture', inADay, () => captureOfClock(1)],
    ['captures on without an end', 'capture', inADay, () => captureOfClock(1500, { isFinal: false })],
    ['voids', 'void', () => ({}), () => build.void({ ...OWN, amountMinor: null })],
    ['voids a part', 'void', () => ({}), () => build.void({ ...OWN, reason: 'authorization_expired' })],
    ['raises the amount', 'increment', () => ({}), () => ({ ...build.increment(), ...OWN })],
    ['is nobody that we know', 'capture', () => ({}), () => ({ ...build.capture(), actor: 'staff' })],
  ])('does nothing where it says that our own clock asks for it, and %s', async (_, name, values, command) => {
    const invoiceId = await authorized(values())
    const before = await traces(invoiceId)
    expect(await tell(invoiceId, name, command())).toMatchObject({ answer: { kind: 'refused' } })
    expect(await traces(invoiceId)).toEqual(before)
  })

  test('does nothing where it says what support staff found out', async () => {
    const invoiceId = await stage.makeInvoice()
    const command = stage.authorizeCommand(
      await stage.makeCard('4242424242424242', 'SANDBOX:authorization-never-resolved'),
    )
    expect(await stage.send(invoiceId, command)).toEqual({ kind: 'pending' })
    const resolution = {
      operationId: command.operationId,
      outcome: 'approved',
      gatewayOperationId: 'made-up',
      reason: 'a test',
    }
    await expect(tell(invoiceId, 'resync', { lookUpNow: false, resolution })).rejects.toThrow()
    expect(await stage.books(invoiceId)).toMatchObject({ status: 'pending', authorizedMinor: 0 })
  })

  test('does once what the API has signed, however often it is sent', async () => {
    const invoiceId = await authorized()
    const command = build.capture(1000, { captureType: 'non-final' })
    const sent = signed(invoiceId, command)
    for (let times = 0; times < 3; times += 1)
      expect(await tell(invoiceId, 'capture', sent)).toMatchObject({ answer: { kind: 'done' } })
    expect(await stage.send(invoiceId, build.void({ amountMinor: null }))).toEqual({ kind: 'done' })
    expect(await tell(invoiceId, 'capture', sent)).toMatchObject({ answer: { kind: 'done' } })
    await waitFor(async () => (await stage.books(invoiceId))?.voidedMinor === 1900)
    expect(await stage.books(invoiceId)).toMatchObject({ capturedMinor: 1000 })
    expect((await stage.gatewayRequests(invoiceId)).map(({ type }) => type)).toEqual([
      'authorization',
      'capture',
      'void',
    ])
  })
})

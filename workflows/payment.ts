import { CancellationScope, continueAsNew, setHandler } from '@temporalio/workflow'
import type { PaymentWorkflowInput } from './inputs.ts'
import {
  authorizeUpdate,
  captureUpdate,
  clockUpdate,
  incrementUpdate,
  refundUpdate,
  resyncSignal,
  resyncUpdate,
  voidUpdate,
} from './messages.ts'
import type { PaymentSummary } from './payment-details.ts'
import { PaymentRun } from './payment-run.ts'

/**
 * The workflow of one payment. It executes commands one after the other. Between them it waits for the next due step: the
 * scheduled capture, the end of the authorization, or the next look-up of an unknown outcome.
 *
 * A run ends when nothing is awaited. The next command starts a new run under the same id, which reads the state from
 * PostgreSQL. The workflow's state is only a copy: every step is decided again under the row lock of the payment.
 *
 * To cancel the workflow means to void the payment, where it holds reserved money and nothing else.
 */
export async function paymentWorkflow({
  projectId,
  environment,
  invoiceId,
  command,
  clockAheadMs,
}: PaymentWorkflowInput): Promise<PaymentSummary> {
  const run = new PaymentRun({ projectId, environment, invoiceId }, clockAheadMs)

  setHandler(authorizeUpdate, (asked) => run.answer(asked), {
    description: 'Authorize the payment, and capture it if the command says so.',
  })
  setHandler(captureUpdate, (asked) => run.answer(asked), {
    validator: (asked) => run.refuseEarly(asked),
    description: 'Capture an authorized payment, or move its scheduled capture.',
  })
  setHandler(incrementUpdate, (asked) => run.answer(asked), {
    validator: (asked) => run.refuseEarly(asked),
    description: 'Raise the authorized amount.',
  })
  setHandler(voidUpdate, (asked) => run.answer(asked), {
    validator: (asked) => run.refuseEarly(asked),
    description: 'Void the authorization, in full or in part.',
  })
  setHandler(refundUpdate, (asked) => run.answer(asked), {
    validator: (asked) => run.refuseEarly(asked),
    description: 'Refund captured money, in full or in part.',
  })
  setHandler(resyncUpdate, (asked) => run.resync(asked), {
    description: 'Read the record again, query the gateway if requested, and continue what is open or due.',
  })

  setHandler(clockUpdate, () => CancellationScope.nonCancellable(() => run.untilNothingIsDue()), {
    description: 'Wait until everything due has happened, and return the time of the payment.',
  })
  setHandler(resyncSignal, async () => void (await run.resync({ lookUpNow: false, resolution: null })), {
    description: 'Read the record again after an overdue step.',
  })

  CancellationScope.current().cancelRequested.catch(() => run.cancel())
  if (command !== undefined) void run.execute(command)
  const summary = await CancellationScope.nonCancellable(() => run.untilNothingIsAwaited())
  // A long history is slow to replay. The next run needs only the record.
  if (summary === null)
    return continueAsNew<typeof paymentWorkflow>({ projectId, environment, invoiceId, ...run.clockOfNextRun() })
  return summary
}

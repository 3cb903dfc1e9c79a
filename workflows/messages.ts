import { defineSignal, defineUpdate } from '@temporalio/workflow'
import type {
  CommandAnswer,
  IncrementCommand,
  PayCommand,
  RefundCommand,
  ResyncRequest,
  ScheduleCaptureCommand,
  VoidCommand,
} from '../domain/command.ts'

/**
 * The answer to an update, with the operation of its command. Requests with the same idempotency key share one update.
 * Temporal repeats its answer as long as it keeps the run, even after the idempotency record was deleted.
 */
export interface UpdateAnswer {
  /** The answer in words, for support staff. The first field, since the Temporal UI cuts long results. */
  summary: string
  operationId: string
  answer: CommandAnswer
}

/** The commands that a payment answers, with names for support staff who read a history. */
export const authorizeUpdate = defineUpdate<UpdateAnswer, [PayCommand]>('authorize')
export const captureUpdate = defineUpdate<UpdateAnswer, [PayCommand | ScheduleCaptureCommand]>('capture')
export const incrementUpdate = defineUpdate<UpdateAnswer, [IncrementCommand]>('increment')
export const voidUpdate = defineUpdate<UpdateAnswer, [VoidCommand]>('void')
export const refundUpdate = defineUpdate<UpdateAnswer, [RefundCommand]>('refund')

/** What the payment is after a resync, in words. */
export interface ResyncAnswer {
  summary: string
}

/** Makes the workflow read its record again, apply staff's finding and, on request, look up open attempts at the gateway. */
export const resyncUpdate = defineUpdate<ResyncAnswer, [ResyncRequest]>('resync')

/** The time of a payment when everything due has happened. */
export interface ClockReading {
  /** Epoch ms. */
  now: number
  /** When the next step is due, in epoch ms; null if the payment awaits nothing. */
  nextAt: number | null
  /** The run that was asked. */
  runId: string
}

/** Waits until everything that is due has happened. For the test clock of sandbox payments. */
export const clockUpdate = defineUpdate<ClockReading>('clock')

/** Makes the workflow read its record again. The sender does not wait. */
export const resyncSignal = defineSignal('resync')

import { defineSignal, defineUpdate } from '@temporalio/workflow'
import type {
  AuthorizeCommand,
  CaptureCommand,
  CommandAnswer,
  IncrementCommand,
  RefundCommand,
  ResyncRequest,
  ScheduleCaptureCommand,
  VoidCommand,
} from '../domain/command.ts'

/**
 * What a payment answers to an update, with the operation of the command that it answers. Requests with one idempotency key
 * are one update, and Temporal gives its answer for as long as it keeps the run: also to a request that comes when the key
 * itself is forgotten.
 */
export interface UpdateAnswer {
  operationId: string
  answer: CommandAnswer
}

/** The commands that a payment answers. The names are what support staff read in a history. */
export const authorizeUpdate = defineUpdate<UpdateAnswer, [AuthorizeCommand]>('authorize')
export const captureUpdate = defineUpdate<UpdateAnswer, [CaptureCommand | ScheduleCaptureCommand]>('capture')
export const incrementUpdate = defineUpdate<UpdateAnswer, [IncrementCommand]>('increment')
export const voidUpdate = defineUpdate<UpdateAnswer, [VoidCommand]>('void')
export const refundUpdate = defineUpdate<UpdateAnswer, [RefundCommand]>('refund')

/** Asks a payment to look at its record again, and at its gateway, where they say more than its run seems to know. */
export const resyncUpdate = defineUpdate<void, [ResyncRequest]>('resync')

/** Tells a payment that its record knows more than its run seems to know; whoever says so waits for nothing. */
export const resyncSignal = defineSignal('resync')

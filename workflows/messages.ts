import { defineUpdate } from '@temporalio/workflow'
import type {
  AuthorizeCommand,
  CaptureCommand,
  CommandAnswer,
  IncrementCommand,
  RefundCommand,
  ScheduleCaptureCommand,
  SettleRequest,
  VoidCommand,
} from '../domain/command.ts'

/** The commands that a payment answers. The names are what support staff read in a history. */
export const authorizeUpdate = defineUpdate<CommandAnswer, [AuthorizeCommand]>('authorize')
export const captureUpdate = defineUpdate<CommandAnswer, [CaptureCommand | ScheduleCaptureCommand]>('capture')
export const incrementUpdate = defineUpdate<CommandAnswer, [IncrementCommand]>('increment')
export const voidUpdate = defineUpdate<CommandAnswer, [VoidCommand]>('void')
export const refundUpdate = defineUpdate<CommandAnswer, [RefundCommand]>('refund')

/** Asks a payment to look at its record again, and at its gateway, where they say more than its run seems to know. */
export const settleUpdate = defineUpdate<void, [SettleRequest]>('settle')

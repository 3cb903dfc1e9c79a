import { defineUpdate } from '@temporalio/workflow'
import type {
  AuthorizeCommand,
  CaptureCommand,
  CommandAnswer,
  IncrementCommand,
  ScheduleCaptureCommand,
  VoidCommand,
} from '../domain/command.ts'

/** The commands that a payment answers. The names are what support staff read in a history. */
export const authorizeUpdate = defineUpdate<CommandAnswer, [AuthorizeCommand]>('authorize')
export const captureUpdate = defineUpdate<CommandAnswer, [CaptureCommand | ScheduleCaptureCommand]>('capture')
export const incrementUpdate = defineUpdate<CommandAnswer, [IncrementCommand]>('increment')
export const voidUpdate = defineUpdate<CommandAnswer, [VoidCommand]>('void')

/** Asks a payment to look at its record again, where the record says more than its run seems to know. */
export const settleUpdate = defineUpdate<void, []>('settle')

import { runningForFile } from './for-file.ts'
import { makeStack, type Stack, type StackOptions } from './stack.ts'

export const stackForFile = (options: StackOptions = { mode: 'together' }): Stack =>
  runningForFile(() => makeStack(options))

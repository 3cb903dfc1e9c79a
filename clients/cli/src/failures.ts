/** How a command ends, as the shell and scripts are told. */
export const EXIT = {
  done: 0,
  /** The service said no. */
  refused: 1,
  /** The command line was wrong; nothing was sent. */
  usage: 2,
  /** The payment failed, or its customer has to act. */
  declined: 3,
  /** No answer: nobody here knows what was done. */
  unanswered: 4,
  /** Ended by Ctrl-C, as shells number it. */
  interrupted: 130,
} as const

/** The command line asks for what cannot be; nothing was sent. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** It cannot be done, for a reason that the message tells together with what to do. */
export class CannotError extends Error {
  override readonly name = 'CannotError'
}

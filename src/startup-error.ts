/**
 * A reason for not starting (or not going on) that the person at the terminal can act on.
 * Entry points print its message alone; every other error is a defect and keeps its stack.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}

/** Receives one line of progress, written for the person who waits. */
export type Progress = (line: string) => void

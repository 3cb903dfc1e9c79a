import { pino } from 'pino'
import type { Logger } from '../../src/logger.ts'

export interface CapturedLog {
  logger: Logger
  /** Everything that was logged so far, one JSON object a line. */
  text(): string
}

/**
 * A logger that keeps every line, of every level and without redaction: what the production logger would have
 * struck out should not have been logged in the first place.
 */
export function captureLog(): CapturedLog {
  const lines: string[] = []
  return {
    logger: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
    text: () => lines.join(''),
  }
}

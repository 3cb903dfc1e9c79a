export interface ChaosOptions {
  kills: number
  seed: number
  /** Stories a second; a story is one to six requests. */
  rate: number
  /** Seconds. */
  interval: number
  /** Percent. */
  trouble: number
  /** Seconds. */
  patience: number
  keep: boolean
  /** Goes through every cell of faults and parts, and writes docs/reliability.md. */
  matrix: boolean
  /** Cells such as `stop/worker`. */
  cell?: string[]
  /** Plants defects, and tells which of them the matrix finds. */
  vacuity: boolean
  /** Seconds. */
  lasts: number
  /** Whether everything must have come to its end before the next cell begins. */
  apart: boolean
}

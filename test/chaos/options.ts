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
  /** Minutes for which merchants pay; the run is then a piece of the long run, and put into docs/reliability.md. */
  long?: number
  /** Goes through the cells of faults and parts, and puts what it finds into docs/reliability.md. */
  matrix: boolean
  /** Cells such as `stop/worker`. */
  cell?: string[]
  /** Plants defects, and puts into docs/reliability.md which of them their cells find. */
  vacuity: boolean
  /** Those of the defects, by their numbers in the page, from 1. */
  defect?: number[]
  /** Seconds. */
  lasts: number
  /** Whether one cell of each part is tried at the same time, and all are judged in the end. */
  together: boolean
}

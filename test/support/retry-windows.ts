/** The seconds after the start of the first attempt between which a retry starts, both included. */
export interface RetryWindow {
  minSeconds: number
  maxSeconds: number
}

/** Row n - 1 is retry n. A thirteenth would exceed three days. */
export const RETRY_WINDOWS: readonly RetryWindow[] = [
  { minSeconds: 2, maxSeconds: 3 },
  { minSeconds: 8, maxSeconds: 10 },
  { minSeconds: 23, maxSeconds: 30 },
  { minSeconds: 64, maxSeconds: 85 },
  { minSeconds: 175, maxSeconds: 233 },
  { minSeconds: 477, maxSeconds: 637 },
  { minSeconds: 1_300, maxSeconds: 1_733 },
  { minSeconds: 3_536, maxSeconds: 4_714 },
  { minSeconds: 9_613, maxSeconds: 12_817 },
  { minSeconds: 26_133, maxSeconds: 34_844 },
  { minSeconds: 71_038, maxSeconds: 94_718 },
  { minSeconds: 193_105, maxSeconds: 257_473 },
]

import { createHash } from 'node:crypto'
import type { Fault, FaultSettings } from './settings.ts'

/** A number from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number

/** With a seed each purpose has its own numbers, so that a longer delay changes no fault. */
type Purpose = 'fault' | 'which fault' | 'delay' | 'spread of the delay'

/** The number of hash bits that a JavaScript number holds exactly. */
const HASH_BITS = 48

/** The number of standard deviations below which 99 % of a normal distribution lie. */
const Z_99 = 2.3263478740408408

/** The upper limit of a log-normal delay: longer than any caller waits for a gateway. */
const DELAY_MAX_MS = 60_000

/** With a seed always the same number for a purpose and reference, otherwise a random one. */
function draw({ seed }: FaultSettings, purpose: Purpose, reference: string, random: Random): number {
  if (seed === undefined) return random()
  const hash = createHash('sha256')
    .update(JSON.stringify([seed, purpose, reference]))
    .digest()
  return hash.readUIntBE(0, HASH_BITS / 8) / 2 ** HASH_BITS
}

/** The fault of the call with this reference; null for none. */
export function drawFault(settings: FaultSettings, reference: string, random: Random): Fault | null {
  const { fault_rate: rate, faults } = settings
  if (rate === 0 || draw(settings, 'fault', reference, random) >= rate) return null
  return faults[Math.floor(draw(settings, 'which fault', reference, random) * faults.length)] ?? null
}

/** The delay of the answer to the call with this reference, in milliseconds. */
export function drawDelay(settings: FaultSettings, reference: string, random: Random): number {
  const { delay_ms: constantMs = 0, delay_p50_ms: p50Ms, delay_p99_ms: p99Ms } = settings
  if (p50Ms === undefined || p99Ms === undefined) return constantMs
  const one = draw(settings, 'delay', reference, random)
  const other = draw(settings, 'spread of the delay', reference, random)
  // The Box-Muller method turns two uniform numbers into a normal one.
  const normal = Math.sqrt(-2 * Math.log(1 - one)) * Math.cos(2 * Math.PI * other)
  const sigma = Math.log(p99Ms / p50Ms) / Z_99
  return Math.min(DELAY_MAX_MS, p50Ms * Math.exp(sigma * normal))
}

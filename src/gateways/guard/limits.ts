import { GATEWAY_TIMEOUT_MS } from '../gateway.ts'

/**
 * Calls to one configuration at once, in one process. At the second and a half that a card payment commonly takes it is 66
 * payments a second, more than a process carries out. The arithmetic of what a gateway may hold while it hangs is with
 * `PAYMENT_SLOTS`, which this number and the next one are made for.
 */
export const CALLS_PER_CONFIGURATION_MAX = 100

/** Calls to all configurations of one gateway at once: when it is down, it is so for every merchant who has an account there. */
export const CALLS_PER_GATEWAY_MAX = 200

/** Look-ups of one configuration at once; they can wait, and must not take the places of payments. */
export const LOOK_UPS_PER_CONFIGURATION_MAX = 10

/** Look-ups of all configurations of one gateway at once: half of the slots that look-ups run in. */
export const LOOK_UPS_PER_GATEWAY_MAX = 50

/** The calls by which a gateway is judged: the last ones, so that a busy account and a quiet one are judged alike. */
export const JUDGED_CALLS = 10
/** Fewer say nothing: a single lost answer is an ordinary day. */
export const JUDGED_CALLS_MIN = 5
/** Above this share of failures a payment sent there is more likely lost than made. */
export const FAILURES_SHARE = 0.5

/**
 * How long the circuit stays open, each time in a row. A gateway that stumbled is back within seconds; of one that stays
 * away, every probe is a customer's payment whose outcome nobody knows for a while, so it is asked once a minute.
 */
export const OPEN_MS: readonly number[] = [10_000, 20_000, 40_000, 60_000]

/** Configurations that are remembered. A closed circuit that nobody uses is nothing to remember. */
export const CIRCUITS_MAX = 1_000

/** Below this a healthy gateway is cut off: card networks alone take up to some seconds. */
const TIMEOUT_MIN_MS = 1_000

/** The settings that an account at any gateway takes, with the smallest and the largest number. No adapter hears of them. */
export const GUARD_SETTINGS = {
  max_concurrent_calls: [1, CALLS_PER_GATEWAY_MAX],
  timeout_ms: [TIMEOUT_MIN_MS, GATEWAY_TIMEOUT_MS],
} as const satisfies Record<string, readonly [min: number, max: number]>

export interface ConfigurationLimits {
  /** `max_concurrent_calls`: fewer than by default where the gateway allows the account fewer. */
  callsMax: number
  /** `timeout_ms`: how long an answer is waited for, in milliseconds; never longer than for any gateway. */
  timeoutMs: number
}

type Settings = Readonly<Record<string, string>>

/** Reads the settings of a configuration; what is absent or cannot be used is as by default. */
export function readLimits(settings: Settings): ConfigurationLimits {
  return {
    callsMax: readLimit(settings, 'max_concurrent_calls') ?? CALLS_PER_CONFIGURATION_MAX,
    timeoutMs: readLimit(settings, 'timeout_ms') ?? GATEWAY_TIMEOUT_MS,
  }
}

/** The settings that are the adapter's own. */
export function withoutGuardSettings(settings: Settings): Settings {
  const { max_concurrent_calls: _, timeout_ms: __, ...others } = settings
  return others
}

/** A setting of the guard; null where it is absent or cannot be used. */
export function readLimit(settings: Settings, name: keyof typeof GUARD_SETTINGS): number | null {
  const text = settings[name]
  const [low, high] = GUARD_SETTINGS[name]
  if (text === undefined || !/^\d{1,9}$/.test(text)) return null
  const value = Number(text)
  return low <= value && value <= high ? value : null
}

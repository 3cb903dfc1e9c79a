import { GATEWAY_TIMEOUT_MS } from '../gateway.ts'

/**
 * Concurrent calls to one configuration in one process. At 1.5 s, a common time of a card payment, this allows 66 payments
 * a second, more than a process executes. `PAYMENT_SLOTS` explains this limit and the next one for a hanging gateway.
 */
export const CALLS_PER_CONFIGURATION_MAX = 100

/** Concurrent calls to all configurations of one gateway: an outage affects all merchants with an account there. */
export const CALLS_PER_GATEWAY_MAX = 200

/** Concurrent look-ups of one configuration; they can wait, and must not take permits from payments. */
export const LOOK_UPS_PER_CONFIGURATION_MAX = 10

/** Concurrent look-ups of all configurations of one gateway: half of the slots for look-ups. */
export const LOOK_UPS_PER_GATEWAY_MAX = 50

/** The number of last calls by which a gateway is judged; a count treats busy and quiet accounts alike. */
export const JUDGED_CALLS = 10
/** Fewer prove nothing: a single lost answer is normal. */
export const JUDGED_CALLS_MIN = 5
/** Above this share of failures a payment there is more likely lost than made. */
export const FAILURES_SHARE = 0.5

/**
 * How long the circuit stays open, for each opening in a row. A gateway with a short problem is back within seconds. During
 * a long outage every probe is a customer's payment with an unknown outcome, so there is one a minute.
 */
export const OPEN_MS: readonly number[] = [10_000, 20_000, 40_000, 60_000]

/** Remembered configurations. A closed circuit without calls need not be remembered. */
export const CIRCUITS_MAX = 1_000

/** A shorter timeout would cut off a healthy gateway: card networks alone take up to some seconds. */
const TIMEOUT_MIN_MS = 1_000

/** The settings of an account at any gateway, with minimum and maximum. Adapters do not see them. */
export const GUARD_SETTINGS = {
  max_concurrent_calls: [1, CALLS_PER_GATEWAY_MAX],
  timeout_ms: [TIMEOUT_MIN_MS, GATEWAY_TIMEOUT_MS],
} as const satisfies Record<string, readonly [min: number, max: number]>

export interface ConfigurationLimits {
  /** `max_concurrent_calls`: fewer where the gateway allows the account fewer. */
  callsMax: number
  /** `timeout_ms`: how long to wait for an answer, in milliseconds; at most the limit of all gateways. */
  timeoutMs: number
}

type Settings = Readonly<Record<string, string>>

/** Reads the settings of a configuration; missing and unusable values get the default. */
export function readLimits(settings: Settings): ConfigurationLimits {
  return {
    callsMax: readLimit(settings, 'max_concurrent_calls') ?? CALLS_PER_CONFIGURATION_MAX,
    timeoutMs: readLimit(settings, 'timeout_ms') ?? GATEWAY_TIMEOUT_MS,
  }
}

/** The settings of the adapter itself. */
export function withoutGuardSettings(settings: Settings): Settings {
  const { max_concurrent_calls: _, timeout_ms: __, ...others } = settings
  return others
}

/** A setting of the guard; null where it is missing or unusable. */
function readLimit(settings: Settings, name: keyof typeof GUARD_SETTINGS): number | null {
  const text = settings[name]
  const [low, high] = GUARD_SETTINGS[name]
  if (text === undefined || !/^\d{1,9}$/.test(text)) return null
  const value = Number(text)
  return low <= value && value <= high ? value : null
}

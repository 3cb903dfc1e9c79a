import { z } from 'zod'
import type { AccountProblem } from '../account.ts'

/** The faults that a call can be given. */
export const FAULTS = ['lost', 'garbled', 'failed', 'refused'] as const
export type Fault = (typeof FAULTS)[number]

/** A minute is longer than any caller waits for a gateway, and short enough that calls do not pile up. */
const WAIT_MAX_MS = 60_000

/** A day: about the latest notification from an acquirer's retries. */
const LATE_MAX_MS = 24 * 60 * 60 * 1000

function milliseconds(min: number, max: number) {
  const accepted = `a whole number of milliseconds from ${min} to ${max}`
  const isInRange = (value: number) => value >= min && value <= max
  return z
    .string()
    .regex(/^\d{1,9}$/, accepted)
    .transform(Number)
    .refine(isInRange, accepted)
}

const flag = z
  .enum(['true', 'false'], { error: 'true or false' })
  .default('false')
  .transform((value) => value === 'true')
const word = z.string().regex(/^[!-~]{1,64}$/, '1 to 64 letters, digits and signs without spaces')
const share = z
  .string()
  .regex(/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/, 'a share of all calls from 0 to 1, such as 0.05')
  .transform(Number)
const faults = z
  .string()
  .transform((value) => value.split(',').map((name) => name.trim()))
  .pipe(z.array(z.enum(FAULTS, { error: `one or several of ${FAULTS.join(', ')}, separated by commas` })))

/** The simulator's behaviour for one account, besides its test cards. */
const fields = z.strictObject({
  /** The delay of answers: constant, or distributed like that of real gateways. */
  delay_ms: milliseconds(0, WAIT_MAX_MS).optional(),
  delay_p50_ms: milliseconds(1, WAIT_MAX_MS).optional(),
  delay_p99_ms: milliseconds(1, WAIT_MAX_MS).optional(),
  /** How long a call waits before the simulator executes it. */
  hang_ms: milliseconds(0, WAIT_MAX_MS).prefault('0'),
  /** The share of failing calls. */
  fault_rate: share.prefault('0'),
  faults: faults.prefault(FAULTS.join()),
  duplicate_notifications: flag,
  late_notifications_ms: milliseconds(0, LATE_MAX_MS).prefault('0'),
  reverse_notifications: flag,
  /** Whether the end of a pending step is reported; otherwise only look-ups find it. */
  settled_notifications: flag,
  /** With a seed, a reference always has the same faults and delays; without one they are random. */
  seed: word.optional(),
  account: word.optional(),
  // Of all gateways: read by guard/limits.ts.
  max_concurrent_calls: z.string().optional(),
  timeout_ms: z.string().optional(),
})

export type FaultSettings = Readonly<z.output<typeof fields>>

/** The names of all settings. */
export const SETTING_NAMES: readonly string[] = Object.keys(fields.shape)

function contradictionIn({ delay_ms, delay_p50_ms: p50, delay_p99_ms: p99 }: FaultSettings): AccountProblem | null {
  const missing = p50 === undefined ? 'delay_p50_ms' : 'delay_p99_ms'
  if ((p50 === undefined) !== (p99 === undefined))
    return { path: `settings.${missing}`, message: 'is missing: delay_p50_ms and delay_p99_ms go together' }
  if (p50 === undefined || p99 === undefined) return null
  if (delay_ms !== undefined) return { path: 'settings.delay_ms', message: 'excludes delay_p50_ms and delay_p99_ms' }
  return p99 < p50 ? { path: 'settings.delay_p99_ms', message: 'must not be less than delay_p50_ms' } : null
}

/** The problems of an account's settings, each at its field. */
export function simulatorSettingsProblems(settings: Readonly<Record<string, string>>): AccountProblem[] {
  const { data, error } = fields.safeParse(settings)
  if (error === undefined) return [contradictionIn(data) ?? []].flat()
  return error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((name) => ({ path: `settings.${name}`, message: 'is not known' }))
      : [{ path: `settings.${String(issue.path[0])}`, message: `must be ${issue.message}` }],
  )
}

/** Parses the settings of an account. Null where they are wrong: see `simulatorSettingsProblems`. */
export function readFaultSettings(settings: Readonly<Record<string, string>>): FaultSettings | null {
  // Most accounts have no settings, and this runs at each call.
  if (Object.keys(settings).length === 0) return NO_FAULTS
  const { data } = fields.safeParse(settings)
  return data !== undefined && contradictionIn(data) === null ? data : null
}

const NO_FAULTS = fields.parse({})

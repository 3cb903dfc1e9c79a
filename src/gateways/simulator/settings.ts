import { z } from 'zod'

/** What can go wrong with a call that is asked to. */
export const FAULTS = ['lost', 'garbled', 'failed', 'refused'] as const
export type Fault = (typeof FAULTS)[number]

/** How long answers take: always the same, or spread as those of real gateways are. Milliseconds. */
export type Delay = { kind: 'constant'; ms: number } | { kind: 'log-normal'; p50Ms: number; p99Ms: number }

/** How the simulator behaves for one account, beside what its cards do. */
export interface FaultSettings {
  delay: Delay | null
  /** How long a call waits before the simulator takes it up, in milliseconds. */
  hangMs: number
  /** The share of calls that go wrong, from 0 to 1. */
  faultRate: number
  faults: readonly Fault[]
  notifications: NotificationSettings
  /** With the same seed the same references have the same faults and delays; null for chance. */
  seed: string | null
}

export interface NotificationSettings {
  isDuplicated: boolean
  lateMs: number
  isReversed: boolean
  /** Whether the end of a pending step is reported, which otherwise only look-ups find. */
  reportsOutcomes: boolean
}

/** A minute is more than anybody waits for a gateway, and short enough that no call stays for long. */
const WAIT_MAX_MS = 60_000

/** A day: as late as acquirers' own retries commonly bring a notification. */
const LATE_MAX_MS = 24 * 60 * 60 * 1000

function milliseconds(min: number, max: number) {
  const accepted = `a whole number of milliseconds from ${min} to ${max}`
  const isInRange = (value: number) => value >= min && value <= max
  return z
    .string()
    .regex(/^\d{1,9}$/, accepted)
    .transform(Number)
    .refine(isInRange, accepted)
    .optional()
}

const flag = z.enum(['true', 'false'], { error: 'true or false' }).optional()
const word = z
  .string()
  .regex(/^[!-~]{1,64}$/, '1 to 64 letters, digits and signs without spaces')
  .optional()

const fields = z.strictObject({
  delay_ms: milliseconds(0, WAIT_MAX_MS),
  delay_p50_ms: milliseconds(1, WAIT_MAX_MS),
  delay_p99_ms: milliseconds(1, WAIT_MAX_MS),
  hang_ms: milliseconds(0, WAIT_MAX_MS),
  fault_rate: z
    .string()
    .regex(/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/, 'a share of all calls from 0 to 1, such as 0.05')
    .transform(Number)
    .optional(),
  faults: z
    .string()
    .transform((value) => value.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(FAULTS, { error: `one or several of ${FAULTS.join(', ')}, separated by commas` })))
    .optional(),
  duplicate_notifications: flag,
  late_notifications_ms: milliseconds(0, LATE_MAX_MS),
  reverse_notifications: flag,
  settled_notifications: flag,
  seed: word,
  account: word,
  // Of every gateway: guard/limits.ts reads them.
  max_concurrent_calls: z.string().optional(),
  timeout_ms: z.string().optional(),
})

/** Every setting that there is. */
export const SETTING_NAMES: readonly string[] = Object.keys(fields.shape)

const settingsSchema = fields.transform((settings, context): FaultSettings => {
  const { delay_ms: ms = 0, delay_p50_ms: p50Ms, delay_p99_ms: p99Ms } = settings
  const contradict = (message: string) => context.addIssue({ code: 'custom', message })
  if ((p50Ms === undefined) !== (p99Ms === undefined))
    contradict('The settings delay_p50_ms and delay_p99_ms go together.')
  else if (settings.delay_ms !== undefined && p50Ms !== undefined)
    contradict('The setting delay_ms excludes delay_p50_ms and delay_p99_ms.')
  else if (p50Ms !== undefined && p99Ms !== undefined && p99Ms < p50Ms)
    contradict('The setting delay_p99_ms must not be less than delay_p50_ms.')
  const constant = ms === 0 ? null : ({ kind: 'constant', ms } as const)
  return {
    delay: p50Ms !== undefined && p99Ms !== undefined ? { kind: 'log-normal', p50Ms, p99Ms } : constant,
    hangMs: settings.hang_ms ?? 0,
    faultRate: settings.fault_rate ?? 0,
    faults: settings.faults ?? FAULTS,
    notifications: {
      isDuplicated: settings.duplicate_notifications === 'true',
      lateMs: settings.late_notifications_ms ?? 0,
      isReversed: settings.reverse_notifications === 'true',
      reportsOutcomes: settings.settled_notifications === 'true',
    },
    seed: settings.seed ?? null,
  }
})

/** What is wrong with the settings of an account, in sentences for the person who gave them; null where nothing is. */
export function simulatorSettingsProblem(settings: Readonly<Record<string, string>>): string | null {
  const { error } = settingsSchema.safeParse(settings)
  if (error === undefined) return null
  const sentences = error.issues.map((issue) => {
    if (issue.code === 'custom' && issue.path.length === 0) return issue.message
    if (issue.code !== 'unrecognized_keys') return `The setting ${String(issue.path[0])} must be ${issue.message}.`
    return `The simulator has no setting ${issue.keys.join(' or ')}; there are ${SETTING_NAMES.join(', ')}.`
  })
  return sentences.join(' ')
}

/** Reads the settings of an account. Null where they are wrong, as `simulatorSettingsProblem` tells. */
export function readFaultSettings(settings: Readonly<Record<string, string>>): FaultSettings | null {
  // Most accounts have no settings, and each of their calls asks for them.
  return Object.keys(settings).length === 0 ? NO_FAULTS : (settingsSchema.safeParse(settings).data ?? null)
}

const NO_FAULTS = settingsSchema.parse({})

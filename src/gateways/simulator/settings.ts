import { z } from 'zod'

/** What can go wrong with a call that is asked to. */
export const FAULTS = ['lost', 'garbled', 'failed', 'refused'] as const
export type Fault = (typeof FAULTS)[number]

/** How long answers take: always the same, or spread as those of real gateways are. Milliseconds. */
export type Delay = { kind: 'constant'; ms: number } | { kind: 'log-normal'; p50Ms: number; p99Ms: number }

/** What an account does to what is told unasked. */
export interface NoticeSwitches {
  isDuplicated: boolean
  lateMs: number
  isReversed: boolean
  /** Whether it is told, too, how a step ends whose answer is pending at first; else only look-ups find that. */
  tellEndings: boolean
}

/** How the simulator behaves for one account, beside what its cards do. */
export interface Switches {
  delay: Delay | null
  /** How long a call lies there before the simulator gets to it, in milliseconds. */
  hangMs: number
  /** The share of calls that go wrong, from 0 to 1. */
  faultRate: number
  faults: readonly Fault[]
  notices: NoticeSwitches
  /** The same seed lets the same references fare the same; null for chance. */
  seed: string | null
  /** The server that is asked in place of the one in this process; null for that. */
  baseUrl: string | null
  /** Where what is told unasked is posted to; null where the courier brings it. */
  noticesUrl: string | null
}

/** A minute is more than anybody waits for a gateway, and short enough that nothing is left lying about. */
const WAIT_MAX_MS = 60_000

/** A day: as late as acquirers' own retries commonly bring what they have to tell. */
const LATE_MAX_MS = 24 * 60 * 60 * 1000

/** Long enough for any id. It travels in a header, and so is of plain characters. */
const SEED = /^[!-~]{1,64}$/

const LOOPBACK_HOST = /^(localhost|\[::1\]|127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/

/** True of a plain address on this machine: cards go there in the clear. */
export function isLoopbackUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  return protocol === 'http:' && LOOPBACK_HOST.test(hostname) && username === '' && password === ''
}

function milliseconds(min: number, max: number) {
  const accepted = `a whole number of milliseconds from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,9}$/, accepted)
    .transform(Number)
    .refine((value) => value >= min && value <= max, accepted)
    .optional()
}

const flag = z
  .enum(['true', 'false'], { error: 'true or false' })
  .transform((value) => value === 'true')
  .optional()

const SHARE_ACCEPTED = 'a share of all calls from 0 to 1, such as 0.05'
const share = z
  .string()
  .regex(/^[01](\.\d{1,6})?$/, SHARE_ACCEPTED)
  .transform(Number)
  .refine((value) => value <= 1, SHARE_ACCEPTED)
  .optional()

const FAULTS_ACCEPTED = `one or several of ${FAULTS.join(', ')}, separated by commas`
const faults = z
  .string()
  .transform((value) => value.split(',').map((name) => name.trim()))
  .pipe(z.array(z.enum(FAULTS, { error: FAULTS_ACCEPTED })))
  .optional()

const loopbackUrl = z
  .string()
  .refine(isLoopbackUrl, 'an http:// address on this machine (127.0.0.1, [::1] or localhost), without a password')
  .optional()

const settingsSchema = z.strictObject({
  delay_ms: milliseconds(0, WAIT_MAX_MS),
  delay_p50_ms: milliseconds(1, WAIT_MAX_MS),
  delay_p99_ms: milliseconds(1, WAIT_MAX_MS),
  hang_ms: milliseconds(0, WAIT_MAX_MS),
  fault_rate: share,
  faults,
  duplicate_notices: flag,
  late_notices_ms: milliseconds(0, LATE_MAX_MS),
  shuffle_notices: flag,
  seed: z.string().regex(SEED, '1 to 64 letters, digits and signs without spaces').optional(),
  base_url: loopbackUrl,
  notices: z.enum(['courier', 'http'], { error: 'courier or http' }).optional(),
  notices_url: loopbackUrl,
  // Of every gateway: guard/limits.ts reads them.
  max_concurrent_calls: z.string().optional(),
  timeout_ms: z.string().optional(),
})

type Settings = z.output<typeof settingsSchema>

/** Every setting that there is. */
export const SETTING_NAMES: readonly string[] = Object.keys(settingsSchema.shape)

const NO_SWITCHES: Switches = {
  delay: null,
  hangMs: 0,
  faultRate: 0,
  faults: FAULTS,
  notices: { isDuplicated: false, lateMs: 0, isReversed: false, tellEndings: false },
  seed: null,
  baseUrl: null,
  noticesUrl: null,
}

/** What is wrong with the settings of an account, all of it in sentences for the person who gave them; null where nothing is. */
export function simulatorSettingsProblem(settings: Readonly<Record<string, string>>): string | null {
  const read = settingsSchema.safeParse(settings)
  if (read.success) return contradictionIn(read.data)
  return read.error.issues
    .flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((name) => `The simulator has no setting ${name}; there are ${SETTING_NAMES.join(', ')}.`)
        : [`The setting ${String(issue.path[0])} must be ${issue.message}.`],
    )
    .join(' ')
}

function contradictionIn(settings: Settings): string | null {
  const { delay_ms, delay_p50_ms: p50, delay_p99_ms: p99, notices, notices_url } = settings
  if ((p50 === undefined) !== (p99 === undefined)) return 'The settings delay_p50_ms and delay_p99_ms go together.'
  if (delay_ms !== undefined && p50 !== undefined) return 'The setting delay_ms excludes delay_p50_ms and delay_p99_ms.'
  if (p50 !== undefined && p99 !== undefined && p99 < p50) {
    return 'The setting delay_p99_ms must not be less than delay_p50_ms.'
  }
  if (notices === 'http' && notices_url === undefined) return 'The setting notices=http needs notices_url.'
  return null
}

/** Reads the settings of an account. Null where they are wrong, as `simulatorSettingsProblem` tells. */
export function readSwitches(settings: Readonly<Record<string, string>>): Switches | null {
  if (Object.keys(settings).length === 0) return NO_SWITCHES
  const read = settingsSchema.safeParse(settings)
  if (!read.success || contradictionIn(read.data) !== null) return null
  const { data } = read
  return {
    delay: delayOf(data),
    hangMs: data.hang_ms ?? NO_SWITCHES.hangMs,
    faultRate: data.fault_rate ?? NO_SWITCHES.faultRate,
    faults: data.faults ?? NO_SWITCHES.faults,
    notices: {
      isDuplicated: data.duplicate_notices ?? false,
      lateMs: data.late_notices_ms ?? 0,
      isReversed: data.shuffle_notices ?? false,
      tellEndings: data.notices === 'http',
    },
    seed: data.seed ?? null,
    baseUrl: data.base_url ?? null,
    noticesUrl: data.notices === 'http' ? (data.notices_url ?? null) : null,
  }
}

function delayOf({ delay_ms: ms, delay_p50_ms: p50Ms, delay_p99_ms: p99Ms }: Settings): Delay | null {
  if (p50Ms !== undefined && p99Ms !== undefined) return { kind: 'log-normal', p50Ms, p99Ms }
  return ms === undefined || ms === 0 ? null : { kind: 'constant', ms }
}

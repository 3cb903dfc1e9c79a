/**
 * A reason for not starting (or not going on) that the person at the terminal can act on.
 * Entry points print its message alone; every other error is a defect and keeps its stack.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}

/** Receives one line of progress, written for the person who waits. */
export type Progress = (line: string) => void

/** Source: PostgreSQL, appendix A: insufficient_privilege. */
export const FORBIDDEN = '42501'

/**
 * What the failure of a server means, by a part of its code or message; the first one counts. SQLSTATEs are those of appendix
 * A of PostgreSQL.
 */
type Failures = readonly (readonly [seen: RegExp, meaning: string])[]

const POSTGRES_FAILURES: Failures = [
  [/^28/, 'refuses the user or the password of DATABASE_URL'],
  [/^3D000/, 'lacks the database of DATABASE_URL'],
  [new RegExp(`^${FORBIDDEN}`), 'refuses the user of DATABASE_URL'],
  [/^53300/, 'has no connection left'],
  [/^57P03/, 'is starting or stopping'],
  [/CERT|SSL|TLS|SIGNATURE|altnames/, 'cannot be reached over TLS'],
]

/** For a failed attempt to connect: names the host alone, since the address contains a password. */
export function postgresFailure(databaseUrl: string, error: Error): StartupError {
  const { message, code = '' } = error as NodeJS.ErrnoException
  const { host } = new URL(databaseUrl)
  // A name with several addresses fails without a message.
  return serverFailure(
    { name: `PostgreSQL on ${host}`, variable: 'DATABASE_URL' },
    meaningOf(POSTGRES_FAILURES, `${code} ${message}`),
    message || code,
    error,
  )
}

/** The texts are those of the SDK's core, which is written in Rust and shows its own data. */
const TEMPORAL_FAILURES: Failures = [
  [/InvalidContentType|HandshakeFailure/, 'does not speak TLS there'],
  [/http2 error/, 'does not answer; what listens there may expect TLS'],
  [/certificate|UnknownIssuer|CERT/i, 'cannot be reached over TLS'],
  [/^(?:7|16) |Unauthenticated|Unauthorized|permission/i, 'refuses the credentials'],
]

/** For a failed attempt to connect, or a first call that fails. */
export function temporalFailure(address: string, error: Error): StartupError {
  const { code = '', message } = error as NodeJS.ErrnoException
  const quoted = [...message.matchAll(/(?:message|error): "([^"]+)"/g)].at(-1)?.[1]
  return serverFailure(
    { name: `Temporal on ${address}`, variable: 'TEMPORAL_ADDRESS' },
    meaningOf(TEMPORAL_FAILURES, `${code} ${message}`),
    quoted ?? message,
    error,
  )
}

function meaningOf(failures: Failures, text: string): string | undefined {
  return failures.find(([seen]) => seen.test(text))?.[1]
}

/** @param server its variable is that of its address, where nothing else is known to be wrong. */
function serverFailure(
  server: { name: string; variable: string },
  meaning: string | undefined,
  reason: string,
  cause: Error,
): StartupError {
  const [said] = reason.split('\n')
  const sentence =
    meaning === undefined
      ? `${server.name} does not answer: ${said}; start it or correct ${server.variable}.`
      : `${server.name} ${meaning}: ${said}`
  return new StartupError(sentence, { cause })
}

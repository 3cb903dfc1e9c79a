/**
 * How the connection to a database is encrypted, as its address says with `sslmode` (see src/config.ts for those that there
 * are; none of them falls back to a connection in plain). As in node-postgres, `require`
 * verifies the certificate like `verify-full`; `no-verify` encrypts to whoever answers.
 *
 * @returns undefined where the address says nothing.
 */
export function databaseTls(databaseUrl: string): { rejectUnauthorized: boolean } | false | undefined {
  const mode = new URL(databaseUrl).searchParams.get('sslmode')
  if (mode === null) return undefined
  return mode === 'disable' ? false : { rejectUnauthorized: mode !== 'no-verify' }
}

/** This machine by its names; a path is a socket of its own. */
const THIS_MACHINE = /^(?:|\/.*|localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/

/**
 * The other machine to which a database address leads in plain; null where the connection is encrypted or does not leave
 * this machine.
 */
export function hostInPlain(databaseUrl: string): string | null {
  if (databaseTls(databaseUrl)) return null
  const { hostname, searchParams } = new URL(databaseUrl)
  const host = decodeURIComponent(searchParams.get('host') ?? hostname)
  return THIS_MACHINE.test(host) ? null : host
}

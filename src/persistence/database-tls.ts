import { isThisMachine } from '../this-machine.ts'

/**
 * The encryption of a database connection, by `sslmode` in its URL (src/config.ts lists the modes; none falls back to plain
 * text). As in node-postgres, `require` verifies the certificate like `verify-full`; `no-verify` encrypts without
 * verification.
 *
 * @returns undefined where the URL has no `sslmode`.
 */
export function databaseTls(databaseUrl: string): { rejectUnauthorized: boolean } | false | undefined {
  const mode = new URL(databaseUrl).searchParams.get('sslmode')
  if (mode === null) return undefined
  return mode === 'disable' ? false : { rejectUnauthorized: mode !== 'no-verify' }
}

/** None is said, or a path. */
const isLocalSocket = (host: string) => host === '' || host.startsWith('/')

/**
 * The remote host of an unencrypted database connection; null where the connection is encrypted or stays on this machine.
 */
export function hostInPlain(databaseUrl: string): string | null {
  if (databaseTls(databaseUrl)) return null
  const { hostname, searchParams } = new URL(databaseUrl)
  const host = decodeURIComponent(searchParams.get('host') ?? hostname)
  return isLocalSocket(host) || isThisMachine(host) ? null : host
}

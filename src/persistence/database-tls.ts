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

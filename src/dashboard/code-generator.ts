import { Secret, TOTP } from 'otpauth'
import { encode } from 'uqr'
import type { RandomBytes } from '../../domain/identifiers.ts'

/** As RFC 6238 and every authenticator app have it: six digits, of half a minute, by SHA-1. */
const PERIOD_SECONDS = 30

/** Steps before and after the present one whose codes are right, for clocks that differ. */
const WINDOW = 1

/** Source: RFC 4226, section 4: 160 bits. */
const SECRET_BYTES = 20

/** The secret that an authenticator app and the service share, in base32. */
export function makeCodeSecret(randomBytes: RandomBytes): string {
  return new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer }).base32
}

/** What an authenticator app reads, as a QR code or a link. */
export function codeGeneratorUri(secret: string, email: string): string {
  return generatorOf(secret, email).toString()
}

/** A text as a QR code: squares of one unit, as a path of SVG. */
export function qrCodeOf(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { border: 2 })
  const path = data.flatMap((row, y) => row.map((isBlack, x) => (isBlack ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return { size, path }
}

/**
 * The step of time whose code it is, so that it is used once; null for a wrong code.
 *
 * @param secret in base32.
 */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  // The library compares bytes and fails where a code has more of them than characters.
  if (!/^[0-9]+$/.test(code)) return null
  const delta = generatorOf(secret).validate({ token: code, timestamp: now.getTime(), window: WINDOW })
  return delta === null ? null : Math.floor(now.getTime() / 1000 / PERIOD_SECONDS) + delta
}

function generatorOf(secret: string, label = ''): TOTP {
  return new TOTP({ issuer: 'Holdfast', label, secret, algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS })
}

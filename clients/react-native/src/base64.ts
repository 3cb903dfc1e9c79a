/** Base64 of UTF-8: React Native has neither `Buffer` nor, in older versions, `atob` and `TextDecoder`. */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** With padding. */
export function encodeBase64(text: string): string {
  const bytes = bytesOf(text)
  let encoded = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    const digits = [18, 12, 6, 0].map((shift) => DIGITS.charAt((group >> shift) & 63)).join('')
    const count = Math.min(bytes.length - at, 3) + 1
    encoded += digits.slice(0, count).padEnd(4, '=')
  }
  return encoded
}

/** Base64 or base64url, with or without padding; null if it is neither. */
export function decodeBase64(encoded: string): string | null {
  const digits = encoded.replace(/=+$/, '').replace(/-/g, '+').replace(/_/g, '/')
  if (digits.length % 4 === 1 || !/^[A-Za-z0-9+/]*$/.test(digits)) return null
  let escaped = ''
  let bits = 0
  let held = 0
  for (const digit of digits) {
    held = ((held << 6) | DIGITS.indexOf(digit)) & 0xffff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    escaped += `%${((held >> bits) & 0xff).toString(16).padStart(2, '0')}`
  }
  return decodePercent(escaped)
}

/** Null for what is not percent-encoded rightly, or no UTF-8. */
export function decodePercent(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function bytesOf(text: string): number[] {
  const escaped = encodeURIComponent(text)
  const bytes: number[] = []
  for (let at = 0; at < escaped.length; at += 1) {
    if (escaped[at] !== '%') bytes.push(escaped.charCodeAt(at))
    else {
      bytes.push(Number.parseInt(escaped.slice(at + 1, at + 3), 16))
      at += 2
    }
  }
  return bytes
}

/** Base64 of the UTF-8 bytes of a text. */
export function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}

/** A key that nobody else has: 128 random bits. Also where `crypto.randomUUID` is missing, on pages without https. */
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

import { type RandomBytes, randomText } from './identifiers.ts'

/**
 * Links of the dashboard that work once, and let in whoever has them: `join` accepts an invitation, `password` chooses a
 * password in place of one that the operator has reset. The secret stands behind the `#`, which browsers send to nobody.
 */
export type OneTimeLink = 'join' | 'password'

/** A new secret of 190 random bits. */
export function makeLinkSecret(randomBytes: RandomBytes): string {
  return `hflink_${randomText(randomBytes)}`
}

/** The address to open; `origin` is that of the service, without a slash. */
export function linkTo(origin: string, link: OneTimeLink, secret: string): string {
  return `${origin}/dashboard/#/${link}/${secret}`
}

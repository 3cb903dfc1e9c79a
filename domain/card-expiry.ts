/** The last time zone on earth is twelve hours behind UTC. */
const LAST_PLACE_HOURS = 12

/**
 * True once a card's last valid month is over everywhere on earth. Issuers do not say which time zone they use, so the
 * latest one counts: a card that its issuer still accepts is never refused here.
 *
 * @param month 1 to 12.
 */
export function hasExpired({ month, year }: { month: number; year: number }, at: Date): boolean {
  return at.getTime() >= Date.UTC(year, month, 1, LAST_PLACE_HOURS)
}

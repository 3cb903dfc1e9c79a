/** Half a day after midnight in UTC, the last place on earth ends its day: its clock is twelve hours behind UTC. */
const LAST_PLACE_HOURS = 12

/**
 * True once the month until whose end a card is valid is over everywhere on earth. Issuers do not say which clock they end
 * it by, so the last instant counts: a card that is still good at its issuer is never refused here.
 *
 * @param month 1 to 12.
 */
export function hasExpired({ month, year }: { month: number; year: number }, at: Date): boolean {
  return at.getTime() >= Date.UTC(year, month, 1, LAST_PLACE_HOURS)
}

/** The merchant's address with these parameters in its query, in the place of any of the same name. */
export function withParameters(address: string, parameters: Readonly<Record<string, string>>): string {
  // Ids of Android apps may have underscores, which the standard of addresses does not know in a scheme.
  const [scheme = '', rest = ''] = address.split(/:(.*)/s)
  const url = new URL(`${scheme.replaceAll('_', '-')}:${rest}`)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return scheme + url.href.slice(scheme.length)
}

import { schemeOf, standardized } from '../objects/addresses.ts'

/**
 * The merchant's address with these parameters in its query, in the place of any of the same name.
 *
 * @param address holds by `isReturnAddress`.
 */
export function withParameters(address: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(standardized(address))
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  const scheme = schemeOf(address)
  return scheme + url.href.slice(scheme.length)
}

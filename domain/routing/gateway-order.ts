import { drawBelow, ruleSeed } from './random.ts'
import type { RouteRule } from './rule.ts'

/** Gives the gateways of a rule in the order in which a payment tries them; `transaction` is the hash of its id. */
export type GatewayOrder = (transaction: number) => readonly string[]

/** `priority`: in the listed order. `split`: drawn by weight, then those without weight in the listed order. */
export function compileGatewayOrder({
  id,
  gateways,
  strategy,
}: Pick<RouteRule, 'gateways' | 'strategy'> & { id: string }): GatewayOrder {
  const weighted = gateways.filter(({ weight }) => (weight ?? 0) > 0)
  const sorted =
    strategy === 'priority' ? gateways : [...weighted, ...gateways.filter((gateway) => !weighted.includes(gateway))]
  const ids = sorted.map(({ gatewayConfigurationId }) => gatewayConfigurationId)
  if (strategy === 'priority' || weighted.length < 2) return () => ids
  const weights = weighted.map(({ weight }) => weight ?? 0)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const seed = ruleSeed(id, 'split')
  return (transaction) => splitOrder(ids, weights, total, transaction, seed)
}

/**
 * Draws one gateway after the other, each with a probability in proportion to its weight among those left. The first
 * gateway is thus chosen in proportion to the weights. If some gateways cannot be used, the same is true of the first of
 * the others. All products are integers below 2^53, so rounding cannot differ between machines.
 */
function splitOrder(
  ids: readonly string[],
  weights: readonly number[],
  total: number,
  transaction: number,
  seed: number,
): string[] {
  const order = ids.slice()
  const left = weights.slice()
  let sum = total
  for (let place = 0; place < left.length - 1; place += 1) {
    let rest = drawBelow(sum, transaction, seed, place)
    let chosen = place
    let weight = left[chosen] as number
    while (rest >= weight) {
      rest -= weight
      chosen += 1
      weight = left[chosen] as number
    }
    const id = order[chosen] as string
    order[chosen] = order[place] as string
    order[place] = id
    left[chosen] = left[place] as number
    sum -= weight
  }
  return order
}

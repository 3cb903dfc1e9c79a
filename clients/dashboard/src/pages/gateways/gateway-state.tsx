import type { GatewayConfiguration } from '../../../../node/src/generated/schemas.ts'
import { ToneBadge } from '../../parts/badges.tsx'

interface Props {
  gateway: GatewayConfiguration
}

export function GatewayStatus({ gateway }: Props) {
  if (!gateway.enabled) return <ToneBadge tone="neutral">Switched off</ToneBadge>
  if (gateway.draining_since) return <ToneBadge tone="waiting">Draining</ToneBadge>
  return <ToneBadge tone="good">On</ToneBadge>
}

const CIRCUITS = {
  closed: { words: 'Closed: calls pass', tone: 'good' },
  half_open: { words: 'Half open: one call is tried', tone: 'waiting' },
  open: { words: 'Open: calls are held back', tone: 'bad' },
} as const

export function CircuitState({ gateway }: Props) {
  const { words, tone } = CIRCUITS[gateway.circuit.state]
  return <ToneBadge tone={tone}>{words}</ToneBadge>
}

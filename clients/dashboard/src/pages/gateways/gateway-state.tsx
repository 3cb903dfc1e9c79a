import type { GatewayConfiguration } from '../../../../node/src/generated/schemas.ts'
import { ToneBadge } from '../../parts/badges.tsx'
import { t } from '../../words/words.ts'

interface Props {
  gateway: GatewayConfiguration
}

export function GatewayStatus({ gateway }: Props) {
  if (!gateway.enabled) return <ToneBadge tone="neutral">{t('gateways.state.off')}</ToneBadge>
  if (gateway.draining_since) return <ToneBadge tone="waiting">{t('gateways.state.draining')}</ToneBadge>
  return <ToneBadge tone="good">{t('gateways.state.on')}</ToneBadge>
}

const CIRCUITS = { closed: 'good', half_open: 'waiting', open: 'bad' } as const

export function CircuitState({ gateway }: Props) {
  const { state } = gateway.circuit
  return <ToneBadge tone={CIRCUITS[state]}>{t(`gateways.circuit.${state}`)}</ToneBadge>
}

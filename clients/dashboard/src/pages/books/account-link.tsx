import type { GatewayConfiguration } from '../../../../node/src/generated/schemas.ts'
import { useProject } from '../../service/session.tsx'

interface OfAccount {
  gateway_configuration_id: string
  gateway_configuration: GatewayConfiguration | null
}

/** The account at a gateway that something is about. */
export function AccountLink({ of: { gateway_configuration_id, gateway_configuration } }: { of: OfAccount }) {
  const { href } = useProject()
  return (
    <a href={href(['gateways', gateway_configuration_id])}>{gateway_configuration?.name ?? gateway_configuration_id}</a>
  )
}

import { environmentOf } from '../../domain/environment.ts'
import type { GatewayNotice } from '../../domain/gateway-notice.ts'
import type { Clock } from '../clock.ts'
import type { Orm } from '../persistence/orm.ts'
import { storeNotice } from '../persistence/queries/payments/gateway-notices.ts'
import type { PaymentSettler } from '../temporal/client.ts'

/**
 * Takes what a gateway tells unasked: kept first, then the payment is asked to book it. One that cannot be asked now is
 * asked by the sweep; a notice about an invoice that is not there is nobody's.
 */
export async function receiveNotice(
  { orm, settler, clock }: { orm: Orm; settler: PaymentSettler; clock: Clock },
  notice: GatewayNotice,
): Promise<void> {
  const noticed = await storeNotice(orm.em.fork(), notice, clock.now())
  if (noticed === null) return
  const { sandbox, ...payment } = noticed
  const reason = `notice-${notice.gatewayConfigurationId}-${notice.gatewayNoticeId}`
  await settler.settle({ ...payment, environment: environmentOf(sandbox) }, reason)
}

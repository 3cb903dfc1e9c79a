import type { CourierOptions } from '../gateways/simulator/courier.ts'
import { createCourier } from '../gateways/simulator/courier.ts'
import type { Execute } from '../gateways/simulator/log.ts'
import { pushNotice } from '../gateways/simulator/push-notice.ts'
import { GatewayConfigurationEntity } from '../persistence/entities/gateway-configuration.ts'
import type { Shutdown } from '../shutdown.ts'
import { createPaymentSettler } from '../temporal/client.ts'
import { TASK_QUEUES } from '../temporal/task-queues.ts'
import type { Core } from './core.ts'
import { receiveNotice } from './receive-notice.ts'
import { startSweep } from './sweep.ts'

/** Often enough that who watches a sandbox payment sees its chargeback come; one small indexed question each time. */
const INTERVAL_MS = 500

/** Brings what the simulator has to tell unasked, as another gateway would by HTTP. Every worker process does it. */
export function bringNotices(core: Core, execute: Execute, shutdown: Shutdown): void {
  const { orm, clock, logger, temporal } = core
  const settler = createPaymentSettler({ temporal: temporal.clients, taskQueues: TASK_QUEUES })
  const courier = createCourier({
    execute,
    clock,
    deliver: (notice) => receiveNotice({ orm, settler, clock }, notice),
    tell: tellOverHttp(core),
  })
  const run = async () => void (await courier.deliverDue())
  startSweep({ name: 'The courier of the simulator', intervalMs: INTERVAL_MS, run }, logger, shutdown)
}

/** Posts a notice where the settings of its account ask for that. The account is read each time: it may have changed. */
export function tellOverHttp({ orm, vault }: Pick<Core, 'orm' | 'vault'>): NonNullable<CourierOptions['tell']> {
  return async (notification, gatewayConfigurationId) => {
    const configuration = await orm.em.fork().findOne(GatewayConfigurationEntity, { id: gatewayConfigurationId })
    if (configuration === null || configuration.settings.notices !== 'http') return false
    const { settings } = configuration
    return pushNotice(notification, {
      gatewayConfigurationId,
      credentials: vault.openCredentials(configuration),
      settings,
    })
  }
}

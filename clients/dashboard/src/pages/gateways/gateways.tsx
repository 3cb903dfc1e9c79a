import { Button } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { useState } from 'react'
import type { Gateway } from '../../../../../src/dashboard/contract.ts'
import type { GatewayConfiguration } from '../../../../node/src/generated/schemas.ts'
import { Empty, Loading, Page, Problem, Section } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import type { List } from '../../service/read.ts'
import { useRead } from '../../service/read.ts'
import { useProject } from '../../service/session.tsx'
import { t } from '../../words/words.ts'
import { abilitiesOf } from './abilities.ts'
import { useInstalledGateways } from './account.ts'
import { CircuitState, GatewayStatus } from './gateway-state.tsx'
import { NewGateway } from './new-gateway.tsx'

export function Gateways() {
  const { can, href } = useProject()
  const [isAdding, setIsAdding] = useState(false)
  const installed = useInstalledGateways()
  const { data, error, refresh } = useRead<List<'gateway_configurations', GatewayConfiguration>>(
    '/gateway-configurations',
    { query: { limit: '100' }, every: 15_000 },
  )
  const gateways = data?.gateway_configurations
  const add = can('configuration') && (
    <Button leftSection={<PlusIcon />} onClick={() => setIsAdding(true)} disabled={installed.length === 0}>
      {t('gateways.add')}
    </Button>
  )
  return (
    <Page title={t('gateways.title')} about={t('gateways.about')} actions={add} mayChange={can('configuration')}>
      {error && <Problem error={error} retry={refresh} />}
      <Section title={t('gateways.list.title')} flush>
        {gateways === undefined && !error && <Loading />}
        {gateways?.length === 0 && (
          <Empty title={t('gateways.list.empty')} action={add}>
            {t('gateways.list.emptyAdvice')}
          </Empty>
        )}
        {gateways !== undefined && gateways.length > 0 && (
          <Table
            label={t('gateways.list.label')}
            items={gateways}
            keyOf={({ id }) => id}
            columns={[
              {
                title: t('gateways.list.account'),
                narrow: 'first',
                cell: ({ id, name, gateway, gateway_name }) => (
                  <span className="two-lines">
                    <a href={href(['gateways', id])} className="row-link">
                      <bdi>{name}</bdi>
                    </a>
                    <small>{gateway?.display_name ?? gateway_name}</small>
                  </span>
                ),
              },
              { title: t('common.status'), narrow: 'beside', cell: (gateway) => <GatewayStatus gateway={gateway} /> },
              {
                title: t('gateways.list.circuit'),
                narrow: 'named',
                cell: (gateway) => <CircuitState gateway={gateway} />,
              },
              {
                title: t('gateways.list.cannot'),
                narrow: 'below',
                cell: ({ capabilities }) =>
                  abilitiesOf(capabilities)
                    .filter(({ can: able }) => !able)
                    .map(({ words }) => words)
                    .join(', ') || t('gateways.list.everything'),
              },
            ]}
          />
        )}
      </Section>
      {isAdding && isSome(installed) && (
        <NewGateway installed={installed} onClose={() => setIsAdding(false)} onDone={refresh} />
      )}
    </Page>
  )
}

function isSome(installed: readonly Gateway[]): installed is readonly [Gateway, ...Gateway[]] {
  return installed.length > 0
}

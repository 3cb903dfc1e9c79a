import { Button } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { useState } from 'react'
import type { GatewayConfiguration } from '../../../../node/src/generated/schemas.ts'
import { Empty, Loading, Page, Problem, Section } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import type { List } from '../../service/read.ts'
import { useRead } from '../../service/read.ts'
import { useProject } from '../../service/session.tsx'
import { abilitiesOf } from './abilities.ts'
import { CircuitState, GatewayStatus } from './gateway-state.tsx'
import { NewGateway } from './new-gateway.tsx'

export function Gateways() {
  const { can, href } = useProject()
  const [isAdding, setIsAdding] = useState(false)
  const { data, error, refresh } = useRead<List<'gateway_configurations', GatewayConfiguration>>(
    '/gateway-configurations',
    { query: { limit: '100' }, every: 15_000 },
  )
  const gateways = data?.gateway_configurations
  const add = can('configuration') && (
    <Button leftSection={<PlusIcon />} onClick={() => setIsAdding(true)}>
      Add an account
    </Button>
  )
  return (
    <Page title="Gateways" about="Your accounts where payments go." actions={add}>
      {error && <Problem error={error} retry={refresh} />}
      <Section title="Accounts" flush>
        {gateways === undefined && !error && <Loading />}
        {gateways?.length === 0 && (
          <Empty title="No accounts yet" action={add}>
            Payments need an account at a gateway, with the credentials that it has given you.
          </Empty>
        )}
        {gateways !== undefined && gateways.length > 0 && (
          <Table
            label="Accounts at gateways"
            items={gateways}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Account',
                narrow: 'first',
                cell: ({ id, name, gateway_name }) => (
                  <span className="two-lines">
                    <a href={href(['gateways', id])} className="row-link">
                      {name}
                    </a>
                    <small>{gateway_name}</small>
                  </span>
                ),
              },
              { title: 'Status', narrow: 'beside', cell: (gateway) => <GatewayStatus gateway={gateway} /> },
              { title: 'Circuit', narrow: 'named', cell: (gateway) => <CircuitState gateway={gateway} /> },
              {
                title: 'Cannot',
                narrow: 'below',
                cell: ({ capabilities }) =>
                  abilitiesOf(capabilities)
                    .filter(({ can: able }) => !able)
                    .map(({ words }) => words.toLowerCase())
                    .join(', ') || 'Can do everything',
              },
            ]}
          />
        )}
      </Section>
      {isAdding && <NewGateway onClose={() => setIsAdding(false)} onDone={refresh} />}
    </Page>
  )
}

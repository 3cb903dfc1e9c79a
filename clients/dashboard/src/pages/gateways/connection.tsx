import { Alert, Button, Text } from '@mantine/core'
import { useState } from 'react'
import type { Connection, GatewayChange } from '../../../../../src/dashboard/contract.ts'
import type { GatewayConfiguration } from '../../../../node/src/generated/schemas.ts'
import { Empty, Problem, Section } from '../../parts/page.tsx'
import { Instant } from '../../parts/values.tsx'
import { useAct } from '../../service/act.ts'
import { useProject } from '../../service/session.tsx'
import { marks, t, wordsOf } from '../../words/words.ts'

/** Asks the gateway whether it knows the account, and shows what it has said last. */
export function ConnectionSection({
  configuration: { id, enabled },
  last,
  onDone,
}: {
  configuration: GatewayConfiguration
  /** The last test that the audit log has; null where there was none. */
  last: GatewayChange | null
  onDone(): unknown
}) {
  const { can } = useProject()
  const test = useAct<{ connection: Connection }>()
  const [told, setTold] = useState<Connection | null>(null)
  async function run() {
    const answer = await test.run('POST', `/dashboard/gateway-configurations/${id}/test`)
    setTold(answer?.connection ?? null)
    await onDone()
  }
  const result = told?.result ?? last?.result ?? null
  const mayTest = can('configuration')
  return (
    <Section
      title={t('gateways.test.title')}
      about={mayTest ? t('gateways.test.about') : t('gateways.test.mayNot')}
      actions={
        mayTest && (
          <Button variant="default" loading={test.busy} onClick={run}>
            {t('gateways.test.action')}
          </Button>
        )
      }
    >
      {test.error && <Problem error={test.error} />}
      {result === null ? (
        !test.error && <Empty title={t('gateways.test.never')}>{t('gateways.test.neverAdvice')}</Empty>
      ) : (
        <div role="status" className="stack">
          <Result result={result} told={told} />
          {last && (
            <Text size="sm" c="dimmed">
              {last.by.name === null
                ? t.rich('gateways.test.last', { at: () => <Instant at={last.at} /> })
                : t.rich('gateways.test.lastBy', { ...marks, at: () => <Instant at={last.at} />, name: last.by.name })}
            </Text>
          )}
          {!enabled && <Text size="sm">{t('gateways.test.offNote')}</Text>}
        </div>
      )}
    </Section>
  )
}

const COLORS: Readonly<Record<string, string>> = { works: 'green', unclear: 'yellow', 'not-offered': 'gray' }

function Result({ result, told }: { result: string; told: Connection | null }) {
  return (
    <Alert color={COLORS[result] ?? 'red'} title={wordsOf('gateways.test.result', `${result}.title`) ?? result}>
      {wordsOf('gateways.test.result', `${result}.about`)}
      {told?.account != null && (
        <Text size="sm" mt={6}>
          {t.rich('gateways.test.account', { ...marks, account: told.account })}
        </Text>
      )}
      {told?.code != null && (
        <Text size="sm" mt={6}>
          {t.rich('gateways.test.code', { ...marks, code: () => <code>{told.code}</code> })}
        </Text>
      )}
    </Alert>
  )
}

import { Button, Code, Text } from '@mantine/core'
import { useState } from 'react'
import type { Person } from '../../../../../src/dashboard/contract.ts'
import type { ListedRuleSet, RuleSet } from '../../../../node/src/generated/schemas.ts'
import { ToneBadge } from '../../parts/badges.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Empty, Loading, Problem, Section } from '../../parts/page.tsx'
import { say } from '../../parts/said.ts'
import { Table } from '../../parts/table.tsx'
import { Instant } from '../../parts/values.tsx'
import { useAct } from '../../service/act.ts'
import type { List } from '../../service/read.ts'
import { type Reading, useRead } from '../../service/read.ts'
import { useProject } from '../../service/session.tsx'
import { shortIds } from '../../words/format.ts'
import { t } from '../../words/words.ts'

interface Props {
  reading: Reading<List<'rule_sets', ListedRuleSet>>
  active: RuleSet | null
  onChanged(): unknown
}

/** Every text that there was, and going back to one. */
export function Versions({ reading, active, onChanged }: Props) {
  const { can } = useProject()
  const [opened, setOpened] = useState<string | null>(null)
  const [wanted, setWanted] = useState<ListedRuleSet | null>(null)
  const [isEnding, setIsEnding] = useState(false)
  const versions = reading.data?.rule_sets
  const people = useRead<{ people: Person[] }>('/dashboard/people').data?.people ?? []
  const nameOf = (id: string) => people.find((person) => person.id === id)?.name
  return (
    <Section
      title={t('routing.versions.title')}
      actions={
        can('configuration') &&
        active && (
          <Button size="xs" variant="subtle" color="red" onClick={() => setIsEnding(true)}>
            {t('routing.versions.off')}
          </Button>
        )
      }
      flush
    >
      {reading.error && <Problem error={reading.error} retry={reading.refresh} />}
      {versions === undefined && !reading.error && <Loading />}
      {versions?.length === 0 && <Empty title={t('routing.versions.empty')}>{t('routing.versions.emptyAdvice')}</Empty>}
      {versions !== undefined && versions.length > 0 && (
        <Table
          label={t('routing.versions.label')}
          items={versions}
          keyOf={({ id }) => id}
          below={({ id }) => (opened === id ? <VersionText id={id} /> : null)}
          columns={[
            {
              title: t('routing.versions.column'),
              narrow: 'first',
              cell: ({ version }) => t('routing.versions.version', { version: String(version) }),
            },
            {
              title: t('common.status'),
              narrow: 'beside',
              cell: ({ active }) => active && <ToneBadge tone="good">{t('routing.versions.isActive')}</ToneBadge>,
            },
            {
              title: t('routing.versions.made'),
              narrow: 'below',
              cell: ({ created_at }) => <Instant at={created_at} />,
            },
            {
              title: t('routing.versions.by'),
              narrow: 'left-out',
              cell: ({ created_by }) => {
                const name = nameOf(created_by)
                return name === undefined ? <code title={created_by}>{shortIds(created_by)}</code> : <bdi>{name}</bdi>
              },
            },
            {
              title: t('common.actions'),
              isTitleHidden: true,
              align: 'right',
              narrow: 'below',
              cell: (version) => (
                <span className="row-buttons">
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    aria-expanded={opened === version.id}
                    onClick={() => setOpened(opened === version.id ? null : version.id)}
                  >
                    {t('routing.versions.text')}
                  </Button>
                  {can('configuration') && !version.active && (
                    <Button size="compact-xs" variant="default" onClick={() => setWanted(version)}>
                      {t('routing.versions.activate')}
                    </Button>
                  )}
                </span>
              ),
            },
          ]}
        />
      )}
      {wanted && <Activation version={wanted} onClose={() => setWanted(null)} onChanged={onChanged} />}
      {isEnding && <End onClose={() => setIsEnding(false)} onChanged={onChanged} />}
    </Section>
  )
}

function VersionText({ id }: { id: string }) {
  const { data, error, refresh } = useRead<{ rule_set: RuleSet }>(`/rule-sets/${id}`)
  if (error) return <Problem error={error} retry={refresh} />
  if (data === undefined) return <Loading lines={3} />
  return <Code block>{data.rule_set.text}</Code>
}

function Activation({
  version,
  onClose,
  onChanged,
}: {
  version: ListedRuleSet
  onClose(): void
  onChanged(): unknown
}) {
  const activate = useAct()
  async function run() {
    if (!(await activate.run('POST', `/rule-sets/${version.id}/activate`, {}))) return
    say(t('routing.save.saved', { version: String(version.version) }))
    await onChanged()
    onClose()
  }
  return (
    <Dialog
      title={t('routing.versions.activateOne', { version: String(version.version) })}
      opened
      onClose={onClose}
      action={t('routing.versions.activateOne', { version: String(version.version) })}
      onAction={run}
      busy={activate.busy}
      error={activate.error}
    >
      <Text size="sm">{t('routing.versions.activateAbout')}</Text>
    </Dialog>
  )
}

function End({ onClose, onChanged }: { onClose(): void; onChanged(): unknown }) {
  const end = useAct()
  async function run() {
    if (!(await end.run('DELETE', '/routing-rules'))) return
    say(t('routing.versions.isOff'))
    await onChanged()
    onClose()
  }
  return (
    <Dialog
      title={t('routing.versions.off')}
      opened
      onClose={onClose}
      action={t('routing.versions.turnOff')}
      onAction={run}
      busy={end.busy}
      error={end.error}
      isDangerous
    >
      <Text size="sm">{t('routing.versions.offAbout')}</Text>
    </Dialog>
  )
}

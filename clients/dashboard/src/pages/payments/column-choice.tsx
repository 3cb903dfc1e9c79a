import { Button, Checkbox, Popover, Stack } from '@mantine/core'
import { ColumnsIcon } from '@radix-ui/react-icons'
import { useState } from 'react'
import { t } from '../../words/words.ts'
import { COLUMN_NAMES, type ColumnName, FIRST_COLUMN, USUAL_COLUMNS } from './payment-table.tsx'

/** Where the browser keeps what the person has chosen. */
const KEPT = 'holdfast-payment-columns'

/** The columns of the list, as chosen in this browser. */
export function useColumnChoice(): [shown: readonly ColumnName[], choose: (names: readonly string[]) => void] {
  const [kept, setKept] = useState(() => localStorage.getItem(KEPT))
  const shown = kept === null ? USUAL_COLUMNS : COLUMN_NAMES.filter((name) => kept.split(',').includes(name))
  function choose(names: readonly string[]) {
    const text = [FIRST_COLUMN, ...names].join(',')
    localStorage.setItem(KEPT, text)
    setKept(text)
  }
  return [shown, choose]
}

export function ColumnChoice({
  shown,
  choose,
}: {
  shown: readonly ColumnName[]
  choose(names: readonly string[]): void
}) {
  return (
    <Popover position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<ColumnsIcon />}>
          {t('payments.column.choose')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('payments.column.choose')}>
        <Checkbox.Group value={[...shown]} onChange={choose} aria-label={t('payments.column.choose')}>
          <Stack gap="xs">
            {COLUMN_NAMES.map((name) => (
              <Checkbox key={name} value={name} label={t(`payments.column.${name}`)} disabled={name === FIRST_COLUMN} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Popover.Dropdown>
    </Popover>
  )
}

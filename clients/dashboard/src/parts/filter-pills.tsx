import { Group, Pill } from '@mantine/core'
import { t } from '../words/words.ts'

export interface Chosen {
  name: string
  label: string
}

/** What a list is filtered by, each to be taken away, and all of it at once by the address of the whole list. */
export function FilterPills({
  chosen,
  whole,
  onRemove,
}: {
  chosen: readonly Chosen[]
  whole: string
  onRemove(name: string): void
}) {
  if (chosen.length === 0) return null
  return (
    <Group gap="xs" className="filters-chosen">
      {chosen.map(({ name, label }) => (
        <Pill
          key={name}
          withRemoveButton
          removeButtonProps={{
            'aria-label': t('common.filter.remove', { filter: label }),
            tabIndex: 0,
            'aria-hidden': false,
          }}
          onRemove={() => onRemove(name)}
        >
          {label}
        </Pill>
      ))}
      <a href={whole}>{t('common.filter.clear')}</a>
    </Group>
  )
}

import { Button } from '@mantine/core'
import { t } from '../../words/words.ts'

/** Leads to a rule in the text, by its position there; nothing where the text is not shown. */
export function ShowRule({
  position,
  onShow,
}: {
  position: number
  onShow: ((position: number) => void) | null | undefined
}) {
  if (!onShow) return null
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      aria-label={t('routing.try.show', { position: String(position) })}
      onClick={() => onShow(position)}
    >
      {t('routing.show')}
    </Button>
  )
}

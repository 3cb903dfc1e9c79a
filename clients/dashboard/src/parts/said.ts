import { notifications } from '@mantine/notifications'
import { TONE_COLORS, type Tone } from '../words/status.ts'
import { t } from '../words/words.ts'

/** Tells the person, for a few seconds, what was done, or what came of it. */
export function say(message: string, tone: Tone = 'good'): void {
  notifications.show({
    message,
    color: TONE_COLORS[tone],
    autoClose: 5_000,
    closeButtonProps: { 'aria-label': t('common.close') },
  })
}

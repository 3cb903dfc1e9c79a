import { notifications } from '@mantine/notifications'
import { TONE_COLORS, type Tone } from '../words/status.ts'
import { t } from '../words/words.ts'

/** Takes back what is still told, and what waits to be: it is for the person whose session has ended. */
export function unsay(): void {
  notifications.clean()
}

/** Tells the person, for a few seconds, what was done, or what came of it. */
export function say(message: string, tone: Tone = 'good'): void {
  notifications.show({
    message,
    color: TONE_COLORS[tone],
    autoClose: 5_000,
    closeButtonProps: { 'aria-label': t('common.close') },
  })
}

import { notifications } from '@mantine/notifications'
import { t } from '../words/words.ts'

/** Tells the person, for a few seconds, that something was done. */
export function say(message: string): void {
  notifications.show({
    message,
    color: 'green',
    autoClose: 5_000,
    closeButtonProps: { 'aria-label': t('common.close') },
  })
}

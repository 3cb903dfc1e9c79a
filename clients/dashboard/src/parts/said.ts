import { notifications } from '@mantine/notifications'

/** Tells the person, for a few seconds, that something was done. */
export function say(message: string): void {
  notifications.show({ message, color: 'green', autoClose: 5_000, closeButtonProps: { 'aria-label': 'Close' } })
}

/** A question before something is done, with what it takes to do it. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { type FormEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import type { ApiError } from '../service/api.ts'
import { useProject } from '../service/session.tsx'
import { t } from '../words/words.ts'
import { useFocusReturn } from './focus-return.ts'
import { Problem } from './page.tsx'

export interface DialogProps {
  title: string
  opened: boolean
  onClose(): void
  /** What the button says: what it does, with the amount where money moves. */
  action: string
  onAction(): unknown
  busy: boolean
  error?: ApiError | null
  /** Whether it cannot be undone. */
  isDangerous?: boolean
  isDisabled?: boolean
  movesMoney?: boolean
  size?: string
  children?: ReactNode
}

export function Dialog({
  title,
  opened,
  onClose,
  action,
  onAction,
  busy,
  error,
  isDangerous = false,
  isDisabled = false,
  movesMoney = false,
  size = 'md',
  children,
}: DialogProps) {
  const { project } = useProject()
  useFocusReturn()
  const isGone = useRef(false)
  useLayoutEffect(
    () => () => {
      isGone.current = true
    },
    [],
  )
  // The library hears Escape for a moment longer than the dialog is there, and what has come in its place, such as a secret,
  // must not be closed by that.
  const close = () => {
    if (!busy && !isGone.current) onClose()
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    // A dialog stands, for events, inside the page that has opened it, which may be a form as well.
    event.stopPropagation()
    void onAction()
  }
  return (
    <Modal opened={opened} onClose={close} title={title} size={size}>
      <form onSubmit={submit}>
        <Stack>
          {children}
          {movesMoney && (
            <Text size="sm" className="money-note">
              {t(`common.dialog.${project.environment}`)}
            </Text>
          )}
          {error && <Problem error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={busy}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={busy} disabled={isDisabled} color={isDangerous ? 'red' : 'indigo'}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

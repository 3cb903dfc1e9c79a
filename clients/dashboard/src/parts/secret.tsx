import { Alert, Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../words/words.ts'
import { useFocusReturn } from './focus-return.ts'
import { Copy } from './values.tsx'

export interface SecretProps {
  title: string
  secret: string
  label: string
  onClose(): void
  /** What to do with it. */
  advice?: string
  children?: ReactNode
}

/** Shows what is told this once. It closes by its button only, not by a click beside it. */
export function Secret({ title, secret, label, onClose, advice = t('common.secret.advice'), children }: SecretProps) {
  useFocusReturn()
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Alert color="yellow" title={t('common.secret.title')}>
          {t('common.secret.once', { advice })}
        </Alert>
        <TextInput
          label={label}
          value={secret}
          readOnly
          className="secret"
          onFocus={(event) => event.currentTarget.select()}
          rightSection={<Copy text={secret} label={t('common.copy', { what: label })} />}
        />
        {children}
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('common.secret.done')}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}

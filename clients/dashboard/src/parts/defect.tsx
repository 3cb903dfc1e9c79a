import { Button, Code, Stack, Text, Title } from '@mantine/core'
import { Component, type ReactNode } from 'react'
import { t } from '../words/words.ts'

interface State {
  failure: unknown
}

/** In place of pages that have failed by a defect of ours. */
export class Defect extends Component<{ children: ReactNode }, State> {
  override state: State = { failure: null }

  static getDerivedStateFromError(failure: unknown): State {
    return { failure }
  }

  override render() {
    const { failure } = this.state
    if (failure === null) return this.props.children
    return (
      <Stack className="defect" role="alert" align="flex-start">
        <Title order={1}>{t('common.defect.title')}</Title>
        <Text>{t('common.defect.about')}</Text>
        <Code block>{String(failure)}</Code>
        <Button onClick={() => location.reload()}>{t('common.defect.again')}</Button>
      </Stack>
    )
  }
}

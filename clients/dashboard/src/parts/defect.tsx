import { Button, Code, Stack, Text, Title } from '@mantine/core'
import { Component, type ReactNode } from 'react'

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
        <Title order={1}>This page has failed</Title>
        <Text>
          It is a defect of the dashboard; payments are not touched by it. Load the page again. If it comes back, tell
          your operator these words:
        </Text>
        <Code block>{String(failure)}</Code>
        <Button onClick={() => location.reload()}>Load again</Button>
      </Stack>
    )
  }
}

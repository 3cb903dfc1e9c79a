import { Paper, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { Logo } from '../parts/logo.tsx'

/** The frame of the pages before the pages. */
export function EntranceCard({ title, about, children }: { title: string; about?: ReactNode; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Holdfast`
  }, [title])
  return (
    <main className="entrance">
      <div className="entrance-logo">
        <Logo /> Holdfast
      </div>
      <Paper withBorder className="entrance-card" component="section">
        <Title order={1}>{title}</Title>
        {about && (
          <Text c="dimmed" size="sm">
            {about}
          </Text>
        )}
        {children}
      </Paper>
    </main>
  )
}

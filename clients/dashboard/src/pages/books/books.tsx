import { Button } from '@mantine/core'
import { DownloadIcon } from '@radix-ui/react-icons'
import { useState } from 'react'
import { Page } from '../../parts/page.tsx'
import { useProject } from '../../service/session.tsx'
import { t } from '../../words/words.ts'
import { Differences } from './differences.tsx'
import { ExportDialog } from './export-dialog.tsx'
import { Reconciliations } from './reconciliations.tsx'

/** Whether our books and those of the gateways say the same, and the books as files. */
export function Books({ query }: { query: URLSearchParams }) {
  const { can } = useProject()
  const [isExporting, setIsExporting] = useState(false)
  return (
    <Page
      title={t('books.title')}
      about={t('books.about')}
      actions={
        <Button variant="default" leftSection={<DownloadIcon />} onClick={() => setIsExporting(true)}>
          {t('payments.file.export')}
        </Button>
      }
      mayChange={can('configuration')}
    >
      <Differences query={query} />
      <Reconciliations />
      {isExporting && <ExportDialog onClose={() => setIsExporting(false)} />}
    </Page>
  )
}

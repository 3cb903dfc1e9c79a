import { Button } from '@mantine/core'
import { DownloadIcon } from '@radix-ui/react-icons'
import { useState } from 'react'
import { Page } from '../../parts/page.tsx'
import { t } from '../../words/words.ts'
import { Differences } from './differences.tsx'
import { ExportDialog } from './export-dialog.tsx'
import { Reconciliations } from './reconciliations.tsx'

/** Whether our books and those of the gateways say the same, and the books as files. */
export function Books({ query }: { query: URLSearchParams }) {
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
    >
      <Differences query={query} />
      <Reconciliations />
      {isExporting && <ExportDialog onClose={() => setIsExporting(false)} />}
    </Page>
  )
}

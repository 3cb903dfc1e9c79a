import { Button } from '@mantine/core'
import { DownloadIcon } from '@radix-ui/react-icons'
import { useState } from 'react'
import { Page } from '../../parts/page.tsx'
import { Differences } from './differences.tsx'
import { ExportDialog } from './export-dialog.tsx'
import { Reconciliations } from './reconciliations.tsx'

/** Whether our books and those of the gateways say the same, and the books as files. */
export function Books({ query }: { query: URLSearchParams }) {
  const [isExporting, setIsExporting] = useState(false)
  return (
    <Page
      title="Books"
      about="Your captures and refunds, compared with what your gateways say that they have booked."
      actions={
        <Button variant="default" leftSection={<DownloadIcon />} onClick={() => setIsExporting(true)}>
          Export as CSV
        </Button>
      }
    >
      <Differences query={query} />
      <Reconciliations />
      {isExporting && <ExportDialog onClose={() => setIsExporting(false)} />}
    </Page>
  )
}

import { Button, Progress, Text } from '@mantine/core'
import type { Download } from '../service/download.ts'
import { t } from '../words/words.ts'
import { Problem } from './page.tsx'

/** How far a file has come: so many records, of a total where that is known. */
export function DownloadLine({
  download,
  total,
  words,
}: {
  download: Download
  total?: number | null
  /** Of so many records. */
  words(records: number): string
}) {
  const { records, error, cancel } = download
  if (error) return <Problem error={error} />
  if (records === null) return null
  return (
    <div className="download">
      {total ? <Progress value={(100 * records) / total} aria-label={t('payments.file.progress')} /> : null}
      <Text size="sm" role="status">
        {words(records)}
      </Text>
      <Button variant="default" size="xs" onClick={cancel}>
        {t('common.cancel')}
      </Button>
    </div>
  )
}

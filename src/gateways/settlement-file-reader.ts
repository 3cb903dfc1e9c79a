import { readSettlementDetails } from './adyen/settlement-details.ts'
import { cleanTexts } from './clean-texts.ts'
import type { SettlementFileReading } from './gateway.ts'

type Read = (content: string, settings: Readonly<Record<string, string>>) => Promise<SettlementFileReading>

/** Reads the reports that merchants hand in, for each gateway that has no list to be asked for. */
const READERS: ReadonlyMap<string, Read> = new Map([['adyen', readSettlementDetails]])

/** The lines of a report; null for a gateway of which none is taken. */
export async function readSettlementFile(
  gatewayName: string,
  ...file: Parameters<Read>
): Promise<SettlementFileReading | null> {
  const reading = await READERS.get(gatewayName)?.(...file)
  return reading === undefined ? null : cleanTexts(reading)
}

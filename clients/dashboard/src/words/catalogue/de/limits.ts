import type { English } from '../en/index.ts'
import type { Translated } from '../translated.ts'

export const limits: Translated<English['limits']> = {
  title: 'Anfragelimits',
  about: 'Eine Anfrage über einem Limit wird mit 429 beantwortet; die Antwort sagt, wann sie wiederholt werden kann.',
  howFarBack: 'Zeitraum',
  span: {
    hour: 'Eine Stunde',
    sixHours: '6 Stunden',
    day: 'Ein Tag',
  },
  kind: {
    primary: {
      title: 'Anfragen Ihrer Server',
      about: 'Alle Anfragen mit geheimem Schlüssel, außer Ereignissen.',
    },
    secondary: {
      title: 'Lesen von Ereignissen',
      about: 'Die Liste der Ereignisse und einzelne Ereignisse.',
    },
    sandbox: {
      title: 'Sandbox',
      about: 'Alle Anfragen mit Ihren Schlüsseln in der Sandbox.',
    },
    client_address: {
      title: 'Browser und Apps, je Adresse',
      about: 'Von Kunden, ohne geheimen Schlüssel.',
    },
    client_invoice: {
      title: 'Browser und Apps, je Rechnung',
      about: 'Von Kunden, ohne geheimen Schlüssel.',
    },
  },
  perMinute:
    '{limit, plural, one {# Anfrage} other {# Anfragen}} pro Minute{refused, plural, =0 {} other {, # abgewiesen}}',
  chart:
    '{title}: Anfragen, Abweisungen und was übrig war, in {minutes, plural, one {der letzten Minute} other {den letzten # Minuten}}',
  admitted: 'Angenommen',
  refused: 'Abgewiesen',
  unused: 'Keine Anfrage in dieser Zeit.',
  least: 'Kleinster Rest',
  gauge: '{title}: was jetzt übrig ist',
  left: 'jetzt noch <strong>{count, number}</strong>',
}

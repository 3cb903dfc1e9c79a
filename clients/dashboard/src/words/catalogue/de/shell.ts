import type { English } from '../en/index.ts'
import type { Translated } from '../translated.ts'

export const shell: Translated<English['shell']> = {
  skip: 'Zum Inhalt springen',
  menu: 'Menü',
  pages: 'Seiten',
  home: 'Holdfast, Übersicht',
  environment: 'Umgebung',
  project: 'Projekt',
  live: 'Live',
  sandbox: 'Sandbox',
  liveMeans: 'Echte Karten, echtes Geld.',
  sandboxMeans: 'Nur <cards>Testkarten</cards>. Es wird kein Geld bewegt.',
  suspended: 'Dieses Projekt ist gesperrt: Es werden keine Zahlungen angenommen.',
  groups: {
    developers: 'Entwicklung',
    setup: 'Einrichtung',
  },
  entries: {
    overview: 'Übersicht',
    payments: 'Zahlungen',
    disputes: 'Reklamationen',
    customers: 'Kunden',
    webhooks: 'Webhooks',
    apiKeys: 'API-Schlüssel',
    requests: 'Anfragenprotokoll',
    limits: 'Anfragelimits',
    routing: 'Routing-Regeln',
    gateways: 'Gateways',
    books: 'Bücher',
    people: 'Personen',
  },
  person: {
    menu: '{name}: Konto und Darstellung',
    account: 'Ihr Konto',
    system: 'Farben des Systems',
    light: 'Hell',
    dark: 'Dunkel',
  },
  language: 'Sprache',
}

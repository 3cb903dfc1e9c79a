import type { English } from '../en/index.ts'
import type { Translated } from '../translated.ts'

export const books: Translated<English['books']> = {
  title: 'Bücher',
  about: 'Ihre Einzüge und Erstattungen, verglichen mit dem, was Ihre Gateways als gebucht melden.',
  account: 'Konto',
  open: 'Offen',
  resolved: 'Erledigt',
  difference: {
    title: 'Abweichungen',
    one: 'Abweichung',
    which: 'Welche Abweichungen',
    nothing: 'Nichts zu verfolgen',
    none: 'Keine Abweichungen',
    about:
      'Jeden Tag wird, was ein Gateway gebucht hat, mit Ihren Einzügen und Erstattungen verglichen. Was nicht übereinstimmt, steht hier, bis es erledigt ist.',
    notCompared: 'Noch wurde nichts verglichen',
    comparison:
      'Eine Stunde nach Mitternacht in UTC wird jedes Gateway, das seine Buchungen auflistet, nach dem Vortag gefragt. Eines, das stattdessen Berichte hat, etwa Adyen, wird verglichen, sobald Ihr Server einen Bericht eingereicht hat.',
    found: 'Gefunden',
    resolvedBy: '<at></at> durch <by></by>',
    agreed: 'Beide Seiten stimmen inzwischen überein.',
    missingAtGateway:
      '{type, select, refund {Unsere Bücher haben eine Erstattung von {our}, das Gateway hat keine.} other {Unsere Bücher haben einen Einzug von {our}, das Gateway hat keinen.}}',
    missingInBooks:
      '{type, select, refund {Das Gateway hat eine Erstattung von {their} gebucht, unsere Bücher haben keine.} other {Das Gateway hat einen Einzug von {their} gebucht, unsere Bücher haben keinen.}}',
    amount:
      '{type, select, refund {Das Gateway hat eine Erstattung von {their} gebucht, unsere Bücher haben {our}.} other {Das Gateway hat einen Einzug von {their} gebucht, unsere Bücher haben {our}.}}',
    twice:
      '{type, select, refund {Das Gateway hat eine Erstattung von {their} mehrfach gebucht, unsere Bücher haben sie einmal.} other {Das Gateway hat einen Einzug von {their} mehrfach gebucht, unsere Bücher haben ihn einmal.}}',
    state:
      '{type, select, refund {Das Gateway hat eine Erstattung von {their} gebucht} other {Das Gateway hat einen Einzug von {their} gebucht}}{undone, select, yes { und zurückgenommen} other {}}; in unseren Büchern {state, select, succeeded {gilt sie als erfolgt} failed {gilt sie als fehlgeschlagen} other {ist das Ergebnis noch offen}}.',
  },
  resolve: {
    action: 'Erledigen',
    title: 'Die Abweichung erledigen',
    forGood: 'Endgültig erledigen',
    done: 'Die Abweichung wurde erledigt.',
    about:
      'Erledigen Sie sie, wenn nichts mehr zu tun ist: Kein Geld wird bewegt, keine Zahlung geändert, und sie wird nicht wieder gefunden.',
    reason: 'Grund',
    reasonAbout: 'Warum nichts mehr zu tun ist. Der Grund wird mit Ihrem Namen bei der Abweichung aufbewahrt.',
  },
  reconciliation: {
    title: 'Abgleiche',
    about: 'Einer für jedes Konto und jeden Tag in UTC, und für jeden Bericht.',
    none: 'Noch keine Abgleiche',
    day: 'Tag',
    report: 'Ein Bericht',
    lines: 'Zeilen',
    nextTry: 'Nächster Versuch <at></at>',
    compared: 'Verglichen',
    waiting: 'Wartet',
    failing: 'Schlägt fehl',
  },
  export: {
    transactions: 'Zahlungen, wie sie jetzt stehen',
    operations: 'Vorgänge: was aus jedem Schritt wurde',
    refunds: 'Erstattungen, wie sie jetzt stehen',
    download: 'Herunterladen',
    what: 'Was',
    from: 'Von',
    to: 'Bis',
    days: 'Tage sind die von UTC, der letzte ist eingeschlossen.',
    written: '{count, plural, one {# Zeile} other {# Zeilen}} geschrieben',
  },
}

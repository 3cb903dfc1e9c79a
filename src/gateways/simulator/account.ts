import { ALL_CAPABILITIES } from '../../../domain/capabilities.ts'
import { type InstalledGateway, YES_OR_NO } from '../account.ts'
import { notificationKeyIn } from './notifications.ts'
import { simulatorSettingsProblems } from './settings.ts'

/** The simulator as a gateway for configurations: it needs no settings and moves no real money. */
export const SIMULATOR: InstalledGateway = {
  name: 'simulator',
  displayName: 'Simulator',
  capabilities: ALL_CAPABILITIES,
  credentials: {
    notification_key: {
      label: { en: 'Notification key', de: 'Schlüssel für Meldungen', fr: 'Clé des notifications' },
      says: {
        en: 'To sign notifications yourself in a test. The simulator’s own need none.',
        de: 'Um Meldungen in einem Test selbst zu signieren. Die des Simulators brauchen keinen.',
        fr: 'Pour signer vous-même des notifications dans un test. Celles du simulateur n’en ont pas besoin.',
      },
      isRare: true,
    },
  },
  settings: {
    delay_ms: {
      label: { en: 'Delay in ms', de: 'Verzögerung in ms', fr: 'Délai en ms' },
      says: {
        en: 'Every answer takes this long.',
        de: 'So lange dauert jede Antwort.',
        fr: 'Durée de chaque réponse.',
      },
      example: '0',
    },
    delay_p50_ms: {
      label: { en: 'Usual delay in ms', de: 'Übliche Verzögerung in ms', fr: 'Délai habituel en ms' },
      says: {
        en: 'Half of the answers take longer, as at a real gateway. Needs the next field.',
        de: 'Die Hälfte der Antworten dauert länger, wie bei einem echten Gateway. Braucht auch das nächste Feld.',
        fr: 'La moitié des réponses dure plus longtemps, comme chez une vraie passerelle. Exige le champ suivant.',
      },
    },
    delay_p99_ms: {
      label: { en: 'Rare delay in ms', de: 'Seltene Verzögerung in ms', fr: 'Délai rare en ms' },
      says: {
        en: 'One answer in a hundred takes longer.',
        de: 'Eine von hundert Antworten dauert länger.',
        fr: 'Une réponse sur cent dure plus longtemps.',
      },
    },
    hang_ms: {
      label: { en: 'Hanging in ms', de: 'Hängen in ms', fr: 'Blocage en ms' },
      says: {
        en: 'Every call waits this long before the simulator takes it up.',
        de: 'So lange wartet jeder Aufruf, bevor der Simulator ihn annimmt.',
        fr: 'Temps d’attente de chaque appel avant sa prise en charge.',
      },
      example: '0',
    },
    fault_rate: {
      label: { en: 'Share of faults', de: 'Anteil der Fehler', fr: 'Part des pannes' },
      says: {
        en: 'The share of calls that go wrong, from 0 to 1.',
        de: 'Der Anteil der Aufrufe, die schiefgehen, von 0 bis 1.',
        fr: 'La part des appels qui échouent, de 0 à 1.',
      },
      example: '0.05',
    },
    faults: {
      label: { en: 'Faults', de: 'Fehler', fr: 'Pannes' },
      says: {
        en: 'What goes wrong with them: some of lost, garbled, failed, refused; all where it is empty.',
        de: 'Was dann schiefgeht: einige von lost, garbled, failed, refused; alle, wenn nichts dasteht.',
        fr: 'Ce qui échoue : certains de lost, garbled, failed, refused ; tous si le champ est vide.',
      },
      example: 'lost,failed',
    },
    settled_notifications: {
      label: { en: 'Report pending steps', de: 'Offene Schritte melden', fr: 'Annoncer les étapes en attente' },
      says: {
        en: 'The end of a pending step is reported by a notification, and not only found by looking it up.',
        de: 'Das Ende eines offenen Schritts wird gemeldet und nicht nur durch Nachfragen gefunden.',
        fr: 'La fin d’une étape en attente est notifiée, et pas seulement trouvée en la cherchant.',
      },
      choices: YES_OR_NO,
    },
    duplicate_notifications: {
      label: { en: 'Report twice', de: 'Doppelt melden', fr: 'Notifier deux fois' },
      says: {
        en: 'Every notification is sent twice at once.',
        de: 'Jede Meldung wird zweimal zugleich gesendet.',
        fr: 'Chaque notification est envoyée deux fois à la fois.',
      },
      choices: YES_OR_NO,
      isRare: true,
    },
    reverse_notifications: {
      label: { en: 'Report in reverse', de: 'Verkehrt herum melden', fr: 'Notifier à l’envers' },
      says: {
        en: 'Notifications of one step are sent the last one first.',
        de: 'Von den Meldungen eines Schritts wird die letzte zuerst gesendet.',
        fr: 'La dernière notification d’une étape est envoyée d’abord.',
      },
      choices: YES_OR_NO,
      isRare: true,
    },
    late_notifications_ms: {
      label: { en: 'Late by ms', de: 'Verspätung in ms', fr: 'Retard en ms' },
      says: {
        en: 'Notifications are sent this much later.',
        de: 'So viel später werden Meldungen gesendet.',
        fr: 'Retard d’envoi des notifications.',
      },
      example: '0',
      isRare: true,
    },
    seed: {
      label: { en: 'Seed', de: 'Startwert', fr: 'Graine' },
      says: {
        en: 'The same references have the same faults and delays each time.',
        de: 'Dieselben Referenzen haben jedes Mal dieselben Fehler und Verzögerungen.',
        fr: 'Les mêmes références ont chaque fois les mêmes pannes et délais.',
      },
      isRare: true,
    },
    account: {
      label: { en: 'Account', de: 'Konto', fr: 'Compte' },
      says: {
        en: 'Another account at the simulator, which sees nothing of the others.',
        de: 'Ein anderes Konto beim Simulator, das von den übrigen nichts sieht.',
        fr: 'Un autre compte chez le simulateur, qui ne voit rien des autres.',
      },
      isRare: true,
    },
  },
  accountSettings: ['account'],
  callKeys: [],
  publicSettings: [],
  // It finds its way by itself.
  notifications: null,
  // What is captured in the last second of a day may be booked on the next one.
  settlement: { source: 'list', graceMs: 24 * 60 * 60 * 1000 },
  problems({ environment, credentials, settings }) {
    const problems = simulatorSettingsProblems(settings)
    if (environment === 'live')
      problems.push({ path: 'gateway', message: 'is the simulator, which serves the sandbox only' })
    if (credentials.notification_key !== undefined && notificationKeyIn(credentials) === null)
      problems.push({
        path: 'credentials.notification_key',
        message: 'is too short: a key of 16 characters and more is needed',
      })
    return problems
  },
}

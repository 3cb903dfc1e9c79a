import type { English } from '../en/index.ts'
import type { Translated } from '../translated.ts'

export const limits: Translated<English['limits']> = {
  title: 'Limites de requêtes',
  about: 'Une requête au-delà d’une limite reçoit une réponse 429, qui indique quand réessayer.',
  howFarBack: 'Période',
  span: {
    hour: 'Une heure',
    sixHours: '6 heures',
    day: 'Un jour',
  },
  kind: {
    primary: {
      title: 'Requêtes de vos serveurs',
      about: 'Toutes les requêtes avec une clé secrète, sauf les événements.',
    },
    secondary: {
      title: 'Lecture des événements',
      about: 'La liste des événements, et chaque événement par son identifiant.',
    },
    sandbox: {
      title: 'Bac à sable',
      about: 'Toutes les requêtes du bac à sable avec vos clés.',
    },
    client_address: {
      title: 'Navigateurs et applications, par adresse',
      about: 'Des clients, sans clé secrète.',
    },
    client_invoice: {
      title: 'Navigateurs et applications, par facture',
      about: 'Des clients, sans clé secrète.',
    },
  },
  perMinute:
    '{limit, plural, one {# requête} other {# requêtes}} par minute{refused, plural, =0 {} one {, # refusée} other {, # refusées}}',
  chart:
    '{title} : requêtes, refus et reste, au cours {minutes, plural, one {de la dernière minute} other {des # dernières minutes}}',
  admitted: 'Acceptées',
  refused: 'Refusées',
  unused: 'Aucune requête pendant cette période.',
  least: 'Reste minimal',
  gauge: '{title} : ce qui reste maintenant',
  left: '<strong>{count, number}</strong> restantes',
}

import type { English } from '../en/index.ts'
import type { Translated } from '../translated.ts'

export const shell: Translated<English['shell']> = {
  skip: 'Aller au contenu',
  menu: 'Menu',
  pages: 'Pages',
  home: 'Holdfast, vue d’ensemble',
  environment: 'Environnement',
  project: 'Projet',
  live: 'Production',
  sandbox: 'Bac à sable',
  liveMeans: 'Cartes réelles, argent réel.',
  sandboxMeans: '<cards>Cartes de test</cards>, aucun argent réel.',
  suspended: 'Ce projet est suspendu : aucun paiement n’est accepté.',
  groups: {
    developers: 'Développeurs',
    setup: 'Configuration',
  },
  entries: {
    overview: 'Vue d’ensemble',
    payments: 'Paiements',
    disputes: 'Litiges',
    customers: 'Clients',
    webhooks: 'Webhooks',
    apiKeys: 'Clés d’API',
    requests: 'Journal des requêtes',
    limits: 'Limites de requêtes',
    routing: 'Règles de routage',
    gateways: 'Passerelles',
    books: 'Comptabilité',
    people: 'Personnes',
  },
  person: {
    menu: '{name} : compte et apparence',
    account: 'Votre compte',
    system: 'Couleurs du système',
    light: 'Clair',
    dark: 'Sombre',
  },
  language: 'Langue',
}

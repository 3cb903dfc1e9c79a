import type { English } from '../en/index.ts'
import type { Translated } from '../translated.ts'

export const status: Translated<English['status']> = {
  payment: {
    waiting: {
      words: 'En attente',
      meaning: 'La passerelle est interrogée, ou le client s’authentifie.',
    },
    pending: {
      words: 'En suspens',
      meaning: 'Le résultat de l’autorisation n’est pas encore connu.',
    },
    authorized: {
      words: 'Autorisé',
      meaning: 'L’argent est réservé, pas encore capturé.',
    },
    'pending-capture': {
      words: 'Capture en suspens',
      meaning: 'La capture n’est pas encore confirmée.',
    },
    completed: {
      words: 'Capturé',
      meaning: 'L’argent a été capturé, en totalité ou en partie.',
    },
    failed: {
      words: 'Échoué',
      meaning: 'Il a été refusé ; une autre carte peut être essayée.',
    },
    voided: {
      words: 'Annulé',
      meaning: 'L’argent réservé a été libéré.',
    },
    'partially-refunded': {
      words: 'Remboursé en partie',
      meaning: 'Une partie a été remboursée.',
    },
    refunded: {
      words: 'Remboursé',
      meaning: 'Le paiement a été entièrement remboursé.',
    },
    'in-review': {
      words: 'En examen',
      meaning: 'Il est en cours d’examen.',
    },
    blocked: {
      words: 'Bloqué',
      meaning: 'Une de vos règles de routage l’a refusé.',
    },
    'retrieval-request': {
      words: 'Justificatifs demandés',
      meaning: 'La banque émettrice demande des justificatifs.',
    },
    'fraud-notification': {
      words: 'Fraude signalée',
      meaning: 'Le titulaire a signalé une fraude à sa banque.',
    },
    'chargeback-initiated': {
      words: 'Rétrofacturation',
      meaning: 'La banque émettrice reprend l’argent.',
    },
    solved: {
      words: 'Rétrofacturation gagnée',
      meaning: 'La rétrofacturation a été gagnée ; l’argent reste.',
    },
    reversed: {
      words: 'Rétrofacturation perdue',
      meaning: 'La rétrofacturation a été perdue ; l’argent est parti.',
    },
  },
  partlyCaptured: {
    words: 'Capturé en partie',
    meaning: 'Une partie du montant autorisé a été capturée.',
  },
  webhook: {
    pending: 'En route',
    retrying: 'Nouvel essai prévu',
    delivered: 'Livré',
    failed: 'Abandonné',
    tries: '{tries, plural, one {# essai échoué} other {# essais échoués}} sur {most, number}',
    triesAgain: '{tries, plural, one {# essai échoué} other {# essais échoués}} sur {most, number} depuis le renvoi',
  },
  failure: {
    http_status: 'La réponse n’était pas un succès',
    redirect: 'La réponse était une redirection, qui n’est pas suivie',
    timeout: 'Pas de réponse en 10 secondes',
    connection_failed: 'Pas de connexion',
    tls_failed: 'Le certificat n’est pas digne de confiance',
    invalid_response: 'La réponse n’était pas du HTTP',
    dns_lookup_failed: 'Le nom n’a pas d’adresse',
    forbidden_target: 'L’adresse n’est pas publique, rien n’a donc été envoyé',
    https_required: 'En production, les webhooks ne vont qu’en https, rien n’a donc été envoyé',
    invalid_url: 'L’adresse est inutilisable, rien n’a donc été envoyé',
    endpoint_disabled: 'Le point de terminaison est désactivé, rien n’a donc été envoyé',
    endpoint_deleted: 'Le point de terminaison a été supprimé, plus rien n’est envoyé',
  },
  disabled: {
    merchant: 'Désactivé ici.',
    gone: 'Désactivé par nous : il a répondu « 410 Gone » trois fois de suite.',
    failing: 'Désactivé par nous : il n’a rien accepté pendant cinq jours.',
  },
  cardType: {
    credit: 'Crédit',
    debit: 'Débit',
    prepaid: 'Prépayée',
  },
  refund: {
    customer_request: 'Demandé par le client',
    duplicate: 'Payé deux fois',
    fraud: 'Fraude',
    other: 'Autre raison',
  },
  role: {
    owner: {
      words: 'Propriétaire',
      meaning: 'Peut tout faire, y compris gérer les personnes et les clés d’API de production.',
    },
    developer: {
      words: 'Développeur',
      meaning:
        'Encaisse et rembourse des paiements, configure webhooks, routage et passerelles, et crée des clés d’API du bac à sable.',
    },
    support: {
      words: 'Assistance',
      meaning: 'Voit tout et ne modifie rien.',
    },
  },
  permission: {
    read: {
      words: 'Lecture',
      meaning: 'Voir paiements, clients, événements et réglages.',
    },
    payments: {
      words: 'Paiements',
      meaning: 'Créer, autoriser, capturer et annuler des paiements.',
    },
    refunds: {
      words: 'Remboursements',
      meaning: 'Rembourser des paiements.',
    },
    configuration: {
      words: 'Configuration',
      meaning: 'Modifier passerelles et règles de routage, et régler les écarts des comptes.',
    },
    webhooks: {
      words: 'Webhooks',
      meaning: 'Modifier les points de terminaison et renvoyer des événements.',
    },
  },
}

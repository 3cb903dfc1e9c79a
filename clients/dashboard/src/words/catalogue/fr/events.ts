import type { English } from '../en/index.ts'
import type { Translated } from '../translated.ts'

export const events: Translated<English['events']> = {
  transaction: {
    requested: 'Un paiement a été demandé ; une transaction existe.',
    pending: 'Le résultat de l’autorisation n’est pas encore connu.',
    authorized: 'La banque émettrice a réservé l’argent.',
    authorization: {
      incremented: 'Le montant autorisé a été augmenté.',
      expiring: 'Une autorisation non capturée expire dans un jour.',
    },
    captured: 'Une capture a été confirmée, totale ou partielle.',
    failed: 'La tentative a échoué ; une autre carte peut être essayée.',
    voided: 'L’autorisation a été libérée, par le marchand ou par expiration.',
    refunded: 'De l’argent a été remboursé, en totalité ou en partie.',
    operation: {
      capture: {
        pending: 'Une capture a été envoyée et n’est pas encore confirmée.',
        failed: 'Une capture a échoué ; l’autorisation demeure.',
      },
      void: {
        pending: 'Une annulation a été envoyée et n’est pas encore confirmée.',
        failed: 'Une annulation a échoué ; l’autorisation demeure.',
      },
      refund: {
        pending: 'Un remboursement a été envoyé et n’est pas encore confirmé.',
        failed: 'Un remboursement a échoué, aussitôt ou après avoir réussi.',
      },
    },
    chargeback: {
      'retrieval-request': 'La banque émettrice demande des justificatifs du paiement.',
      'fraud-notification': 'Le titulaire a signalé une fraude à sa banque.',
      'inquiry-closed': 'La banque émettrice ne demande plus rien ; aucun argent n’a été pris.',
      answered: 'Des justificatifs ont été déposés auprès de la passerelle ; la banque émettrice décide.',
      created: 'La banque émettrice reprend l’argent.',
      won: 'La rétrofacturation a été gagnée ; l’argent reste.',
      lost: 'La rétrofacturation a été perdue ; l’argent est parti.',
    },
  },
  invoice: {
    completed: 'La facture est payée.',
    pending: 'Le paiement de la facture prend du temps.',
    expired: 'La facture n’a pas été payée à temps.',
  },
  customer: {
    created: 'Un client a été créé.',
    updated: 'Un client a été modifié.',
    deleted: 'Un client a été supprimé.',
    token: {
      created: 'Un moyen de paiement a été enregistré pour un client.',
      updated: 'Un moyen de paiement enregistré a été modifié, ou sa vérification s’est terminée.',
      deleted: 'Un moyen de paiement enregistré a été supprimé.',
    },
  },
  card: {
    updated: 'Une carte a été modifiée.',
    expires_soon: 'La carte d’un moyen de paiement enregistré expire ce mois-ci ou le prochain.',
  },
  reconciliation: {
    'differences-found': 'Nos comptes et ceux d’une passerelle ne concordent pas.',
  },
  'webhook-endpoint': {
    test: 'Un test d’un point de terminaison de webhooks.',
    disabled: 'Un point de terminaison a été désactivé, car il n’acceptait rien.',
  },
}

import type { English } from '../en/index.ts'
import type { Translated } from '../translated.ts'

export const books: Translated<English['books']> = {
  title: 'Comptabilité',
  about: 'Vos captures et remboursements, comparés à ce que vos passerelles disent avoir comptabilisé.',
  account: 'Compte',
  open: 'Ouvert',
  resolved: 'Résolu',
  difference: {
    title: 'Écarts',
    one: 'Écart',
    which: 'Quels écarts',
    nothing: 'Rien à suivre',
    none: 'Aucun écart',
    about:
      'Chaque jour, ce qu’une passerelle a comptabilisé est comparé à vos captures et remboursements. Ce qui ne concorde pas reste ici jusqu’à sa résolution.',
    notCompared: 'Rien n’a encore été comparé',
    comparison:
      'Une heure après minuit en UTC, chaque passerelle qui liste ce qu’elle a comptabilisé est interrogée sur la veille. Celle qui fournit plutôt des rapports, comme Adyen, est comparée dès que votre serveur a remis un rapport.',
    found: 'Trouvé',
    resolvedBy: '<at></at> par <by></by>',
    agreed: 'Les deux côtés concordent désormais.',
    missingAtGateway:
      '{type, select, refund {Nos comptes ont un remboursement de {our}, la passerelle n’en a aucun.} other {Nos comptes ont une capture de {our}, la passerelle n’en a aucune.}}',
    missingInBooks:
      '{type, select, refund {La passerelle a comptabilisé un remboursement de {their}, nos comptes n’en ont aucun.} other {La passerelle a comptabilisé une capture de {their}, nos comptes n’en ont aucune.}}',
    amount:
      '{type, select, refund {La passerelle a comptabilisé un remboursement de {their}, nos comptes ont {our}.} other {La passerelle a comptabilisé une capture de {their}, nos comptes ont {our}.}}',
    twice:
      '{type, select, refund {La passerelle a comptabilisé plusieurs fois un remboursement de {their}, nos comptes l’ont une fois.} other {La passerelle a comptabilisé plusieurs fois une capture de {their}, nos comptes l’ont une fois.}}',
    state:
      '{type, select, refund {La passerelle a comptabilisé un remboursement de {their}} other {La passerelle a comptabilisé une capture de {their}}}{undone, select, yes { puis l’a annulé} other {}} ; nos comptes l’ont {state, select, succeeded {comme effectué} failed {comme échoué} other {sans résultat pour l’instant}}.',
  },
  resolve: {
    action: 'Résoudre',
    title: 'Résoudre l’écart',
    forGood: 'Résoudre définitivement',
    done: 'L’écart a été résolu.',
    about:
      'Résolvez-le quand il ne reste rien à faire : aucun argent ne bouge, aucun paiement ne change, et il n’est plus retrouvé.',
    reason: 'Motif',
    reasonAbout: 'Pourquoi il ne reste rien à faire. Le motif est conservé avec l’écart, avec votre nom.',
  },
  reconciliation: {
    title: 'Rapprochements',
    about: 'Un par compte et par jour en UTC, et un par rapport.',
    none: 'Aucun rapprochement pour l’instant',
    day: 'Jour',
    report: 'Un rapport',
    lines: 'Lignes',
    nextTry: 'Prochain essai <at></at>',
    compared: 'Comparé',
    waiting: 'En attente',
    failing: 'En échec',
  },
  export: {
    transactions: 'Paiements, dans leur état actuel',
    operations: 'Opérations : le résultat de chaque étape',
    refunds: 'Remboursements, dans leur état actuel',
    download: 'Télécharger',
    what: 'Quoi',
    from: 'Du',
    to: 'Au',
    days: 'Les jours sont ceux d’UTC, le dernier compris.',
    written: '{count, plural, one {# ligne écrite} other {# lignes écrites}}',
  },
}

import type { English } from '../en/index.ts'
import type { Translated } from '../translated.ts'

export const apiKeys: Translated<English['apiKeys']> = {
  title: 'Clés d’API',
  about: 'Vos serveurs s’authentifient avec le projet <code>{id}</code> et une clé secrète.',
  create: 'Créer une clé',
  createAction: 'Créer la clé',
  secretKeys: 'Clés secrètes',
  noneYet: 'Aucune clé pour l’instant',
  noneYetAbout: 'Une clé ouvre l’interface à l’un de vos serveurs. Elle peut être limitée à ce que fait ce serveur.',
  key: 'Clé',
  idOfKey: 'l’identifiant de la clé',
  endsIn: 'se termine par {ending}',
  revoked: 'Révoquée',
  active: 'Active',
  may: 'Droits',
  lastUsed: 'Dernière utilisation',
  revoke: 'Révoquer',
  isCreated: 'La clé a été créée',
  secretKey: 'Clé secrète',
  nameAbout: 'À quoi elle sert, par exemple le serveur qui l’utilise.',
  itMay: 'Elle peut',
  isRevoked: 'La clé a été révoquée.',
  revokeTitle: 'Révoquer la clé',
  revokeForGood: 'Révoquer définitivement',
  revokeAbout: 'Les serveurs qui utilisent « <bdi>{name}</bdi> » sont refusés dès la prochaine requête.',
  wasUsed: 'Utilisée <at></at>.',
}

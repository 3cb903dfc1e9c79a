import type { English } from '../en/index.ts'
import type { Translated } from '../translated.ts'

export const apiKeys: Translated<English['apiKeys']> = {
  title: 'API-Schlüssel',
  about: 'Ihre Server melden sich mit dem Projekt <code>{id}</code> und einem geheimen Schlüssel an.',
  create: 'Schlüssel erstellen',
  createAction: 'Schlüssel erstellen',
  secretKeys: 'Geheime Schlüssel',
  noneYet: 'Noch keine Schlüssel',
  noneYetAbout:
    'Ein Schlüssel öffnet die Schnittstelle für einen Ihrer Server. Er kann auf das begrenzt werden, was dieser tut.',
  key: 'Schlüssel',
  idOfKey: 'ID des Schlüssels',
  endsIn: 'endet auf {ending}',
  revoked: 'Widerrufen',
  active: 'Aktiv',
  may: 'Darf',
  lastUsed: 'Zuletzt benutzt',
  revoke: 'Widerrufen',
  isCreated: 'Der Schlüssel wurde erstellt',
  secretKey: 'Geheimer Schlüssel',
  nameAbout: 'Wofür er ist, etwa der Server, der ihn benutzt.',
  itMay: 'Er darf',
  isRevoked: 'Der Schlüssel wurde widerrufen.',
  revokeTitle: 'Schlüssel widerrufen',
  revokeForGood: 'Endgültig widerrufen',
  revokeAbout: 'Server, die „<bdi>{name}</bdi>“ benutzen, werden ab der nächsten Anfrage abgewiesen.',
  wasUsed: 'Benutzt <at></at>.',
}

/** The languages of the page. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'ar'] as const
type Language = (typeof LANGUAGES)[number]

export interface PageLocale {
  language: Language
  /** The language with the customer's region, for amounts: `de-AT`. */
  tag: string
  direction: 'ltr' | 'rtl'
}

/** @param wishes the languages that the browser accepts, the best first. The first of ours counts, then English. */
export function pageLocaleOf(wishes: readonly string[]): PageLocale {
  for (const wish of wishes) {
    const locale = readLocale(wish)
    if (locale !== null) return locale
  }
  return { language: 'en', tag: 'en', direction: 'ltr' }
}

/** The language, a script, and the region, by two letters or three digits; more may follow. */
const TAG = /^([a-z]{2,3})(?:-[a-z]{4})?(?:-([a-z]{2}|\d{3}))?(?:-|$)/i

function readLocale(wish: string): PageLocale | null {
  const [, wanted = '', region] = TAG.exec(wish) ?? []
  const language = LANGUAGES.find((one) => one === wanted.toLowerCase())
  if (language === undefined) return null
  const tag = region === undefined ? language : `${language}-${region.toUpperCase()}`
  return { language, tag, direction: language === 'ar' ? 'rtl' : 'ltr' }
}

/** The title and the sentence of a part of the page. */
export type Part = readonly [title: string, text: string]

export interface PageTexts {
  /** `{amount}` is the amount with its currency. */
  pay: string
  /** On an invoice of nothing, which only verifies the card. */
  verify: string
  formTitle: string
  /** What the button says to screen readers while the payment is made. */
  paying: string
  /** Where the bank takes longer than customers expect. */
  slow: string
  lines: string
  /** `{count}` is the number of the lines that are not shown. */
  moreLines: string
  testMode: string
  testCards: string
  noScript: string
  lastTryFailed: string
  back: string
  cancel: string
  leaving: string
  stay: string
  retry: string
  busy: Part
  paid: Part
  processing: Part
  lost: Part
  closed: Part
  alreadyPaid: Part
  /** After the verification of a card, for which nothing was paid. */
  verified: Part
  expired: Part
  voided: Part
  refunded: Part
  inApp: Part
  notFound: Part
  /** On the way to the page of the bank, and back from it. */
  toBank: Part
  fromBank: Part
  /** Of a step at the bank that was answered, has expired, or never was. */
  stepOver: Part
  goOn: string
}

const TEXTS: Readonly<Record<Language, PageTexts>> = {
  en: {
    pay: 'Pay {amount}',
    verify: 'Verify the card',
    formTitle: 'Pay by card',
    paying: 'Your payment is being made.',
    slow: 'Your bank has not answered yet. Please leave this page open, and do not pay again.',
    lines: 'What you pay for',
    moreLines: 'and {count} more',
    testMode: 'This is a test. No money is moved.',
    testCards: 'Test cards',
    noScript: 'Please allow JavaScript for this page, and load it again.',
    lastTryFailed: 'The last try was not successful. Nothing was taken; you can try again with another card.',
    back: 'Back to the shop',
    cancel: 'Cancel and go back to the shop',
    leaving: 'You will be taken back to the shop in 5 seconds.',
    stay: 'Stay on this page',
    retry: 'Try again',
    busy: ['One moment, please', 'Your payment is being made. Please leave this page open.'],
    paid: ['Thank you', 'Your payment was successful.'],
    processing: [
      'Your payment is being processed',
      'You have nothing more to do, and please do not pay again. This page shows the result as soon as it is known; you may also close it, and the shop will tell you.',
    ],
    lost: ['The connection was lost', 'Please check your connection to the internet. Nothing was paid.'],
    closed: ['This payment is closed', 'Nothing more can be paid here. The shop knows how the payment stands.'],
    alreadyPaid: ['This has been paid', 'You do not have to pay again.'],
    verified: ['Thank you', 'Your card was verified. Nothing was paid.'],
    expired: ['This payment has expired', 'Nothing was paid. Please go back to the shop, and start again there.'],
    voided: [
      'This payment was canceled',
      'Nothing has to be paid any more. Please ask the shop if you did not expect this.',
    ],
    refunded: ['This payment was refunded', 'Nothing has to be paid any more.'],
    inApp: ['Please pay in the app', 'This payment was begun in the app of the shop, and is made there.'],
    notFound: [
      'This page cannot be opened',
      'The address is not complete, or is no longer valid. Please go back to the shop, and open the payment again from there.',
    ],
    toBank: ['To your bank', 'Your bank asks whether it is you who pays.'],
    fromBank: ['Back from your bank', 'Your payment goes on by itself in a moment.'],
    stepOver: ['This step is over', 'Go back to the shop to see how the payment stands.'],
    goOn: 'Continue',
  },
  de: {
    pay: '{amount} bezahlen',
    verify: 'Karte bestätigen',
    formTitle: 'Mit Karte bezahlen',
    paying: 'Ihre Zahlung wird ausgeführt.',
    slow: 'Ihre Bank hat noch nicht geantwortet. Bitte lassen Sie diese Seite geöffnet und zahlen Sie nicht noch einmal.',
    lines: 'Das bezahlen Sie',
    moreLines: 'und {count} weitere',
    testMode: 'Dies ist ein Test. Es wird kein Geld bewegt.',
    testCards: 'Testkarten',
    noScript: 'Bitte erlauben Sie dieser Seite JavaScript und laden Sie sie neu.',
    lastTryFailed:
      'Der letzte Versuch war nicht erfolgreich. Es wurde nichts abgebucht; Sie können es mit einer anderen Karte versuchen.',
    back: 'Zurück zum Shop',
    cancel: 'Abbrechen und zurück zum Shop',
    leaving: 'In 5 Sekunden kommen Sie zurück zum Shop.',
    stay: 'Auf dieser Seite bleiben',
    retry: 'Noch einmal versuchen',
    busy: ['Einen Moment bitte', 'Ihre Zahlung wird ausgeführt. Bitte lassen Sie diese Seite geöffnet.'],
    paid: ['Vielen Dank', 'Ihre Zahlung war erfolgreich.'],
    processing: [
      'Ihre Zahlung wird bearbeitet',
      'Sie müssen nichts weiter tun; bitte zahlen Sie nicht noch einmal. Diese Seite zeigt das Ergebnis, sobald es feststeht. Sie können sie auch schließen, der Shop benachrichtigt Sie.',
    ],
    lost: ['Die Verbindung ist abgebrochen', 'Bitte prüfen Sie Ihre Internetverbindung. Es wurde nichts bezahlt.'],
    closed: [
      'Diese Zahlung ist abgeschlossen',
      'Hier kann nichts mehr bezahlt werden. Der Shop kennt den Stand der Zahlung.',
    ],
    alreadyPaid: ['Das ist schon bezahlt', 'Sie müssen nicht noch einmal bezahlen.'],
    verified: ['Vielen Dank', 'Ihre Karte wurde bestätigt. Es wurde nichts bezahlt.'],
    expired: [
      'Diese Zahlung ist abgelaufen',
      'Es wurde nichts bezahlt. Bitte gehen Sie zurück zum Shop und beginnen Sie dort von vorn.',
    ],
    voided: [
      'Diese Zahlung wurde storniert',
      'Es ist nichts mehr zu bezahlen. Wenn Sie damit nicht gerechnet haben, fragen Sie bitte den Shop.',
    ],
    refunded: ['Diese Zahlung wurde erstattet', 'Es ist nichts mehr zu bezahlen.'],
    inApp: [
      'Bitte bezahlen Sie in der App',
      'Diese Zahlung wurde in der App des Shops begonnen und wird dort ausgeführt.',
    ],
    notFound: [
      'Diese Seite kann nicht geöffnet werden',
      'Die Adresse ist unvollständig oder nicht mehr gültig. Bitte gehen Sie zurück zum Shop und öffnen Sie die Zahlung von dort.',
    ],
    toBank: ['Zu Ihrer Bank', 'Ihre Bank fragt, ob Sie es sind, der zahlt.'],
    fromBank: ['Zurück von Ihrer Bank', 'Ihre Zahlung geht gleich von selbst weiter.'],
    stepOver: ['Dieser Schritt ist beendet', 'Wie die Zahlung steht, sehen Sie im Shop.'],
    goOn: 'Weiter',
  },
  fr: {
    pay: 'Payer {amount}',
    verify: 'Vérifier la carte',
    formTitle: 'Payer par carte',
    paying: 'Votre paiement est en cours.',
    slow: 'Votre banque n’a pas encore répondu. Laissez cette page ouverte et ne payez pas à nouveau.',
    lines: 'Ce que vous payez',
    moreLines: 'et {count} de plus',
    testMode: 'Ceci est un test. Aucun argent n’est débité.',
    testCards: 'Cartes de test',
    noScript: 'Veuillez autoriser JavaScript pour cette page, puis la recharger.',
    lastTryFailed:
      'La dernière tentative n’a pas abouti. Rien n’a été débité ; vous pouvez réessayer avec une autre carte.',
    back: 'Retour à la boutique',
    cancel: 'Annuler et retourner à la boutique',
    leaving: 'Vous allez retourner à la boutique dans 5 secondes.',
    stay: 'Rester sur cette page',
    retry: 'Réessayer',
    busy: ['Un instant, s’il vous plaît', 'Votre paiement est en cours. Veuillez laisser cette page ouverte.'],
    paid: ['Merci', 'Votre paiement a réussi.'],
    processing: [
      'Votre paiement est en cours de traitement',
      'Vous n’avez plus rien à faire ; ne payez pas à nouveau. Cette page affichera le résultat dès qu’il sera connu. Vous pouvez aussi la fermer, la boutique vous informera.',
    ],
    lost: ['La connexion a été perdue', 'Veuillez vérifier votre connexion à Internet. Rien n’a été payé.'],
    closed: ['Ce paiement est clos', 'Rien ne peut plus être payé ici. La boutique connaît l’état du paiement.'],
    alreadyPaid: ['C’est déjà payé', 'Vous n’avez pas à payer à nouveau.'],
    verified: ['Merci', 'Votre carte a été vérifiée. Rien n’a été payé.'],
    expired: ['Ce paiement a expiré', 'Rien n’a été payé. Veuillez retourner à la boutique et recommencer.'],
    voided: [
      'Ce paiement a été annulé',
      'Il n’y a plus rien à payer. Si vous ne vous y attendiez pas, contactez la boutique.',
    ],
    refunded: ['Ce paiement a été remboursé', 'Il n’y a plus rien à payer.'],
    inApp: ['Veuillez payer dans l’application', 'Ce paiement a été commencé dans l’application de la boutique.'],
    notFound: [
      'Cette page ne peut pas être ouverte',
      'L’adresse est incomplète ou n’est plus valable. Veuillez retourner à la boutique et ouvrir le paiement à partir de là.',
    ],
    toBank: ['Vers votre banque', 'Votre banque demande si c’est bien vous qui payez.'],
    fromBank: ['De retour de votre banque', 'Votre paiement se poursuit automatiquement dans un instant.'],
    stepOver: ['Cette étape est terminée', 'Retournez à la boutique pour voir où en est le paiement.'],
    goOn: 'Continuer',
  },
  es: {
    pay: 'Pagar {amount}',
    verify: 'Verificar la tarjeta',
    formTitle: 'Pagar con tarjeta',
    paying: 'Se está realizando el pago.',
    slow: 'Su banco todavía no ha respondido. Deje esta página abierta y no pague otra vez.',
    lines: 'Lo que paga',
    moreLines: 'y {count} más',
    testMode: 'Esto es una prueba. No se mueve dinero.',
    testCards: 'Tarjetas de prueba',
    noScript: 'Permita JavaScript en esta página y vuelva a cargarla.',
    lastTryFailed: 'El último intento no tuvo éxito. No se ha cobrado nada; puede intentarlo con otra tarjeta.',
    back: 'Volver a la tienda',
    cancel: 'Cancelar y volver a la tienda',
    leaving: 'Volverá a la tienda en 5 segundos.',
    stay: 'Quedarse en esta página',
    retry: 'Intentarlo de nuevo',
    busy: ['Un momento, por favor', 'Se está realizando el pago. Deje abierta esta página.'],
    paid: ['Gracias', 'El pago se ha realizado correctamente.'],
    processing: [
      'El pago se está procesando',
      'No tiene que hacer nada más; no pague otra vez. Esta página mostrará el resultado en cuanto se conozca. También puede cerrarla, y la tienda le informará.',
    ],
    lost: ['Se ha perdido la conexión', 'Compruebe su conexión a internet. No se ha pagado nada.'],
    closed: ['Este pago está cerrado', 'Aquí no se puede pagar nada más. La tienda conoce el estado del pago.'],
    alreadyPaid: ['Ya está pagado', 'No tiene que pagar otra vez.'],
    verified: ['Gracias', 'La tarjeta se ha verificado. No se ha pagado nada.'],
    expired: ['Este pago ha caducado', 'No se ha pagado nada. Vuelva a la tienda y empiece de nuevo.'],
    voided: ['Este pago se ha anulado', 'Ya no hay nada que pagar. Si no lo esperaba, pregunte a la tienda.'],
    refunded: ['Este pago se ha reembolsado', 'Ya no hay nada que pagar.'],
    inApp: ['Pague en la aplicación', 'Este pago se inició en la aplicación de la tienda y se realiza allí.'],
    notFound: [
      'No se puede abrir esta página',
      'La dirección no está completa o ya no es válida. Vuelva a la tienda y abra el pago desde allí.',
    ],
    toBank: ['A su banco', 'Su banco pregunta si es usted quien paga.'],
    fromBank: ['De vuelta de su banco', 'El pago continúa por sí solo en un momento.'],
    stepOver: ['Este paso ha terminado', 'Vuelva a la tienda para ver el estado del pago.'],
    goOn: 'Continuar',
  },
  ar: {
    pay: 'ادفع {amount}',
    verify: 'تحقّق من البطاقة',
    formTitle: 'الدفع بالبطاقة',
    paying: 'تتم عملية الدفع الآن.',
    slow: 'لم يُجب البنك بعد. يُرجى ترك هذه الصفحة مفتوحة وعدم الدفع مرة أخرى.',
    lines: 'ما تدفع ثمنه',
    moreLines: 'و{count} أخرى',
    testMode: 'هذا اختبار، ولا يُحوَّل أي مبلغ.',
    testCards: 'بطاقات الاختبار',
    noScript: 'يُرجى السماح بجافا سكريبت لهذه الصفحة ثم إعادة تحميلها.',
    lastTryFailed: 'لم تنجح المحاولة الأخيرة ولم يُخصم أي مبلغ. يمكنك المحاولة ببطاقة أخرى.',
    back: 'العودة إلى المتجر',
    cancel: 'إلغاء والعودة إلى المتجر',
    leaving: 'ستعود إلى المتجر خلال 5 ثوانٍ.',
    stay: 'البقاء في هذه الصفحة',
    retry: 'حاول مرة أخرى',
    busy: ['لحظة من فضلك', 'تتم عملية الدفع الآن. يُرجى إبقاء هذه الصفحة مفتوحة.'],
    paid: ['شكرًا لك', 'تم الدفع بنجاح.'],
    processing: [
      'تتم معالجة الدفع',
      'ليس عليك فعل أي شيء آخر، ويُرجى عدم الدفع مرة أخرى. تعرض هذه الصفحة النتيجة فور معرفتها، ويمكنك إغلاقها أيضًا وسيُعلمك المتجر.',
    ],
    lost: ['انقطع الاتصال', 'يُرجى التحقق من اتصالك بالإنترنت. لم يُدفع أي مبلغ.'],
    closed: ['عملية الدفع هذه مغلقة', 'لا يمكن دفع أي مبلغ آخر هنا. المتجر على علم بحالة الدفع.'],
    alreadyPaid: ['تم الدفع من قبل', 'لا حاجة إلى الدفع مرة أخرى.'],
    verified: ['شكرًا لك', 'تم التحقّق من بطاقتك. لم يُدفع أي مبلغ.'],
    expired: ['انتهت صلاحية عملية الدفع', 'لم يُدفع أي مبلغ. يُرجى العودة إلى المتجر والبدء من جديد.'],
    voided: ['أُلغيت عملية الدفع', 'لم يعد هناك ما يجب دفعه. إن لم تتوقع ذلك فيُرجى سؤال المتجر.'],
    refunded: ['تم رد المبلغ', 'لم يعد هناك ما يجب دفعه.'],
    inApp: ['يُرجى الدفع في التطبيق', 'بدأت عملية الدفع هذه في تطبيق المتجر وتتم هناك.'],
    notFound: [
      'لا يمكن فتح هذه الصفحة',
      'العنوان غير مكتمل أو لم يعد صالحًا. يُرجى العودة إلى المتجر وفتح صفحة الدفع من هناك.',
    ],
    toBank: ['إلى البنك', 'يسأل البنك إن كنت أنت من يدفع.'],
    fromBank: ['عدت من البنك', 'تستمر عملية الدفع تلقائيًا بعد لحظة.'],
    stepOver: ['انتهت هذه الخطوة', 'عُد إلى المتجر لمعرفة حالة الدفع.'],
    goOn: 'متابعة',
  },
}

export function pageTextsIn({ language }: PageLocale): PageTexts {
  return TEXTS[language]
}

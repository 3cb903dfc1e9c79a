package holdfast.android

import java.net.URLDecoder

/**
 * `<application_id>://<service>/return`. An application id has two parts or more, of letters, digits and underscores,
 * each beginning with a letter. Source: Android's documentation, "Set the application ID".
 */
private val RETURN_URL = Regex("([A-Za-z][A-Za-z0-9_]*(?:\\.[A-Za-z][A-Za-z0-9_]*)+)://[^/?#\\s]+/return")

/**
 * What is wrong with the `return_url` of an invoice for an app; null if nothing is. An invoice without one leaves the
 * customer in the browser as soon as a bank has no native way.
 */
internal fun returnUrlProblem(
    invoice: Invoice,
    applicationId: String?,
): String? {
    val form = "${applicationId ?: "<application_id>"}://<service>/return"
    val advice = "Have the server create the invoice with a return_url of the form $form."
    val returnUrl = invoice.returnUrl
    if (returnUrl.isNullOrEmpty()) return "The invoice ${invoice.id} has no return_url. $advice"
    val match =
        RETURN_URL.matchEntire(returnUrl) ?: return "The return_url of ${invoice.id}, $returnUrl, opens no app. $advice"
    if (applicationId == null || match.groupValues[1] == applicationId) return null
    return "The return_url of ${invoice.id}, $returnUrl, opens another app than $applicationId. $advice"
}

/**
 * The token of an address with which the app was opened: empty without one, null if the address is not that
 * `return_url` of that invoice. What is no token counts as none, because any app may open the address, with another
 * source in it.
 */
internal fun tokenOfReturn(
    returnUrl: String,
    opened: String,
    invoiceId: String,
): String? {
    if (placeOf(opened) != placeOf(returnUrl)) return null
    val parameters = parametersOf(opened)
    val given = parameters["invoice_id"]
    if (given != null && given != invoiceId) return null
    return parameters["token"]?.takeIf(::isToken) ?: ""
}

/** A continuation of the service, and no other kind of source. */
internal fun isToken(value: String): Boolean = value.startsWith(SOURCE_PREFIX) && value.length > SOURCE_PREFIX.length

/** Scheme, host and path. Scheme and host are the same in capitals, and a web address has a path. */
private fun placeOf(address: String): Pair<String, String> {
    val place = address.substringBefore('#').substringBefore('?')
    val pathAt = place.indexOf('/', place.indexOf("://") + 3).takeIf { it >= 0 } ?: place.length
    val origin = place.substring(0, pathAt).lowercase()
    val path = place.substring(pathAt)
    return origin to if (path.isEmpty() && origin.startsWith("https://")) "/" else path
}

private fun parametersOf(address: String): Map<String, String> =
    address
        .substringBefore('#')
        .substringAfter('?', "")
        .split('&')
        .filter { it.isNotEmpty() }
        .mapNotNull { part -> decoded(part.substringAfter('=', ""))?.let { part.substringBefore('=') to it } }
        .toMap()

/** Null for what is not percent-encoded rightly. */
private fun decoded(text: String): String? =
    try {
        // A plus sign is itself, as in base64, and no space.
        URLDecoder.decode(text.replace("+", "%2B"), "UTF-8")
    } catch (_: IllegalArgumentException) {
        null
    }

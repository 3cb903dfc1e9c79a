import Foundation

/// What is wrong with the `return_url` of an invoice for an app; nil if nothing is. An invoice without one leaves the
/// customer in the browser as soon as a bank has no native way.
func returnURLProblem(_ invoice: Invoice, callback: WebAuthenticationCallback?) -> String? {
    let advice =
        "Have the server create the invoice with a return_url of the form com.example.shop://checkout/return, "
        + "or of an HTTPS address that opens the app."
    guard let returnURL = invoice.returnURL, !returnURL.isEmpty else {
        return "The invoice \(invoice.id) has no return_url. \(advice)"
    }
    // A universal link, never plain HTTP, or the custom scheme of an app by RFC 3986.
    guard matches(returnURL, "^(?![Hh][Tt][Tt][Pp]:)[A-Za-z][A-Za-z0-9+.-]*://[^/?#\\s]") else {
        return "The return_url of \(invoice.id), \(returnURL), opens no app. \(advice)"
    }
    let place = Place(returnURL)
    let isWebAddress = place.origin.hasPrefix("https://")
    switch callback {
    case nil where isWebAddress:
        return "The return_url of \(invoice.id), \(returnURL), is an HTTPS address: "
            + "hand in webAuthenticationCallback with its host and path."
    case nil:
        return nil
    case .customScheme(let scheme) where !isWebAddress && place.origin.hasPrefix(scheme.lowercased() + "://"):
        return nil
    case .https(let host, let path) where place.origin == "https://" + host.lowercased() && place.path == path:
        return nil
    default:
        return "The return_url of \(invoice.id), \(returnURL), does not match webAuthenticationCallback."
    }
}

/// The token of an address with which the app was opened: empty without one, nil if the address is not that
/// `return_url` of that invoice. What is no token counts as none, because any app may open the address, with another
/// source in it.
func tokenOfReturn(returnURL: String, opened: String, invoiceId: String) -> String? {
    guard Place(opened) == Place(returnURL) else { return nil }
    let parameters = queryParameters(of: opened)
    if let given = parameters["invoice_id"], given != invoiceId { return nil }
    let token = parameters["token"] ?? ""
    return isToken(token) ? token : ""
}

/// A continuation of the service, and no other kind of source.
func isToken(_ value: String) -> Bool {
    value.hasPrefix(sourcePrefix) && value.count > sourcePrefix.count
}

/// Scheme and host, which are the same in capitals, and the path of an address, which a web address always has.
private struct Place: Equatable {
    let origin: String
    let path: String

    init(_ address: String) {
        let end = address.firstIndex { $0 == "?" || $0 == "#" } ?? address.endIndex
        let place = address[..<end]
        let hostAt = place.range(of: "://")?.upperBound ?? place.startIndex
        let pathAt = place[hostAt...].firstIndex(of: "/") ?? place.endIndex
        origin = place[..<pathAt].lowercased()
        let path = String(place[pathAt...])
        self.path = path.isEmpty && origin.hasPrefix("https://") ? "/" : path
    }
}

private func queryParameters(of address: String) -> [String: String] {
    let withoutFragment = address.prefix { $0 != "#" }
    guard let mark = withoutFragment.firstIndex(of: "?") else { return [:] }
    var parameters: [String: String] = [:]
    for part in withoutFragment[withoutFragment.index(after: mark)...].split(separator: "&") {
        let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        // Nil for what is not percent-encoded rightly.
        guard let value = (pair.count == 2 ? String(pair[1]) : "").removingPercentEncoding else { continue }
        parameters[String(pair[0])] = value
    }
    return parameters
}

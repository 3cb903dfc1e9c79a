import Foundation
import XCTest

@testable import Holdfast

typealias Row = [String: Any]

/// The wire forms that all libraries share: `clients/wire-fixtures.json`.
let fixtures: Row = {
    let file = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("wire-fixtures.json")
    guard let data = try? Data(contentsOf: file),
        let rows = try? JSONSerialization.jsonObject(with: data) as? Row
    else {
        fatalError("\(file.path) cannot be read.")
    }
    return rows
}()

func rows(_ section: String) -> [Row] { fixtures[section] as? [Row] ?? [] }

extension Dictionary where Key == String, Value == Any {
    func text(_ name: String) -> String { self[name] as? String ?? "" }
    func textOrNil(_ name: String) -> String? { self[name] as? String }
    func flag(_ name: String) -> Bool { self[name] as? Bool ?? false }
    func row(_ name: String) -> Row { self[name] as? Row ?? [:] }
    func rows(_ name: String) -> [Row] { self[name] as? [Row] ?? [] }
    func texts(_ name: String) -> [String] { self[name] as? [String] ?? [] }
}

func deviceData(_ given: Row) -> ThreeDSAuthenticationRequest {
    ThreeDSAuthenticationRequest(
        deviceData: given.text("deviceData"), sdkAppId: given.text("sdkAppId"),
        sdkEphemeralPublicKey: given.text("sdkEphemeralPublicKey"),
        sdkReferenceNumber: given.text("sdkReferenceNumber"), sdkTransactionId: given.text("sdkTransactionId"))
}

/// A request with the options of a fixture, by their names on the wire.
func requestWith(source: String, options: Row, clientSecret: String?) -> AuthorizationRequest {
    var request = AuthorizationRequest(invoiceId: "iv_fixture", source: source, clientSecret: clientSecret)
    request.authorizeOnly = options["authorize_only"] as? Bool
    request.autoCaptureAt = options.textOrNil("auto_capture_at")
    request.captureAmount = options.textOrNil("capture_amount")
    request.preferredScheme = options.textOrNil("preferred_scheme")
    request.incremental = options["incremental"] as? Bool
    request.invoiceDetailIds = options["invoice_detail_ids"] as? [String]
    request.overrideMacBlocking = options["override_mac_blocking"] as? Bool
    request.initialSchemeTransactionId = options.textOrNil("initial_scheme_transaction_id")
    request.allowFallbackToSale = options["allow_fallback_to_sale"] as? Bool
    request.saveSource = options["save_source"] as? Bool
    return request
}

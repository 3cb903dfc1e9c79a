import Foundation
import XCTest

@testable import Holdfast

/// Each form of the shared fixtures by itself.
final class FixtureTests: XCTestCase {
    private func action(_ row: Row) -> CustomerAction {
        CustomerAction(type: row.row("customer_action").text("type"), value: row.row("customer_action").text("value"))
    }

    func testAnActionIsRead() {
        for row in rows("actions") where row.text("client") == "app" {
            let type = row.row("customer_action").text("type")
            let decoded = row.row("decoded")
            switch action(row) {
            case .nativeFingerprint(let configuration):
                XCTAssertEqual(type, "fingerprint-mobile", row.text("name"))
                XCTAssertEqual(configuration.directoryServerId, decoded.text("directoryServerID"))
                XCTAssertEqual(configuration.directoryServerPublicKey, decoded.text("directoryServerPublicKey"))
                XCTAssertEqual(configuration.directoryServerRootCAs, decoded.texts("directoryServerRootCAs"))
                XCTAssertEqual(configuration.threeDSServerTransactionId, decoded.text("threeDSServerTransID"))
                XCTAssertEqual(configuration.messageVersion, decoded.text("messageVersion"))
                XCTAssertEqual(configuration.scheme, decoded.textOrNil("scheme"))
            case .nativeChallenge(let challenge):
                XCTAssertEqual(type, "challenge-mobile", row.text("name"))
                XCTAssertEqual(challenge.acsTransactionId, decoded.text("acsTransID"))
                XCTAssertEqual(challenge.acsReferenceNumber, decoded.text("acsReferenceNumber"))
                XCTAssertEqual(challenge.acsSignedContent, decoded.text("acsSignedContent"))
                XCTAssertEqual(challenge.threeDSServerTransactionId, decoded.text("threeDSServerTransID"))
            case .page(let url, let isFingerprint):
                XCTAssertEqual(url, row.row("customer_action").text("value"), row.text("name"))
                XCTAssertEqual(isFingerprint, type == "fingerprint", row.text("name"))
            case .unreadable(let problem, _):
                XCTFail("\(row.text("name")): \(problem)")
            }
        }
    }

    func testWhatCameOfItIsTheNextSource() {
        for row in rows("actions") where row.text("client") == "app" {
            for next in row.rows("next_sources") {
                let message = "\(row.text("name")): \(next.text("after"))"
                XCTAssertEqual(nextSource(action(row), next), next.textOrNil("source"), message)
            }
        }
    }

    /// Nil where the first source is sent again.
    private func nextSource(_ action: CustomerAction, _ next: Row) -> String? {
        switch next.text("after") {
        case "device data": return deviceDataSource(deviceData(next.row("given")))
        case "challenge passed": return challengeSource(isAuthenticated: true)
        case "challenge failed": return challengeSource(isAuthenticated: false)
        case "canceled": return action.canceledSource
        case "timed out":
            guard case .page(let url, _) = action else { return nil }
            return fingerprintTimedOutSource(url: url)
        default:
            let token = next.row("given").text("token")
            return isToken(token) ? token : nil
        }
    }

    func testWhatIsBrokenIsNotGuessedAt() {
        for row in rows("broken_actions") {
            guard case .unreadable = action(row) else {
                XCTFail(row.text("name"))
                continue
            }
        }
        for row in rows("broken_device_data") {
            XCTAssertNil(deviceDataSource(deviceData(row.row("given"))), row.text("name"))
        }
    }

    func testARequestHasItsFieldsInTheirOrder() throws {
        for row in rows("requests") {
            let options = row.row("options")
            let request = requestWith(
                source: options.text("source"), options: options, clientSecret: row.textOrNil("client_secret"))
            XCTAssertNoThrow(try request.check(), row.text("name"))
            XCTAssertEqual(request.body(source: request.source), row.text("body_text"), row.text("name"))
        }
    }

    func testAnErrorIsToldByWhatTheAppDoesAboutIt() throws {
        for row in rows("errors") {
            let body = ["success": false, "error_type": row.text("error_type"), "message": "No."] as [String: Any]
            let answer = try JSONDecoder().decode(Answer.self, from: JSONSerialization.data(withJSONObject: body))
            let error = paymentError(status: row["status"] as? Int ?? 0, answer: answer, retryAfterSeconds: nil)
            XCTAssertEqual(error.kind.rawValue, row.text("kind"), row.text("error_type"))
        }
        XCTAssertEqual(PaymentError.Kind.allCases.map(\.rawValue), fixtures.row("protocol").texts("error_kinds"))
    }

    func testAnInvoiceLeadsBackToTheApp() throws {
        for row in rows("return_urls") {
            let returnURL = row.textOrNil("return_url")
            let body: Row = ["id": "iv_fixture", "status": "pending", "return_url": returnURL ?? NSNull()]
            let invoice = try JSONDecoder().decode(Invoice.self, from: JSONSerialization.data(withJSONObject: body))
            var callback: WebAuthenticationCallback?
            if let returnURL, returnURL.hasPrefix("https://") {
                callback = .https(host: "shop.example", path: "/return")
            }
            let problem = returnURLProblem(invoice, callback: callback)
            XCTAssertEqual(problem == nil, row.flag("ios"), problem ?? returnURL ?? "nil")
        }
    }

    func testAnAddressThatOpensTheAppEndsASessionOrDoesNot() {
        for row in rows("returns") {
            let redirect = ThreeDSRedirect(
                url: "https://bank.example", timeoutSeconds: nil, returnURL: row.text("return_url"),
                webAuthenticationCallback: nil, invoiceId: "iv_fixture")
            XCTAssertEqual(redirect.isEnded(by: row.text("opened")), row.flag("is_ours"), row.text("opened"))
            XCTAssertEqual(try? redirect.token(from: row.text("opened")), row.textOrNil("token"), row.text("opened"))
        }
    }

    func testACardNumberIsNoSourceAndNoMessageRepeatsIt() {
        for number in ["4242424242424242", "4242 4242 4242 4242", "3782-822463-10005"] {
            XCTAssertThrowsError(try AuthorizationRequest(invoiceId: "iv_fixture", source: number).check()) {
                XCTAssertFalse("\($0)".contains(number))
            }
        }
    }

    func testNothingThatAnAppMayLogTellsASourceOrASecret() {
        var request = AuthorizationRequest(invoiceId: "iv_fixture", source: "card_hidden", clientSecret: "ivs_hidden")
        request.preferredScheme = "hidden"
        var dumped = ""
        dump(request, to: &dumped)
        XCTAssertFalse("\(request)\(String(reflecting: request))\(dumped)".contains("hidden"))
    }
}

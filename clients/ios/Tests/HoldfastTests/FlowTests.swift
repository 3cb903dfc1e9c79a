import Foundation
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@testable import Holdfast

/// Every payment of the fixtures, against a service that expects exactly their requests.
final class FlowTests: XCTestCase {
    func testFlows() async throws {
        for flow in rows("flows") {
            let outcome = try await play(flow)
            XCTAssertEqual(outcome, expected(flow), flow.text("name"))
        }
    }

    /// How it ended, what the app's service was called for, and what was not as the fixture says.
    private struct Outcome: Equatable {
        var kind: String
        var detail: String?
        var calls: [String]
        var problems: [String] = []
    }

    private func expected(_ flow: Row) -> Outcome {
        let result = flow.row("result")
        let detail = result.text("kind") == "paid" ? result.textOrNil("status") : result.textOrNil("error_type")
        return Outcome(kind: result.text("kind"), detail: detail, calls: flow.texts("calls"))
    }

    private func play(_ flow: Row) async throws -> Outcome {
        let script = Script(flow)
        ScriptedProtocol.script = script
        let service = ScriptedService(flow.row("service"))
        let invoices = Invoices(api: api(), timing: timing)
        let given = flow.row("request")
        let source = fixtures.row("flow_defaults").row("request").text("source")
        let request = requestWith(
            source: source, options: given, clientSecret: given.textOrNil("client_secret"))
        var outcome: Outcome
        do {
            let paid = try await invoices.authorizeInvoice(request: request, threeDSService: service)
            outcome = Outcome(kind: "paid", detail: paid.transaction.status, calls: await service.calls)
        } catch let error as PaymentError {
            outcome = Outcome(kind: error.kind.rawValue, detail: error.errorType, calls: await service.calls)
        }
        outcome.problems = script.problems
        return outcome
    }

    private var timing: Timing {
        var timing = Timing()
        timing.attempts = fixtures.row("flow_defaults")["attempts"] as? Int ?? 0
        timing.firstPause = 0.001
        timing.longestPause = 0.002
        timing.longestRetryAfter = 5
        timing.pollFor = 0.25
        timing.fingerprintTimeout = 0.1
        return timing
    }

    private func api() -> API {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [ScriptedProtocol.self]
        return API(
            baseURL: "https://api.holdfast.example", projectId: fixtures.row("protocol").text("project_id"),
            timing: timing, configuration: configuration)
    }
}

/// An app's service that does what a fixture says, and counts.
private actor ScriptedService: ThreeDSService {
    private let deviceRow: Row?
    private let challenge: String?
    private var redirects: [String]
    private(set) var calls: [String] = []

    init(_ script: Row) {
        deviceRow = script["device_data"] as? Row
        challenge = script.textOrNil("challenge")
        redirects = script.texts("redirects")
    }

    private struct LibraryFailed: Error {}

    func authenticationRequest(configuration: ThreeDSConfiguration) async throws -> ThreeDSAuthenticationRequest {
        calls.append("authenticationRequest")
        guard let deviceRow else { throw LibraryFailed() }
        return deviceData(deviceRow)
    }

    func handle(challenge: ThreeDSChallenge) async throws -> Bool {
        calls.append("challenge")
        switch self.challenge {
        case "passed": return true
        case "failed": return false
        case "canceled": throw CustomerCanceled()
        default: throw LibraryFailed()
        }
    }

    func handle(redirect: ThreeDSRedirect) async throws -> String {
        calls.append("redirect")
        let opened = redirects.removeFirst()
        if opened == "canceled" { throw CustomerCanceled() }
        if opened == "hangs" { try await Task.sleep(nanoseconds: 60_000_000_000) }
        // What is no address is what a careless app hands over as it is.
        return opened.contains("://") ? try redirect.token(from: opened) : opened
    }

    func cleanup() async { calls.append("cleanup") }
}

/// The requests of a fixture in their order, with their answers.
private final class Script: @unchecked Sendable {
    private let lock = NSLock()
    private let clientSecret: String?
    private var exchanges: [Row]
    private var keys: [String: String] = [:]
    private var found: [String] = []

    init(_ flow: Row) {
        clientSecret = flow.row("request").textOrNil("client_secret")
        let defaults = fixtures.row("flow_defaults").row("invoice")
        let invoice = defaults.merging(flow.row("invoice")) { $1 }
        let read: Row = [
            "method": "GET", "path": "/invoices/iv_fixture?expand=transaction",
            "answer": ["status": 200, "body": ["success": true, "invoice": invoice] as Row] as Row,
        ]
        exchanges = [read] + flow.rows("exchanges")
    }

    var problems: [String] {
        lock.lock()
        defer { lock.unlock() }
        return found + exchanges.filter { !$0.flag("repeats") }.map { "\($0.text("method")) was not requested." }
    }

    /// The answer to a request; nil where the connection is lost.
    func answer(_ request: URLRequest, body: String) -> Row? {
        lock.lock()
        defer { lock.unlock() }
        guard let expected = exchanges.first else {
            found.append("One request too many: \(body)")
            return nil
        }
        if !expected.flag("repeats") { exchanges.removeFirst() }
        let url = request.url
        let path = (url?.path ?? "") + (url?.query.map { "?" + $0 } ?? "")
        expect("\(expected.text("method")) \(expected.text("path"))", "\(request.httpMethod ?? "") \(path)")
        expect(fixtures.row("protocol").text("authorization"), request.value(forHTTPHeaderField: "Authorization"))
        if request.httpMethod == "POST" {
            expect(expected.text("body_text"), body)
            expect(clientSecret, request.value(forHTTPHeaderField: "X-Service-Client-Secret"))
            expectKey(expected.text("key"), request.value(forHTTPHeaderField: "Idempotency-Key"))
        }
        let answer = self.answer(of: expected)
        return answer.flag("lost") ? nil : answer
    }

    /// An answer is told by its name, or by itself.
    private func answer(of exchange: Row) -> Row {
        guard let name = exchange.textOrNil("answer") else { return exchange.row("answer") }
        return rows("answers").first { $0.text("name") == name } ?? [:]
    }

    /// Requests with one label carry one key, and those with another label another one.
    private func expectKey(_ label: String, _ key: String?) {
        if let known = keys[label] { return expect(known, key) }
        if key == nil || keys.values.contains(key ?? "") {
            found.append("The key of round \(label) is missing, or that of another round.")
        }
        keys[label] = key
    }

    private func expect(_ expected: String?, _ actual: String?) {
        if expected != actual { found.append("Expected \(expected ?? "nil"), but was \(actual ?? "nil").") }
    }
}

private final class ScriptedProtocol: URLProtocol {
    static var script: Script?

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func stopLoading() {}

    override func startLoading() {
        guard let url = request.url, let answer = Self.script?.answer(request, body: sentBody()),
            let response = HTTPURLResponse(
                url: url, statusCode: answer["status"] as? Int ?? 200, httpVersion: "HTTP/1.1",
                headerFields: answer["headers"] as? [String: String])
        else {
            client?.urlProtocol(self, didFailWithError: URLError(.networkConnectionLost))
            return
        }
        let body = (answer["body"] as? Row).flatMap { try? JSONSerialization.data(withJSONObject: $0) }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: body ?? Data(answer.text("text").utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    /// The session hands the body over as a stream.
    private func sentBody() -> String {
        if let body = request.httpBody { return String(decoding: body, as: UTF8.self) }
        guard let stream = request.httpBodyStream else { return "" }
        stream.open()
        defer { stream.close() }
        var body = Data()
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = stream.read(&buffer, maxLength: buffer.count)
            if count <= 0 { return String(decoding: body, as: UTF8.self) }
            body.append(contentsOf: buffer[0..<count])
        }
    }
}
